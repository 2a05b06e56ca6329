package org.troupe.descriptors.read;

import static org.troupe.descriptors.text.QuotedText.plain;
import static org.troupe.descriptors.text.QuotedText.quote;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.troupe.descriptors.LocalJvms;
import org.troupe.descriptors.text.HostList;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.Element.Value;
import org.troupe.descriptors.xml.ProblemCollector;

/** Checks, without a connection, the attributes that concern other machines. */
final class MachineChecks {

  private final Map<String, Element> infrastructure;
  private final ProblemCollector problems;
  private final Set<String> reportedJvms = new HashSet<>();

  private MachineChecks(Map<String, Element> infrastructure, ProblemCollector problems) {
    this.infrastructure = infrastructure;
    this.problems = problems;
  }

  /**
   * Reports problems.
   *
   * @param written the document with its faulty values, which do not count as missing
   */
  static void check(
      Element written,
      Element root,
      Map<String, Element> infrastructure,
      ProblemCollector problems) {
    MachineChecks machines = new MachineChecks(infrastructure, problems);
    Iterator<Element> elements = root.entries("infrastructure").iterator();
    written.entries("infrastructure").forEach(each -> machines.check(each, elements.next()));
  }

  private void check(Element written, Element element) {
    switch (element.name()) {
      case "ssh" -> {
        checkHosts(element);
        checkJavaHome(element);
      }
      case "slurm", "pbs", "oar", "flux", "htcondor", "lsf" -> checkJob(element);
      case "gridEngine" -> {
        checkJob(element);
        checkSpread(written, element, "parallelEnvironment", "name one that 'qconf -spl' lists");
      }
      case "drmaa" -> {
        checkJob(element);
        checkSpread(written, element, "nodesOption", "write one such as '-l nodes=%d'");
      }
      case "kubernetes" -> {
        checkMounts(written, element);
        checkJavaHome(element);
      }
      case "local", "login", "cluster", "jvm" -> {} // they need nothing of another machine
      default -> throw new AssertionError("no checks for an element '" + element.name() + "'");
    }
  }

  /** Reports mounts that do not name one origin, and paths that several mounts share. */
  private void checkMounts(Element written, Element pods) {
    Set<String> paths = new HashSet<>();
    for (Element mount : written.children("mount")) {
      boolean hasHost = mount.attribute("host").isPresent();
      if (hasHost == mount.attribute("claim").isPresent()) {
        problems.error(
            mount.place(),
            hasHost
                ? "'mount' has both 'host' and 'claim'"
                : "'mount' has neither 'host' nor 'claim'",
            "name a path of the cluster's machines as host, or a persistent volume claim as claim");
      }
    }
    for (Element mount : pods.children("mount")) {
      mount
          .attribute("path")
          .filter(path -> !paths.add(path.text()))
          .ifPresent(
              path ->
                  problems.error(
                      path.place(),
                      "two mounts have the path " + quote(path.text()),
                      "give this one another path"));
    }
  }

  private void checkHosts(Element ssh) {
    Value written = ssh.attribute("hosts").orElse(null);
    if (written == null) {
      return;
    }
    List<String> hosts;
    try {
      hosts = HostList.expand(written.text());
    } catch (HostList.InvalidList e) {
      problems.error(written.place(), String.valueOf(e.getMessage()), e.remedy());
      return;
    }
    Set<String> seen = new HashSet<>();
    Set<String> twice = new HashSet<>();
    for (String host : hosts) {
      if (!seen.add(host) && twice.add(host)) {
        problems.error(
            written.place(),
            "host " + quote(host) + " is in the list more than once",
            "name it once, and raise 'jvms' if more than one JVM is meant");
      }
    }
    checkTotal(ssh, hosts.size() + " hosts", hosts.size(), "jvms");
  }

  private void checkJob(Element job) {
    int nodes = number(job, "nodes");
    checkTotal(job, nodes + " machines", nodes, "jvmsPerNode");
    checkJavaHome(job);
  }

  private void checkTotal(Element element, String machines, int number, String attribute) {
    int jvms = number(element, attribute);
    if ((long) number * jvms > LocalJvms.MOST_JVMS) {
      problems.error(
          element.attribute(attribute).map(Value::place).orElse(element.place()),
          machines + " with " + jvms + " JVMs each are more than " + LocalJvms.MOST_JVMS + " JVMs",
          "ask for fewer, or spread them over several elements");
    }
  }

  private void checkSpread(Element written, Element job, String attribute, String remedy) {
    if (number(job, "nodes") > 1 && written.attribute(attribute).isEmpty()) {
      problems.error(
          job.attribute("nodes").orElseThrow().place(),
          "more than one machine needs the attribute '" + attribute + "'",
          remedy);
    }
  }

  /**
   * Reports a relative javaHome for other machines, since the descriptor's folder is on this one.
   */
  private void checkJavaHome(Element user) {
    Element jvm = user.attribute("jvm").map(v -> infrastructure.get(v.text())).orElse(null);
    if (jvm == null || !jvm.name().equals("jvm")) {
      return;
    }
    Optional<Value> javaHome = jvm.attribute("javaHome");
    if (javaHome.isEmpty() || javaHome.get().text().startsWith("/")) {
      return;
    }
    String id = jvm.attribute("id").map(Value::text).orElse("");
    if (reportedJvms.add(id)) {
      problems.error(
          javaHome.get().place(),
          "attribute 'javaHome' is "
              + quote(javaHome.get().text())
              + ", which does not say where that is on the machines of '"
              + plain(user.attribute("id").map(Value::text).orElse(user.name()))
              + "'",
          "write the whole path on those machines, from '/', or leave it out");
    }
  }

  private static int number(Element element, String attribute) {
    return element.attribute(attribute).map(v -> Integer.parseInt(v.text())).orElse(1);
  }
}
