package org.troupe.descriptors.convert;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.Element.Value;

/**
 * Parts of a legacy descriptor that were not converted: reported losses, and elements never read.
 * Confined to one conversion.
 */
final class ConversionLosses {

  /** The remedy for a loss, by the name of the element or attribute. */
  private static final Map<String, String> REMEDIES =
      Map.ofEntries(
          entry("acquisition", "let this descriptor start it: <local>, <ssh>, ..."),
          entry("applicationPolicy", "Java has no security manager any more; leave it out"),
          entry("bookedNodesAccess", "the batch system starts all JVMs of a job itself"),
          entry("closeStream", "what nodes print always comes to the program that deploys"),
          entry("commandOptions", "put options of ssh into ~/.ssh/config"),
          entry("commandPath", "ssh is built in, and commands are found on the PATH"),
          entry("copyProtocol", "classPath entries are copied over ssh"),
          entry("debug", "add an <option> such as -agentlib:jdwp=... to the jvm"),
          entry("executable", "start programs that are not Java from your program"),
          entry("fileTransferDefinitions", "classPath entries are copied; copy data yourself"),
          entry("fileTransferDeploy", "classPath entries are copied; copy data yourself"),
          entry("fileTransferRetrieve", "let your program send results home"),
          entry("ftServiceId", "let your program take checkpoints"),
          entry("homeDirectory", "the home directory is the one that ssh finds"),
          entry("hostlist", "the batch system chooses the machines; an <option> may restrict it"),
          entry("includePropertyFile", "copy its values into <variables>"),
          entry("includeXMLFile", "convert it too, and <include> the result"),
          entry("interactive", "jobs are never interactive"),
          entry("internal_ip", "name the network in a <cluster networks=\"...\">"),
          entry("jobName", "jobs are named by Troupe"),
          entry("jobname", "jobs are named by Troupe"),
          entry("log4jProperties", "Troupe logs through System.Logger; configure that"),
          entry("log4jpropertiesFile", "Troupe logs through System.Logger; configure that"),
          entry("lookup", "deploy the nodes with this descriptor instead"),
          entry("mainDefinition", "start the class with ./troupe run --main CLASS"),
          entry("minNodeNumber", "wait in the program: grid.nodes(name).await(atLeast(n), ...)"),
          entry("os", "machines are taken to be Unix"),
          entry("outputFile", "what nodes print comes to the program that deploys"),
          entry("policyFile", "Java has no security manager any more; leave it out"),
          entry("ProActiveUserPropertiesFile", "Troupe has no such properties"),
          entry("proactiveClasspath", "Troupe brings its own jars"),
          entry("proactiveSecurity", "nodes of one deployment trust each other and no one else"),
          entry("property", "the mapping alone says how many nodes there are"),
          entry("register", "pass references to other programs yourself"),
          entry("scratch", "name a workingDirectory"),
          entry("scriptPath", "Troupe writes the job's script itself"),
          entry("security", "nodes of one deployment trust each other and no one else"),
          entry("services", "deploy the nodes with this descriptor instead"),
          entry("stderr", "what nodes print comes to the program that deploys"),
          entry("stdout", "what nodes print comes to the program that deploys"),
          entry("technicalServiceId", "do its work in the program"),
          entry("technicalServices", "do its work in the program"),
          entry("timeout", "give a time in the program: grid.nodes(name).await(all(), time)"),
          entry("userProperties", "Troupe has no such properties"),
          entry("virtualNodesAcquisition", "deploy the nodes with this descriptor instead"),
          entry(
              "waitForTimeout", "give a time in the program: grid.nodes(name).await(all(), time)"));

  private static final String NOTHING_KNOWN = "see docs/descriptor.md for what there is";

  private final List<SourceProblem> losses = new ArrayList<>();
  private final Set<Object> used = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Marks an element or value as converted, or as reported. */
  void use(Object elementOrValue) {
    used.add(elementOrValue);
  }

  void report(SourcePosition place, String what, String remedy) {
    losses.add(new SourceProblem(place, what, remedy));
  }

  /** Adds each part that no reader has used; a lost element stands for its whole content. */
  void reportUnused(Element element) {
    element
        .attributes()
        .forEach(
            (name, value) -> {
              if (!used.contains(value)) {
                reportUnused(
                    value,
                    "attribute '" + name + "' of '" + element.name() + "'",
                    REMEDIES.get(name));
              }
            });
    for (Element child : element.children()) {
      if (used.contains(child)) {
        reportUnused(child);
      } else {
        report(
            child.place(),
            "element '" + child.name() + "' has no counterpart",
            REMEDIES.getOrDefault(child.name(), NOTHING_KNOWN));
      }
    }
  }

  private void reportUnused(Value value, String what, @Nullable String remedy) {
    report(value.place(), what + " has no counterpart", remedy == null ? NOTHING_KNOWN : remedy);
  }

  List<SourceProblem> all() {
    return losses.stream().distinct().sorted(SourceProblem.FROM_THE_TOP).toList();
  }
}
