package org.troupe.descriptors.convert;

import static java.util.stream.Collectors.joining;
import static org.troupe.descriptors.text.QuotedText.quote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.convert.DescriptorDraft.Gateway;
import org.troupe.descriptors.convert.DescriptorDraft.JvmDraft;
import org.troupe.descriptors.convert.DescriptorDraft.Part;
import org.troupe.descriptors.text.DescriptorPaths;
import org.troupe.descriptors.text.QuotedText;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.descriptors.text.ValueType;
import org.troupe.descriptors.xml.Element.Value;

/**
 * Reads the GCM form: an application names the node providers of its virtual nodes, and a
 * deployment describes a provider: hosts, in groups, behind bridges.
 */
final class GcmReader {

  private final Optional<LegacyElement> application;
  private final Optional<LegacyElement> deployment;
  private final DescriptorDraft draft;
  private final LegacyJvms oldJvms;

  GcmReader(
      Optional<LegacyElement> application,
      Optional<LegacyElement> deployment,
      DescriptorDraft draft) {
    this.application = application;
    this.deployment = deployment;
    this.draft = draft;
    this.oldJvms = new LegacyJvms(draft);
  }

  void convert() {
    application.ifPresentOrElse(this::convert, () -> convertAlone(deployment.orElseThrow()));
    draft.problems().throwIfAny();
    application.ifPresent(old -> draft.losses().reportUnused(old.element()));
  }

  private void convertAlone(LegacyElement old) {
    old.report(
        "virtual nodes are in the GCMApplication, so there is one named 'default' for all",
        "convert both files together");
    new Deployment(old, JvmDraft.USUAL).convert();
  }

  private void convert(LegacyElement old) {
    old.at("environment").forEach(environment -> draft.declare(environment.children()));
    List<LegacyElement> proactive = old.at("application", "proactive");
    JvmDraft jvm = proactive.stream().findFirst().map(this::jvm).orElse(JvmDraft.USUAL);
    Map<String, List<String>> providers = new LinkedHashMap<>();
    List<LegacyElement> declared = old.at("resources", "nodeProvider");
    for (LegacyElement provider : declared) {
      String id = provider.attribute("id").map(Value::text).orElse("").strip();
      providers.put(id, provider(provider, declared.size() == 1, jvm));
    }
    Map<String, String> users = new HashMap<>();
    for (LegacyElement node : old.at("application", "proactive", "virtualNode")) {
      virtualNode(node, providers, users);
    }
  }

  private void virtualNode(
      LegacyElement node, Map<String, List<String>> providers, Map<String, String> users) {
    Optional<Value> id = node.attribute("id").or(() -> node.attribute("name"));
    if (id.isEmpty()) {
      draft
          .problems()
          .error(node.place(), "'virtualNode' lacks the attribute 'id'", "add id=\"...\"");
      return;
    }
    String name = draft.virtualNode(id.get());
    capacity(node, name);
    List<String> named = new ArrayList<>();
    for (LegacyElement reference : node.children("nodeProvider")) {
      capacity(reference, name);
      reference
          .attribute("refid")
          .ifPresent(
              refid -> {
                if (providers.containsKey(refid.text().strip())) {
                  named.add(refid.text().strip());
                } else {
                  unknown(refid, "node provider", providers);
                }
              });
    }
    for (String provider : named.isEmpty() ? List.copyOf(providers.keySet()) : named) {
      String other = users.putIfAbsent(provider, name);
      if (other != null) {
        node.report(
            "the nodes of provider "
                + quote(provider)
                + " were divided between virtual nodes, and are now in all of them",
            "map each virtual node to elements of its own, if they must not share");
      }
      providers.getOrDefault(provider, List.of()).forEach(element -> draft.map(name, element));
    }
    if (providers.isEmpty()) {
      String standIn =
          draft.standIn(node, name, "there is no node provider", "name a GCMDeployment");
      draft.map(name, standIn);
    }
  }

  private void capacity(LegacyElement old, String name) {
    Optional<Value> capacity = old.attribute("capacity");
    capacity
        .filter(value -> !value.text().strip().equals("max"))
        .ifPresent(
            value ->
                draft
                    .losses()
                    .report(
                        value.place(),
                        "a virtual node has all nodes that it is mapped to, not "
                            + quote(value.text()),
                        "wait in the program: grid.nodes(\""
                            + name
                            + "\").await(atLeast("
                            + QuotedText.plain(value.text())
                            + "), ...)"));
  }

  private <T> void unknown(Value value, String what, Map<String, T> declared) {
    draft
        .problems()
        .error(
            value.place(),
            what + " " + quote(value.text()) + " is not declared",
            SpellingHints.choice(value.text(), declared.keySet(), "declare it"));
  }

  /** Converts a provider; returns the ids of its elements. */
  private List<String> provider(LegacyElement provider, boolean isOnly, JvmDraft jvm) {
    List<String> elements = new ArrayList<>();
    for (LegacyElement file : provider.children("file")) {
      Optional<Value> path = file.attribute("path");
      if (path.isEmpty()) {
        continue;
      }
      LegacyElement old = deployment(provider, resolved(path.get()), isOnly);
      if (old.name().equals("GCMDeployment")) {
        elements.addAll(new Deployment(old, jvm).convert());
      } else {
        draft
            .problems()
            .error(
                path.get().place(),
                quote(path.get().text()) + " is a " + quote(old.name()) + ", not a 'GCMDeployment'",
                "name a GCMDeployment");
      }
    }
    return elements;
  }

  /** Replaces variables by the values that the application declares. */
  private Value resolved(Value path) {
    String text = path.text();
    for (LegacyElement environment : application.orElseThrow().at("environment")) {
      for (LegacyElement variable : environment.children()) {
        Optional<Value> name = variable.attribute("name");
        Optional<Value> value = variable.attribute("value");
        if (name.isPresent() && value.isPresent()) {
          text = text.replace("${" + name.get().text() + "}", value.get().text());
        }
      }
    }
    if (deployment.isEmpty() && text.contains("${")) {
      draft
          .problems()
          .error(
              path.place(),
              "the path "
                  + quote(path.text())
                  + " of the deployment has a variable without a value here",
              "give the file as well, behind the application");
      draft.problems().throwIfAny();
    }
    return new Value(text, path.place());
  }

  /**
   * Returns the deployment file that the caller gave, if it matches; otherwise the one that the
   * provider names.
   */
  private LegacyElement deployment(LegacyElement provider, Value path, boolean isOnly) {
    Path named = Path.of(path.text().strip());
    if (deployment.isPresent()
        && (isOnly || named.getFileName().equals(deployment.get().file().getFileName()))) {
      return deployment.get();
    }
    Path file = DescriptorPaths.beside(provider.file(), path.text().strip());
    try {
      return LegacyElement.read(file, draft.losses());
    } catch (DescriptorException e) {
      for (SourceProblem problem : e.problems()) {
        boolean isWhole = problem.place().line() == 0;
        draft
            .problems()
            .error(
                isWhole ? path.place() : problem.place(),
                isWhole
                    ? "the deployment " + quote(file.toString()) + " " + problem.what()
                    : problem.what(),
                isWhole ? problem.remedy() + ", or give the file as well" : problem.remedy());
      }
      draft.problems().throwIfAny();
      throw e;
    }
  }

  /** Returns the settings of the application's JVMs. */
  private JvmDraft jvm(LegacyElement proactive) {
    String base =
        path(proactive.attribute("base"), proactive.attribute("relpath"), Optional.empty())
            .orElse("");
    Optional<String> javaHome = Optional.empty();
    List<String> options = new ArrayList<>();
    List<String> classPath = new ArrayList<>();
    for (LegacyElement configuration : proactive.children("configuration")) {
      javaHome =
          configuration
              .child("java")
              .flatMap(
                  java ->
                      path(java.attribute("base"), java.attribute("relpath"), Optional.of(base))
                          .flatMap(path -> oldJvms.javaHome(java, path)));
      for (LegacyElement argument : configuration.children("jvmarg")) {
        argument.attribute("value").ifPresent(value -> options.addAll(oldJvms.options(value)));
      }
      for (LegacyElement classPaths : configuration.children("applicationClasspath")) {
        classPaths.accept("type");
        for (LegacyElement element : classPaths.children("pathElement")) {
          path(element.attribute("base"), element.attribute("relpath"), Optional.of(base))
              .ifPresent(path -> oldJvms.addPath(element, path, classPath));
        }
      }
    }
    return new JvmDraft(javaHome, options, classPath, Map.of());
  }

  /** Returns a path from the root, the home directory, or that of the old library. */
  private Optional<String> path(
      Optional<Value> base, Optional<Value> relative, Optional<String> library) {
    return draft
        .value(relative, ValueType.PATH)
        .map(
            path ->
                switch (base.map(Value::text).orElse("root").strip()) {
                  case "home" -> "~/" + path;
                  case "proactive" ->
                      library.filter(l -> !l.isEmpty()).map(l -> l + "/" + path).orElse(path);
                  default -> path.startsWith("/") || path.startsWith("${") ? path : "/" + path;
                });
  }

  /** One deployment, for one provider. */
  private final class Deployment {

    private final LegacyElement root;
    private final JvmDraft jvm;
    private final Map<String, LegacyElement> hosts = new LinkedHashMap<>();
    private final Map<String, LegacyElement> groups = new LinkedHashMap<>();
    private final Map<String, LegacyElement> bridges = new LinkedHashMap<>();
    private final Set<LegacyElement> found = new HashSet<>();
    private final List<String> elements = new ArrayList<>();

    Deployment(LegacyElement root, JvmDraft jvm) {
      this.root = root;
      this.jvm = jvm;
    }

    List<String> convert() {
      root.at("environment").forEach(environment -> draft.declare(environment.children()));
      index(root.at("infrastructure", "hosts"), hosts);
      index(root.at("infrastructure", "groups"), groups);
      index(root.at("infrastructure", "bridges"), bridges);
      root.children("resources").forEach(resources -> place(resources, List.of()));
      Stream.of(hosts, groups, bridges)
          .flatMap(byId -> byId.values().stream())
          .filter(old -> !found.contains(old))
          .forEach(old -> old.reportWhole("no resource refers to it", "leave it out"));
      draft.losses().reportUnused(root.element());
      return elements;
    }

    private void index(List<LegacyElement> parts, Map<String, LegacyElement> byId) {
      for (LegacyElement part : parts) {
        for (LegacyElement old : part.children()) {
          old.attribute("id").ifPresent(id -> byId.put(id.text().strip(), old));
        }
      }
    }

    /** Converts the hosts and groups of a resource, and recursively those behind its bridges. */
    private void place(LegacyElement here, List<Gateway> gateways) {
      for (LegacyElement reference : here.children()) {
        switch (reference.name()) {
          case "bridge" ->
              find(reference, bridges)
                  .ifPresent(
                      bridge -> {
                        sshInstead(bridge, "sshBridge");
                        if (reference.children().isEmpty()) {
                          reference.report(
                              "no host or group is behind it, so it starts nothing",
                              "add what is there, or leave it out");
                        }
                        Gateway hop =
                            new Gateway(
                                draft
                                    .value(bridge.attribute("hostname"), ValueType.HOST)
                                    .orElse("unknown"),
                                draft.value(bridge.attribute("username"), ValueType.WORD),
                                privateKey(bridge));
                        place(reference, Stream.concat(gateways.stream(), Stream.of(hop)).toList());
                      });
          case "group" ->
              find(reference, groups).ifPresent(group -> group(reference, group, gateways));
          case "host" -> find(reference, hosts).ifPresent(host -> host(host, gateways));
          default -> reference.report("'" + reference.name() + "' is no resource", "leave it out");
        }
      }
    }

    private Optional<LegacyElement> find(
        LegacyElement reference, Map<String, LegacyElement> declared) {
      Optional<Value> refid = reference.attribute("refid");
      if (refid.isEmpty()) {
        draft
            .problems()
            .error(
                reference.place(),
                "'" + reference.name() + "' lacks the attribute 'refid'",
                "add refid=\"...\"");
        return Optional.empty();
      }
      Optional<LegacyElement> found =
          Optional.ofNullable(declared.get(refid.get().text().strip()))
              .or(() -> onlyOne(refid.get(), reference.name(), declared));
      found.ifPresentOrElse(
          this.found::add, () -> unknown(refid.get(), reference.name(), declared));
      return found;
    }

    /** Returns the only candidate for an undeclared id, if there is exactly one. */
    private Optional<LegacyElement> onlyOne(
        Value refid, String what, Map<String, LegacyElement> declared) {
      if (declared.size() != 1) {
        return Optional.empty();
      }
      Map.Entry<String, LegacyElement> only = declared.entrySet().iterator().next();
      draft
          .losses()
          .report(
              refid.place(),
              what
                  + " "
                  + quote(refid.text())
                  + " is not declared, so "
                  + quote(only.getKey())
                  + ", the only one, is taken",
              "see that it is the one that is meant");
      return Optional.of(only.getValue());
    }

    /** Converts a host, which is this machine or the last bridge. */
    private void host(LegacyElement host, List<Gateway> gateways) {
      Optional<String> jvmId = jvm(host);
      String id = draft.id(host.attribute("id").map(Value::text).orElse("host"));
      elements.add(id);
      if (gateways.isEmpty()) {
        draft.add(
            new Part("local").with("id", id).withNumber("jvms", capacity(host)).with("jvm", jvmId));
        return;
      }
      Gateway last = gateways.getLast();
      draft.add(
          new Part("ssh")
              .with("id", id)
              .with("hosts", last.host())
              .withNumber("jvms", capacity(host))
              .with(
                  "user",
                  last.user().or(() -> draft.value(host.attribute("username"), ValueType.WORD)))
              .with("identity", last.identity())
              .with("via", draft.login(gateways.subList(0, gateways.size() - 1)))
              .with("jvm", jvmId));
    }

    private void group(LegacyElement reference, LegacyElement group, List<Gateway> gateways) {
      Optional<LegacyElement> host =
          reference.children("host").stream().findFirst().flatMap(ref -> find(ref, hosts));
      String name = group.attribute("id").map(Value::text).orElse(group.name());
      Optional<String> jvmId = host.flatMap(this::jvm);
      Optional<String> capacity = host.flatMap(this::capacity);
      switch (group.name()) {
        case "sshGroup", "rshGroup", "oarshGroup", "rloginGroup" -> {
          sshInstead(group, "sshGroup");
          elements.add(hosts(group, name, gateways, host, jvmId, capacity));
        }
        case "pbsGroup", "gridEngineGroup", "sgeGroup", "oarGroup", "lsfGroup", "bsubGroup" ->
            elements.add(job(group, name, gateways, jvmId, capacity));
        default ->
            elements.add(
                draft.standIn(
                    group,
                    name,
                    "'" + group.name() + "' has no counterpart",
                    "write an <ssh>, or the element of its scheduler, for it"));
      }
    }

    private String hosts(
        LegacyElement group,
        String name,
        List<Gateway> gateways,
        Optional<LegacyElement> host,
        Optional<String> jvmId,
        Optional<String> capacity) {
      Optional<Value> list = group.attribute("hostList");
      Optional<String> domain = group.attribute("domain").map(v -> draft.text(v.text().strip()));
      Optional<String> names =
          list.flatMap(v -> LegacyHosts.entries(draft.text(v.text())))
              .map(entries -> LegacyHosts.inDomain(entries, domain))
              .filter(
                  entries ->
                      DescriptorDraft.hasVariable(entries) || ValueType.HOSTS.accepts(entries));
      if (names.isEmpty()) {
        SourcePosition place = list.map(Value::place).orElse(group.place());
        draft
            .problems()
            .error(
                place,
                quote(list.map(Value::text).orElse("")) + " is not a list of hosts",
                "write names such as 'node[1-16] other'");
      }
      String id = draft.id(name);
      draft.add(
          new Part("ssh")
              .with("id", id)
              .with("hosts", names.orElse(""))
              .withNumber("jvms", capacity)
              .with(
                  "user",
                  draft
                      .value(group.attribute("username"), ValueType.WORD)
                      .or(
                          () ->
                              host.flatMap(
                                  h -> draft.value(h.attribute("username"), ValueType.WORD))))
              .with("identity", privateKey(group))
              .with("via", draft.login(gateways))
              .with("jvm", jvmId));
      return id;
    }

    private String job(
        LegacyElement group,
        String name,
        List<Gateway> gateways,
        Optional<String> jvmId,
        Optional<String> capacity) {
      LegacyJob job = new LegacyJob(group.name(), gateways);
      job.queue = draft.value(group.attribute("queue"), ValueType.WORD);
      job.directory =
          draft.value(group.child("directory").flatMap(LegacyElement::text), ValueType.REMOTE_PATH);
      for (LegacyElement resources : group.children("resources")) {
        job.nodes =
            draft.value(
                resources.attribute("nodes").or(() -> resources.attribute("processorNumber")),
                ValueType.COUNT);
        if (group.name().equals("oarGroup")) {
          levels(resources, job);
        }
        job.perNode = draft.value(resources.attribute("ppn"), ValueType.COUNT);
        job.time = draft.time(resources.attribute("walltime"), "h");
        job.parallelEnvironment =
            draft.value(resources.attribute("parallelEnvironment"), ValueType.WORD);
        resources
            .text()
            .map(value -> draft.text(value.text()))
            .ifPresent(
                text -> {
                  if (group.name().equals("oarGroup")) {
                    job.resources(text);
                  } else {
                    job.options.addAll(List.of("-l", text));
                  }
                });
      }
      job.perNode = job.perNode.or(() -> capacity);
      return job.add(group, draft, name, jvmId);
    }

    /**
     * Converts numbers of machines, of processors in each machine, and of cores in each processor.
     */
    private void levels(LegacyElement resources, LegacyJob job) {
      String below =
          Stream.of("cpu", "core")
              .flatMap(
                  level ->
                      draft.value(resources.attribute(level), ValueType.COUNT).stream()
                          .map(count -> "/" + level + "=" + count))
              .collect(joining());
      if (!below.isEmpty() && job.nodes.isEmpty()) {
        resources.report(
            quote(below) + " does not say how many machines these are, so one JVM is started",
            "write nodes=\"...\"");
      }
      job.levels(job.nodes, below);
    }

    private void sshInstead(LegacyElement old, String right) {
      if (!old.name().equals(right)) {
        old.report(
            "'" + old.name() + "' has no counterpart, so ssh is used",
            "see that ssh lets you in there with a key");
      }
    }

    private Optional<String> privateKey(LegacyElement old) {
      return old.child("privateKey")
          .flatMap(key -> path(key.attribute("base"), key.attribute("relpath"), Optional.empty()));
    }

    /**
     * Returns the number of nodes on a host; a legacy JVM with several nodes becomes several JVMs.
     */
    private Optional<String> capacity(LegacyElement host) {
      Optional<Value> perJvm = host.attribute("vmCapacity");
      perJvm
          .filter(value -> !value.text().strip().equals("1"))
          .ifPresent(
              value ->
                  draft
                      .losses()
                      .report(
                          value.place(),
                          "a JVM is one node, so each of the "
                              + QuotedText.plain(value.text())
                              + " nodes per JVM has its own",
                          "lower the number if several active objects in one JVM are enough"));
      return draft.value(host.attribute("hostCapacity").or(() -> perJvm), ValueType.COUNT);
    }

    /** Returns the id of the application's JVM settings, with the host's Java. */
    private Optional<String> jvm(LegacyElement host) {
      host.accept("os", "unix");
      Optional<String> javaHome = jvm.javaHome();
      for (LegacyElement tool : host.children("tool")) {
        if (tool.element().attribute("id").filter(v -> v.text().equals("java")).isPresent()) {
          tool.accept("id");
          javaHome =
              draft
                  .value(tool.attribute("path"), ValueType.PATH)
                  .flatMap(path -> oldJvms.javaHome(tool, path))
                  .or(jvm::javaHome);
        } else {
          tool.reportWhole("a tool has no counterpart", "what Troupe itself needs is copied");
        }
      }
      return draft.jvm(
          new JvmDraft(javaHome, jvm.options(), jvm.classPath(), jvm.environment()), "jvm");
    }
  }
}
