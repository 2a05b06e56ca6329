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
import org.troupe.descriptors.Batch;
import org.troupe.descriptors.Batch.Scheduler;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Local;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.Mapping;
import org.troupe.descriptors.Ssh;
import org.troupe.descriptors.VirtualNode;
import org.troupe.descriptors.read.Document.BatchEntry;
import org.troupe.descriptors.read.Document.ClusterEntry;
import org.troupe.descriptors.read.Document.JvmEntry;
import org.troupe.descriptors.read.Document.LocalEntry;
import org.troupe.descriptors.read.Document.LoginEntry;
import org.troupe.descriptors.read.Document.Setting;
import org.troupe.descriptors.read.Document.Spot;
import org.troupe.descriptors.read.Document.SshEntry;
import org.troupe.descriptors.xml.HostList;
import org.troupe.descriptors.xml.Paths;
import org.troupe.descriptors.xml.Problem;
import org.troupe.descriptors.xml.Quantity;
import org.troupe.descriptors.xml.SourcePosition;
import org.troupe.descriptors.xml.Variable;

/**
 * Makes of a document what it means: defaults are filled in, names replaced by what they name, and
 * paths start from the folder of the file that they stand in. The document is known to be right.
 */
public final class DescriptorBuilder {

  private final Map<String, Jvm> jvms = new HashMap<>();
  private final Map<String, Cluster> clusters = new HashMap<>();
  private final Map<String, LoginEntry> logins = new HashMap<>();
  private final GatewayChains ways;

  /** By its number in the file, whatever its kind. */
  private final Map<Integer, Infrastructure> infrastructure = new TreeMap<>();

  private DescriptorBuilder(Document.Kinds kinds) {
    kinds.jvm().forEach(entry -> jvms.put(entry.id(), jvm(entry)));
    kinds.cluster().forEach(entry -> clusters.put(entry.id(), cluster(entry)));
    kinds.login().forEach(entry -> logins.put(entry.id(), entry));
    Map<String, List<String>> via = new HashMap<>();
    logins.forEach((id, entry) -> via.put(id, words(entry.via())));
    ways = new GatewayChains(via);
    kinds.local().forEach(entry -> infrastructure.put(entry.spot().number(), local(entry)));
    kinds.ssh().forEach(entry -> infrastructure.put(entry.spot().number(), ssh(entry)));
    kinds.slurm().forEach(entry -> add(entry, new Scheduler.Slurm()));
    kinds.pbs().forEach(entry -> add(entry, new Scheduler.Pbs()));
    kinds
        .gridEngine()
        .forEach(
            entry ->
                add(
                    entry,
                    new Scheduler.GridEngine(Optional.ofNullable(entry.parallelEnvironment()))));
    kinds
        .drmaa()
        .forEach(
            entry ->
                add(
                    entry,
                    new Scheduler.Drmaa(
                        Optional.ofNullable(entry.library()).map(p -> path(p, entry.spot())),
                        Optional.ofNullable(entry.nodesOption()))));
  }

  /** Returns what a document means. */
  public static Descriptor of(Document document, List<Variable> variables, List<Problem> warnings) {
    return new Descriptor(
        variables,
        document.virtualNodes().stream()
            .map(entry -> new VirtualNode(entry.name(), entry.spot().place()))
            .toList(),
        document.mapping().stream()
            .map(entry -> new Mapping(entry.virtualNode(), entry.to(), entry.spot().place()))
            .toList(),
        List.copyOf(new DescriptorBuilder(document.infrastructure()).infrastructure.values()),
        warnings);
  }

  private static Jvm jvm(JvmEntry entry) {
    return new Jvm(
        entry.id(),
        Optional.ofNullable(entry.javaHome()).map(p -> path(p, entry.spot())),
        entry.option(),
        entry.classPath().stream().map(p -> path(p, entry.spot())).toList(),
        settings(entry.environment()),
        settings(entry.property()),
        Boolean.TRUE.equals(entry.sharedFiles()),
        entry.spot().place());
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
        entry.spot().place());
  }

  private Local local(LocalEntry entry) {
    SourcePosition place = entry.spot().place();
    return new Local(
        entry.id(),
        orOne(entry.jvms()),
        jvm(entry.jvm(), place),
        cluster(entry.cluster(), entry.id(), place),
        Optional.ofNullable(entry.workingDirectory()).map(p -> path(p, entry.spot())),
        place);
  }

  private Ssh ssh(SshEntry entry) {
    SourcePosition place = entry.spot().place();
    List<Login> via = way(entry.id(), words(entry.via()));
    return new Ssh(
        entry.id(),
        hosts(entry.hosts()).stream()
            .map(
                host ->
                    new Login(
                        host,
                        host,
                        number(entry.port()),
                        Optional.ofNullable(entry.user()),
                        Optional.ofNullable(entry.identity()).map(p -> path(p, entry.spot())),
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
    } catch (HostList.Wrong e) {
      throw new AssertionError("was checked", e);
    }
  }

  private void add(BatchEntry entry, Scheduler scheduler) {
    SourcePosition place = entry.spot().place();
    Optional<Login> via =
        Optional.ofNullable(entry.via()).map(id -> way(entry.id(), List.of(id)).getLast());
    infrastructure.put(
        entry.spot().number(),
        new Batch(
            entry.id(),
            scheduler,
            via,
            orOne(entry.nodes()),
            orOne(entry.jvmsPerNode()),
            number(entry.cpus()),
            entry.memory() == null
                ? OptionalLong.empty()
                : OptionalLong.of(Quantity.bytes(entry.memory())),
            Optional.ofNullable(entry.wallTime()).map(Quantity::time),
            Optional.ofNullable(entry.queue()),
            Optional.ofNullable(entry.account()),
            entry.option(),
            jvm(entry.jvm(), place),
            cluster(entry.cluster(), entry.id(), place),
            remote(entry.workingDirectory()),
            place));
  }

  /** Returns the machines to go through, each with those before it as its own way. */
  private List<Login> way(String user, List<String> named) {
    List<Login> way = new ArrayList<>();
    try {
      for (String id : ways.of(user, named)) {
        way.add(login(Objects.requireNonNull(logins.get(id), "was checked"), way));
      }
    } catch (GatewayChains.Wrong e) {
      throw new AssertionError("was checked", e);
    }
    return way;
  }

  private static Login login(LoginEntry entry, List<Login> via) {
    return new Login(
        entry.id(),
        entry.host(),
        number(entry.port()),
        Optional.ofNullable(entry.user()),
        Optional.ofNullable(entry.identity()).map(p -> path(p, entry.spot())),
        hostKeys(entry.hostKeys()),
        via,
        entry.spot().place());
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

  private static List<String> words(@Nullable String list) {
    return list == null ? List.of() : List.of(list.split("\\s+"));
  }

  private static Path path(String written, Spot spot) {
    return Paths.beside(Path.of(spot.place().file()).toAbsolutePath(), written);
  }

  private static Optional<String> remote(@Nullable String written) {
    return Optional.ofNullable(written).map(Paths::remote).filter(path -> !path.isEmpty());
  }
}
