package org.troupe.descriptors.convert;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.convert.DescriptorDraft.Gateway;
import org.troupe.descriptors.convert.DescriptorDraft.JvmDraft;
import org.troupe.descriptors.convert.DescriptorDraft.Part;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.descriptors.text.ValueType;
import org.troupe.descriptors.xml.Element.Value;

/**
 * Reads the ProActive form, which maps virtual nodes to JVMs. A process creates a JVM, and may run
 * another process: a login that submits a job that starts JVMs.
 */
final class ProActiveReader {

  /** The context in which a process starts JVMs. */
  private record Start(
      List<Gateway> gateways, Map<String, String> environment, Optional<String> repeat) {

    static final Start HERE = new Start(List.of(), Map.of(), Optional.empty());

    Start through(Gateway hop, Map<String, String> more, Optional<String> times) {
      Map<String, String> all = new LinkedHashMap<>(environment);
      all.putAll(more);
      return new Start(Stream.concat(gateways.stream(), Stream.of(hop)).toList(), all, times);
    }
  }

  private final LegacyElement root;
  private final DescriptorDraft draft;
  private final LegacyJvms oldJvms;
  private final Map<String, LegacyElement> jvms = new LinkedHashMap<>();
  private final Map<String, LegacyElement> processes = new LinkedHashMap<>();

  private final Set<String> used = new HashSet<>();

  /** The ids of the elements for a legacy JVM, by its name. */
  private final Map<String, List<String>> converted = new LinkedHashMap<>();

  ProActiveReader(LegacyElement root, DescriptorDraft draft) {
    this.root = root;
    this.draft = draft;
    this.oldJvms = new LegacyJvms(draft);
  }

  void convert() {
    draft.declare(root.at("variables").stream().flatMap(v -> v.children().stream()).toList());
    List<LegacyElement> nodes =
        root.at("componentDefinition", "virtualNodesDefinition", "virtualNode");
    index(root.at("deployment", "jvms", "jvm"), "name", jvms);
    index(root.at("infrastructure", "processes", "processDefinition"), "id", processes);
    Map<String, String> names = new LinkedHashMap<>();
    for (LegacyElement node : nodes) {
      node.accept("property", "multiple");
      node.attribute("name")
          .ifPresent(name -> names.put(name.text().strip(), draft.virtualNode(name)));
    }
    for (LegacyElement map : root.at("deployment", "mapping", "map")) {
      Value node = required(map, "virtualNode");
      String name = names.computeIfAbsent(node.text().strip(), n -> draft.virtualNode(node));
      for (LegacyElement set : map.children("jvmSet")) {
        set.children("vmName").forEach(vm -> elements(vm).forEach(id -> draft.map(name, id)));
        set.children("currentJVM")
            .forEach(
                current -> {
                  current.accept("protocol");
                  draft.map(
                      name,
                      draft.standIn(
                          current,
                          "currentJvm",
                          "the program's own JVM is no node",
                          "create objects for it where you need no node, or keep the JVM"));
                });
      }
    }
    for (LegacyElement node : nodes) {
      String name = required(node, "name").text().strip();
      if (names.containsKey(name) && !draft.isMapped(names.get(name))) {
        String to =
            draft.standIn(
                node,
                "unmapped",
                "the virtual node is mapped to nothing",
                "map it to what it needs");
        draft.map(names.get(name), to);
      }
    }
    draft.problems().throwIfAny();
    reportUnused(jvms, converted.keySet(), "no virtual node is mapped to this JVM");
    reportUnused(processes, used, "nothing runs this process");
    draft.losses().reportUnused(root.element());
  }

  private static void reportUnused(
      Map<String, LegacyElement> byName, Set<String> used, String what) {
    byName.forEach(
        (name, old) -> {
          if (!used.contains(name)) {
            old.reportWhole(what, "leave it out");
          }
        });
  }

  private void index(List<LegacyElement> elements, String key, Map<String, LegacyElement> byName) {
    for (LegacyElement element : elements) {
      Value name = required(element, key);
      if (byName.putIfAbsent(name.text().strip(), element) != null) {
        draft
            .problems()
            .error(
                name.place(),
                quote(name.text())
                    + " is declared already, "
                    + byName.get(name.text().strip()).place().from(name.place()),
                "give this one another name");
      }
    }
  }

  private Value required(LegacyElement element, String attribute) {
    return element
        .attribute(attribute)
        .orElseGet(
            () -> {
              draft
                  .problems()
                  .error(
                      element.place(),
                      "'" + element.name() + "' lacks the attribute '" + attribute + "'",
                      "add " + attribute + "=\"...\"");
              return new Value("", element.place());
            });
  }

  private List<String> elements(LegacyElement vmName) {
    Value value = required(vmName, "value");
    String name = value.text().strip();
    LegacyElement jvm = jvms.get(name);
    if (jvm == null) {
      return unknown(value, "jvm", jvms);
    }
    List<String> before = converted.get(name);
    if (before != null) {
      return before;
    }
    Optional<Value> asked = jvm.attribute("askedNodes").or(() -> jvm.attribute("nodeNumber"));
    Optional<String> nodes = draft.value(asked, ValueType.COUNT).filter(n -> !n.equals("1"));
    nodes.ifPresent(
        n ->
            draft
                .losses()
                .report(
                    asked.get().place(),
                    "a JVM is one node, so each of the " + n + " nodes per JVM has its own",
                    "lower the number if several active objects in one JVM are enough"));
    List<String> made =
        jvm.child("acquisition")
            .map(
                acquisition ->
                    List.of(
                        draft.standIn(
                            acquisition,
                            name,
                            "a JVM that runs already cannot be acquired",
                            "let this descriptor start it: <local>, <ssh>, ...")))
            .orElseGet(
                () ->
                    jvm.at("creation", "processReference").stream()
                        .flatMap(ref -> process(ref, name, nodes, Start.HERE, List.of()).stream())
                        .toList());
    converted.put(name, made);
    return made;
  }

  private List<String> unknown(Value value, String what, Map<String, LegacyElement> declared) {
    draft
        .problems()
        .error(
            value.place(),
            what + " " + quote(value.text()) + " is not declared",
            SpellingHints.choice(value.text(), declared.keySet(), "declare it"));
    return List.of();
  }

  private @Nullable LegacyElement definition(Value refid) {
    used.add(refid.text().strip());
    return processes.get(refid.text().strip());
  }

  /** Converts a process and those that it runs; returns the ids of the elements. */
  private List<String> process(
      LegacyElement reference,
      String name,
      Optional<String> nodes,
      Start start,
      List<LegacyElement> users) {
    Value refid = required(reference, "refid");
    LegacyElement definition = definition(refid);
    if (definition == null) {
      return unknown(refid, "process", processes);
    }
    if (users.contains(definition)) {
      draft
          .problems()
          .error(
              refid.place(),
              "process " + quote(refid.text()) + " runs itself",
              "let it run a jvmProcess in the end");
      return List.of();
    }
    List<LegacyElement> chain = Stream.concat(users.stream(), Stream.of(definition)).toList();
    List<String> made = new ArrayList<>();
    for (LegacyElement process : definition.children()) {
      process.accept("class");
      process.accept("closeStream", "no");
      made.addAll(process(process, refid.text(), name, nodes, start, chain));
    }
    return made;
  }

  private List<String> process(
      LegacyElement process,
      String id,
      String name,
      Optional<String> nodes,
      Start start,
      List<LegacyElement> users) {
    return switch (process.name()) {
      case "jvmProcess" -> List.of(jvms(process, id, name, nodes, start));
      case "sshProcess", "rshProcess", "rloginProcess", "maprshProcess", "globusProcess" ->
          inside(process, name, nodes, host(process, start), users);
      case "processList", "processListbyHost" ->
          inside(process, name, nodes, hosts(process, start), users);
      case "hierarchicalProcess" -> {
        draft
            .losses()
            .report(
                process.place(),
                "no JVM runs on the front end " + quote(hostname(process)) + " to forward calls",
                "connections go through its ssh server");
        process.child("processReference").ifPresent(forwarder -> forwarder.accept("refid"));
        yield process.children("hierarchicalReference").stream()
            .flatMap(ref -> process(ref, name, nodes, host(process, start), users).stream())
            .toList();
      }
      case "pbsProcess",
          "gridEngineProcess",
          "gridengineProcess",
          "sgeProcess",
          "bsubProcess",
          "oarProcess" ->
          List.of(job(process, name, nodes, start, users));
      case "independentProcessSequence" -> inside(process, name, nodes, start, users);
      default ->
          List.of(
              draft.standIn(
                  process,
                  name,
                  "'" + process.name() + "' has no counterpart",
                  "write an <ssh>, or the element of its scheduler, for it"));
    };
  }

  private List<String> inside(
      LegacyElement process,
      String name,
      Optional<String> nodes,
      Start start,
      List<LegacyElement> users) {
    return process.children("processReference").stream()
        .flatMap(ref -> process(ref, name, nodes, start, users).stream())
        .toList();
  }

  /** Returns the host, or the hosts of a process for several. */
  private String hostname(LegacyElement process) {
    return checked(required(process, "hostname"), Optional.empty());
  }

  /** Returns the hosts in a value, or reports an invalid list. */
  private String checked(Value value, Optional<String> domain) {
    String hosts = LegacyHosts.inDomain(draft.text(value.text()), domain);
    if (!DescriptorDraft.hasVariable(hosts) && !ValueType.HOSTS.accepts(hosts)) {
      draft
          .problems()
          .error(
              value.place(),
              quote(value.text()) + " is not " + ValueType.HOSTS.meaning(),
              ValueType.HOSTS.remedy());
    }
    return hosts;
  }

  /** Adds a gateway to a context; protocols that ssh has replaced become ssh. */
  private Start host(LegacyElement process, Start start) {
    if (!process.name().equals("sshProcess") && !process.name().equals("hierarchicalProcess")) {
      String protocol = process.name().replace("Process", "");
      draft
          .losses()
          .report(
              process.place(),
              "'"
                  + protocol
                  + "' has no counterpart, so "
                  + quote(hostname(process))
                  + " is reached over ssh",
              "see that ssh lets you in there with a key");
    }
    Optional<String> count =
        process
            .child("globusOption")
            .flatMap(o -> o.child("count"))
            .flatMap(LegacyElement::text)
            .map(v -> draft.text(v.text()));
    return start.through(
        new Gateway(hostname(process), user(process), Optional.empty()),
        environment(process),
        count);
  }

  private Start hosts(LegacyElement list, Start start) {
    list.element()
        .attribute("class")
        .filter(value -> !value.text().contains("SSH"))
        .ifPresent(
            value ->
                draft
                    .losses()
                    .report(
                        value.place(),
                        quote(value.text())
                            + " has no counterpart, so the hosts are reached over ssh",
                        "see that ssh lets you in there with a key"));
    Optional<String> domain = list.attribute("domain").map(v -> draft.text(v.text().strip()));
    Value names =
        list.name().equals("processListbyHost") ? required(list, "hostlist") : numbered(list);
    return start.through(
        new Gateway(checked(names, domain), user(list), Optional.empty()),
        environment(list),
        draft.value(list.attribute("repeat"), ValueType.COUNT));
  }

  private Value numbered(LegacyElement list) {
    Value written = required(list, "list");
    int padding =
        draft
            .value(list.attribute("padding"), ValueType.COUNT)
            .filter(ValueType.COUNT::accepts)
            .map(Integer::parseInt)
            .orElse(0);
    String numbers =
        written.text().contains("${")
            ? written.text().strip()
            : LegacyHosts.numbers(written.text(), padding)
                .orElseGet(
                    () -> {
                      draft
                          .problems()
                          .error(
                              written.place(),
                              quote(written.text()) + " is no list of numbers",
                              "write one such as '[1-16]' or '[1-50;2]^[3,7-9]'");
                      return "";
                    });
    Value name = required(list, "fixedName");
    return new Value(name.text().strip() + numbers, name.place());
  }

  private Optional<String> user(LegacyElement process) {
    return draft.value(process.attribute("username"), ValueType.WORD);
  }

  private Map<String, String> environment(LegacyElement process) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (LegacyElement variable : process.at("environment", "variable")) {
      draft
          .value(variable.attribute("name"), ValueType.ENVIRONMENT_NAME)
          .ifPresent(
              name ->
                  environment.put(
                      name, variable.attribute("value").map(v -> draft.text(v.text())).orElse("")));
    }
    return environment;
  }

  private String jvms(
      LegacyElement jvmProcess, String id, String name, Optional<String> nodes, Start start) {
    JvmDraft jvm = jvm(jvmProcess, !start.gateways.isEmpty()).with(start.environment);
    Optional<String> jvmId = draft.jvm(jvm, id);
    Optional<String> number = times(nodes, start.repeat);
    if (start.gateways.isEmpty()) {
      String local = draft.id(name);
      draft.add(new Part("local").with("id", local).withNumber("jvms", number).with("jvm", jvmId));
      return local;
    }
    List<Gateway> gateways = start.gateways.subList(0, start.gateways.size() - 1);
    if (isWide(gateways)) {
      return wide(jvmProcess, name);
    }
    String ssh = draft.id(name);
    draft.add(
        new Part("ssh")
            .with("id", ssh)
            .with("hosts", start.gateways.getLast().host())
            .withNumber("jvms", number)
            .with("user", start.gateways.getLast().user())
            .with("via", draft.login(gateways))
            .with("jvm", jvmId));
    return ssh;
  }

  private static boolean isWide(List<Gateway> gateways) {
    return gateways.stream().anyMatch(hop -> hop.host().matches(".*[\\s\\[].*"));
  }

  private String wide(LegacyElement process, String name) {
    return draft.standIn(
        process,
        name,
        "several machines in a row with others behind each have no counterpart",
        "write an element for each of them, with its own via");
  }

  /** Returns the number of JVMs for a number of legacy JVMs with several nodes each. */
  private static Optional<String> times(Optional<String> nodes, Optional<String> repeat) {
    boolean areNumbers =
        nodes.filter(ValueType.COUNT::accepts).isPresent()
            && repeat.filter(ValueType.COUNT::accepts).isPresent();
    if (!areNumbers) {
      return nodes.or(() -> repeat);
    }
    long product = Long.parseLong(nodes.get()) * Long.parseLong(repeat.get());
    return Optional.of(String.valueOf(Math.min(LocalJvms.MOST_JVMS, product)));
  }

  private String job(
      LegacyElement process,
      String name,
      Optional<String> nodes,
      Start start,
      List<LegacyElement> users) {
    if (isWide(start.gateways)) {
      return wide(process, name);
    }
    Optional<String> jvmId =
        process.children("processReference").stream()
            .findFirst()
            .flatMap(ref -> inJob(ref, users))
            .flatMap(jvm -> draft.jvm(jvm.draft.with(start.environment), jvm.id));
    LegacyElement options =
        process.children().stream()
            .filter(child -> child.name().endsWith("Option"))
            .findFirst()
            .orElse(process);
    LegacyJob job = new LegacyJob(process.name(), start.gateways);
    job.nodes = count(options, "hostsNumber");
    job.perNode = count(options, "processorPerNode").or(() -> nodes);
    job.time = draft.time(options.child("bookingDuration").flatMap(LegacyElement::text), "s");
    job.queue = draft.value(process.attribute("queue"), ValueType.WORD);
    switch (process.name()) {
      case "bsubProcess" -> {
        job.nodes = count(options, "processor");
        options
            .child("resourceRequirement")
            .flatMap(r -> r.attribute("value"))
            .ifPresent(v -> job.options.addAll(List.of("-R", draft.text(v.text()))));
      }
      case "oarProcess" -> {
        Optional<Value> resources = options.child("resources").flatMap(LegacyElement::text);
        resources.ifPresent(v -> job.resources(draft.text(v.text())));
      }
      default ->
          job.parallelEnvironment =
              draft.value(
                  options.child("parallelEnvironment").flatMap(LegacyElement::text),
                  ValueType.WORD);
    }
    return job.add(process, draft, name, jvmId);
  }

  private Optional<String> count(LegacyElement options, String name) {
    return draft.value(options.child(name).flatMap(LegacyElement::text), ValueType.COUNT);
  }

  /** The settings of a JVM, and the id of its process. */
  private record Found(String id, JvmDraft draft) {}

  /** Follows references from a job to the JVMs that it starts. */
  private Optional<Found> inJob(LegacyElement reference, List<LegacyElement> users) {
    Value refid = required(reference, "refid");
    LegacyElement definition = definition(refid);
    if (definition == null) {
      unknown(refid, "process", processes);
      return Optional.empty();
    }
    Optional<LegacyElement> jvmProcess = definition.child("jvmProcess");
    if (jvmProcess.isPresent()) {
      jvmProcess.get().accept("class");
      return Optional.of(new Found(refid.text(), jvm(jvmProcess.get(), true)));
    }
    draft
        .losses()
        .report(
            reference.place(),
            "what the job runs is no jvmProcess, and a job starts JVMs alone",
            "name a jvmProcess, or put what is behind the job into an element of its own");
    return Optional.empty();
  }

  private JvmDraft jvm(LegacyElement jvmProcess, boolean isElsewhere) {
    return oldJvms.ofProcess(jvmProcess, isElsewhere, base(jvmProcess, List.of()));
  }

  /** Returns the JVM that this one extends, if any. */
  private Optional<LegacyElement> base(LegacyElement jvmProcess, List<LegacyElement> users) {
    return jvmProcess
        .child("extendedJvm")
        .flatMap(
            extended -> {
              Value refid = required(extended, "refid");
              Optional<LegacyElement> found =
                  Optional.ofNullable(definition(refid))
                      .flatMap(definition -> definition.child("jvmProcess"));
              if (found.isEmpty() || users.contains(found.get())) {
                unknown(refid, "jvmProcess", processes);
                return Optional.empty();
              }
              found.get().accept("class");
              return found;
            });
  }
}
