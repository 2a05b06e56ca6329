package org.troupe.descriptors.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.BatchJvms.Scheduler;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.KubernetesJvms;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.Mapping;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.SshJvms;
import org.troupe.descriptors.Variable;
import org.troupe.descriptors.VirtualNode;
import org.troupe.descriptors.read.DescriptorDocument.BatchEntry;
import org.troupe.descriptors.read.DescriptorDocument.ClusterEntry;
import org.troupe.descriptors.read.DescriptorDocument.JvmEntry;
import org.troupe.descriptors.read.DescriptorDocument.KubernetesEntry;
import org.troupe.descriptors.read.DescriptorDocument.LocalEntry;
import org.troupe.descriptors.read.DescriptorDocument.LoginEntry;
import org.troupe.descriptors.read.DescriptorDocument.MountEntry;
import org.troupe.descriptors.read.DescriptorDocument.Setting;
import org.troupe.descriptors.read.DescriptorDocument.SshEntry;
import org.troupe.descriptors.text.DescriptorPaths;
import org.troupe.descriptors.text.HostList;
import org.troupe.descriptors.text.QuantityParser;

/**
 * Builds the descriptor of a checked document: fills in defaults, replaces names by the elements
 * that they refer to, and resolves paths against the folder of the file that contains them.
 */
final class DescriptorBuilder {

  private final Map<String, Jvm> jvms = new HashMap<>();
  private final Map<String, Cluster> clusters = new HashMap<>();
  private final Map<String, LoginEntry> logins = new HashMap<>();
  private final GatewayChains chains;

  /** Infrastructure of all kinds, by the index of the element. */
  private final Map<Integer, Infrastructure> infrastructure = new TreeMap<>();

  private DescriptorBuilder(DescriptorDocument.InfrastructureEntries kinds) {
    kinds.jvm().forEach(entry -> jvms.put(entry.id(), jvm(entry)));
    kinds.cluster().forEach(entry -> clusters.put(entry.id(), cluster(entry)));
    kinds.login().forEach(entry -> logins.put(entry.id(), entry));
    Map<String, List<String>> via = new HashMap<>();
    logins.forEach((id, entry) -> via.put(id, words(entry.via())));
    chains = new GatewayChains(via);
    kinds.local().forEach(entry -> infrastructure.put(entry.index(), local(entry)));
    kinds.ssh().forEach(entry -> infrastructure.put(entry.index(), ssh(entry)));
    kinds.slurm().forEach(entry -> add(entry, new Scheduler.Slurm()));
    kinds.pbs().forEach(entry -> add(entry, new Scheduler.Pbs()));
    kinds
        .gridEngine()
        .forEach(
            entry ->
                add(
                    entry,
                    new Scheduler.GridEngine(Optional.ofNullable(entry.parallelEnvironment()))));
    kinds.oar().forEach(entry -> add(entry, new Scheduler.Oar()));
    kinds.flux().forEach(entry -> add(entry, new Scheduler.Flux()));
    kinds.htcondor().forEach(entry -> add(entry, new Scheduler.Htcondor()));
    kinds.lsf().forEach(entry -> add(entry, new Scheduler.Lsf()));
    kinds
        .drmaa()
        .forEach(
            entry ->
                add(
                    entry,
                    new Scheduler.Drmaa(
                        Optional.ofNullable(entry.library()).map(p -> path(p, entry.place())),
                        Optional.ofNullable(entry.nodesOption()))));
    kinds.kubernetes().forEach(entry -> infrastructure.put(entry.index(), kubernetes(entry)));
  }

  /** Returns the descriptor of a checked document. */
  static Descriptor of(
      DescriptorDocument document, List<Variable> variables, List<SourceProblem> warnings) {
    return new Descriptor(
        variables,
        document.virtualNodes().virtualNode().stream()
            .map(entry -> new VirtualNode(entry.name(), entry.place()))
            .toList(),
        document.mapping().map().stream()
            .map(entry -> new Mapping(entry.virtualNode(), entry.to(), entry.place()))
            .toList(),
        List.copyOf(new DescriptorBuilder(document.infrastructure()).infrastructure.values()),
        warnings);
  }

  private static Jvm jvm(JvmEntry entry) {
    return new Jvm(
        entry.id(),
        Optional.ofNullable(entry.javaHome()).map(p -> path(p, entry.place())),
        entry.option(),
        entry.classPath().stream().map(p -> path(p, entry.place())).toList(),
        settings(entry.environment()),
        settings(entry.property()),
        Boolean.TRUE.equals(entry.sharedFiles()),
        entry.place());
  }

  private static Map<String, String> settings(List<Setting> settings) {
    Map<String, String> byName = new LinkedHashMap<>();
    settings.forEach(setting -> byName.put(setting.name(), setting.value()));
    return byName;
  }

  private static Cluster cluster(ClusterEntry entry) {
    return new Cluster(
        entry.id(),
        words(entry.networks()),
        !Boolean.FALSE.equals(entry.reachable()),
        Boolean.TRUE.equals(entry.trusted()),
        entry.place());
  }

  private LocalJvms local(LocalEntry entry) {
    SourcePosition place = entry.place();
    return new LocalJvms(
        entry.id(),
        orOne(entry.jvms()),
        jvm(entry.jvm(), place),
        cluster(entry.cluster(), entry.id(), place),
        Optional.ofNullable(entry.workingDirectory()).map(p -> path(p, entry.place())),
        place);
  }

  private SshJvms ssh(SshEntry entry) {
    SourcePosition place = entry.place();
    List<Login> via = gateways(entry.id(), words(entry.via()));
    return new SshJvms(
        entry.id(),
        hosts(entry.hosts()).stream()
            .map(
                host ->
                    new Login(
                        host,
                        host,
                        number(entry.port()),
                        Optional.ofNullable(entry.user()),
                        Optional.ofNullable(entry.identity()).map(p -> path(p, entry.place())),
                        hostKeys(entry.hostKeys()),
                        via,
                        place))
            .toList(),
        orOne(entry.jvms()),
        jvm(entry.jvm(), place),
        cluster(entry.cluster(), entry.id(), place),
        remote(entry.workingDirectory()),
        place);
  }

  private static List<String> hosts(String list) {
    try {
      return HostList.expand(list);
    } catch (HostList.InvalidList e) {
      throw new AssertionError("was checked", e);
    }
  }

  private void add(BatchEntry entry, Scheduler scheduler) {
    SourcePosition place = entry.place();
    infrastructure.put(
        entry.index(),
        new BatchJvms(
            entry.id(),
            scheduler,
            via(entry.id(), entry.via()),
            orOne(entry.nodes()),
            orOne(entry.jvmsPerNode()),
            number(entry.cpus()),
            bytes(entry.memory()),
            Optional.ofNullable(entry.wallTime()).map(QuantityParser::time),
            Optional.ofNullable(entry.queue()),
            Optional.ofNullable(entry.account()),
            entry.option(),
            entry.prologue(),
            words(entry.skip()),
            jvm(entry.jvm(), place),
            cluster(entry.cluster(), entry.id(), place),
            remote(entry.workingDirectory()),
            place));
  }

  private KubernetesJvms kubernetes(KubernetesEntry entry) {
    SourcePosition place = entry.place();
    return new KubernetesJvms(
        entry.id(),
        via(entry.id(), entry.via()),
        orOne(entry.pods()),
        entry.image(),
        Optional.ofNullable(entry.context()),
        Optional.ofNullable(entry.namespace()),
        labels(words(entry.nodeSelector())),
        number(entry.cpus()),
        bytes(entry.memory()),
        Optional.ofNullable(entry.wallTime()).map(QuantityParser::time),
        entry.mount().stream().map(DescriptorBuilder::mount).toList(),
        Optional.ofNullable(entry.patch()).map(p -> path(p, place)),
        jvm(entry.jvm(), place),
        cluster(entry.cluster(), entry.id(), place),
        remote(entry.workingDirectory()),
        place);
  }

  private static Map<String, String> labels(List<String> written) {
    Map<String, String> labels = new LinkedHashMap<>();
    written.stream()
        .map(label -> label.split("=", 2))
        .forEach(label -> labels.put(label[0], label[1]));
    return labels;
  }

  private static KubernetesJvms.Mount mount(MountEntry entry) {
    return new KubernetesJvms.Mount(
        entry.path(),
        entry.host() == null
            ? new KubernetesJvms.Source.Claim(Objects.requireNonNull(entry.claim(), "was checked"))
            : new KubernetesJvms.Source.Host(entry.host()),
        Boolean.TRUE.equals(entry.readOnly()));
  }

  private Optional<Login> via(String user, @Nullable String named) {
    return Optional.ofNullable(named).map(id -> gateways(user, List.of(id)).getLast());
  }

  /** Returns the gateways to a machine, each with those before it as its own gateways. */
  private List<Login> gateways(String user, List<String> named) {
    List<Login> gateways = new ArrayList<>();
    try {
      for (String id : chains.of(user, named)) {
        gateways.add(login(Objects.requireNonNull(logins.get(id), "was checked"), gateways));
      }
    } catch (GatewayChains.InvalidChain e) {
      throw new AssertionError("was checked", e);
    }
    return gateways;
  }

  private static Login login(LoginEntry entry, List<Login> via) {
    return new Login(
        entry.id(),
        entry.host(),
        number(entry.port()),
        Optional.ofNullable(entry.user()),
        Optional.ofNullable(entry.identity()).map(p -> path(p, entry.place())),
        hostKeys(entry.hostKeys()),
        via,
        entry.place());
  }

  private Jvm jvm(@Nullable String id, SourcePosition user) {
    return id == null ? Jvm.undescribed(user) : Objects.requireNonNull(jvms.get(id), "was checked");
  }

  private Cluster cluster(@Nullable String id, String user, SourcePosition place) {
    return id == null
        ? Cluster.undescribed(user, place)
        : Objects.requireNonNull(clusters.get(id), "was checked");
  }

  private static HostKeys hostKeys(@Nullable String written) {
    return "acceptNew".equals(written) ? HostKeys.ACCEPT_NEW : HostKeys.STRICT;
  }

  private static int orOne(@Nullable Integer number) {
    return number == null ? 1 : number;
  }

  private static OptionalInt number(@Nullable Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private static OptionalLong bytes(@Nullable String amount) {
    return amount == null ? OptionalLong.empty() : OptionalLong.of(QuantityParser.bytes(amount));
  }

  private static List<String> words(@Nullable String list) {
    return list == null ? List.of() : List.of(list.split("\\s+"));
  }

  private static Path path(String written, SourcePosition place) {
    return DescriptorPaths.beside(Path.of(place.file()).toAbsolutePath(), written);
  }

  private static Optional<String> remote(@Nullable String written) {
    return Optional.ofNullable(written)
        .map(DescriptorPaths::remote)
        .filter(path -> !path.isEmpty());
  }
}
