package org.troupe.descriptors.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.troupe.descriptors.convert.DescriptorDraft.Gateway;
import org.troupe.descriptors.convert.DescriptorDraft.Part;

/** A job for a batch system in a legacy descriptor. */
final class LegacyJob {

  private static final Pattern NODES = Pattern.compile("/?nodes?=(\\d+),?");

  private final String kind;
  private final List<Gateway> gateways;
  final List<String> options = new ArrayList<>();
  Optional<String> nodes = Optional.empty();
  Optional<String> perNode = Optional.empty();
  Optional<String> time = Optional.empty();
  Optional<String> queue = Optional.empty();
  Optional<String> parallelEnvironment = Optional.empty();
  Optional<String> directory = Optional.empty();
  private String below = ""; // what OAR is asked for on each machine

  /**
   * @param kind the name of the old element
   * @param gateways the gateways to its front end
   */
  LegacyJob(String kind, List<Gateway> gateways) {
    this.kind = kind;
    this.gateways = gateways;
  }

  /**
   * Reads a request for OAR resources, such as {@code nodes=4,weight=2} or {@code /nodes=4/core=1}.
   */
  void resources(String text) {
    Matcher matcher = NODES.matcher(text);
    if (matcher.find()) {
      levels(Optional.of(matcher.group(1)), matcher.replaceFirst(""));
    } else {
      levels(nodes, text);
    }
  }

  /**
   * Reads a request for OAR resources in levels.
   *
   * @param machines the number of machines; empty if only the lower levels are counted
   * @param below the request for each machine, such as {@code /cpu=2/core=1}
   */
  void levels(Optional<String> machines, String below) {
    nodes = machines;
    this.below = below.strip();
  }

  private boolean isWide() {
    return nodes.filter(n -> !n.equals("1")).isPresent();
  }

  /** Adds the element, and returns its id. */
  String add(LegacyElement old, DescriptorDraft draft, String name, Optional<String> jvm) {
    String system = kind.toLowerCase(Locale.ROOT);
    if (system.startsWith("pbs")) {
      return add("pbs", new Part(""), draft, name, jvm);
    }
    if (system.startsWith("gridengine") || system.startsWith("sge")) {
      if (parallelEnvironment.isEmpty() && isWide()) {
        old.report(
            "several machines need a parallel environment, so 'mpi' is taken",
            "name one that 'qconf -spl' lists");
        parallelEnvironment = Optional.of("mpi");
      }
      Part own = new Part("").with("parallelEnvironment", parallelEnvironment);
      return add("gridEngine", own, draft, name, jvm);
    }
    if (system.startsWith("oar")) {
      if (!below.isEmpty()) {
        old.report(
            "the request '" + below + "' for each machine is left out",
            "ask for cores by cpus, or write the whole request as two <option>s, '-l' and its text,"
                + " with skip=\"-l\"");
      }
      return add("oar", new Part(""), draft, name, jvm);
    }
    // LSF takes one -R alone, so that of the old descriptor replaces our own.
    Optional<String> skip = options.contains("-R") ? Optional.of("span") : Optional.empty();
    return add("lsf", new Part("").with("skip", skip), draft, name, jvm);
  }

  private String add(
      String element, Part own, DescriptorDraft draft, String name, Optional<String> jvm) {
    String id = draft.id(name);
    Part job =
        new Part(element)
            .with("id", id)
            .with("via", draft.login(gateways))
            .withNumber("nodes", nodes)
            .withNumber("jvmsPerNode", perNode)
            .with("wallTime", time)
            .with("queue", queue)
            .with(own)
            .with("jvm", jvm)
            .with("workingDirectory", directory);
    options.forEach(job::option);
    draft.add(job);
    return id;
  }
}
