package org.troupe.descriptors.xml;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.troupe.descriptors.text.ValueType;

/**
 * The schema of an element, in the form that the checks of this package need for messages better
 * than a validator's. A test compares it with the XML schema.
 *
 * @param occurs the number of its occurrences in its parent
 * @param text the type of its text; empty for an element of elements
 * @param entry an example of a child that it must have at least once; empty if there is none
 */
public record ElementSchema(
    String name,
    Occurs occurs,
    List<Rule> attributes,
    List<ElementSchema> children,
    Optional<ValueType> text,
    Optional<String> entry) {

  /**
   * The number of occurrences; an element that a descriptor has once may be in an included file.
   */
  enum Occurs {
    ONCE,
    AT_MOST_ONCE,
    ANY_NUMBER
  }

  /** An attribute. */
  public record Rule(String name, ValueType type, boolean isRequired) {}

  /**
   * Attributes of the batch systems with commands; DRMAA has no equivalents and takes them as
   * options.
   */
  private static final List<Rule> SUBMITTED =
      List.of(
          optional("via", ValueType.NAME),
          optional("cpus", ValueType.COUNT),
          optional("memory", ValueType.MEMORY),
          optional("queue", ValueType.WORD),
          optional("account", ValueType.WORD),
          optional("skip", ValueType.OPTION_NAMES));

  public static final ElementSchema TROUPE =
      new ElementSchema(
          "troupe",
          Occurs.ONCE,
          List.of(),
          List.of(
              entry("include", required("file", ValueType.FILE)),
              part(
                  "variables",
                  Occurs.AT_MOST_ONCE,
                  Optional.empty(),
                  entry(
                      "variable",
                      required("name", ValueType.VARIABLE_NAME),
                      optional("environment", ValueType.ENVIRONMENT_NAME),
                      optional("default", ValueType.TEXT),
                      optional("required", ValueType.FLAG))),
              part(
                  "virtualNodes",
                  Occurs.ONCE,
                  Optional.of("<virtualNode name=\"workers\"/>"),
                  entry("virtualNode", required("name", ValueType.NAME))),
              part(
                  "mapping",
                  Occurs.ONCE,
                  Optional.of("<map virtualNode=\"workers\" to=\"here\"/>"),
                  entry(
                      "map",
                      required("virtualNode", ValueType.NAME),
                      required("to", ValueType.NAME))),
              part(
                  "infrastructure",
                  Occurs.ONCE,
                  Optional.of("<local id=\"here\" jvms=\"2\"/>"),
                  entry(
                      "login",
                      required("id", ValueType.NAME),
                      required("host", ValueType.HOST),
                      optional("port", ValueType.PORT),
                      optional("user", ValueType.WORD),
                      optional("identity", ValueType.PATH),
                      optional("hostKeys", ValueType.HOST_KEYS),
                      optional("via", ValueType.NAMES)),
                  entry(
                      "cluster",
                      required("id", ValueType.NAME),
                      optional("networks", ValueType.NETWORKS),
                      optional("reachable", ValueType.FLAG),
                      optional("trusted", ValueType.FLAG)),
                  entry(
                          "jvm",
                          required("id", ValueType.NAME),
                          optional("javaHome", ValueType.PATH),
                          optional("sharedFiles", ValueType.FLAG))
                      .holding(
                          text("option", ValueType.OPTION),
                          text("classPath", ValueType.PATH),
                          entry(
                              "environment",
                              required("name", ValueType.ENVIRONMENT_NAME),
                              required("value", ValueType.TEXT)),
                          entry(
                              "property",
                              required("name", ValueType.PROPERTY_NAME),
                              required("value", ValueType.TEXT))),
                  entry(
                      "local",
                      required("id", ValueType.NAME),
                      optional("jvms", ValueType.COUNT),
                      optional("jvm", ValueType.NAME),
                      optional("cluster", ValueType.NAME),
                      optional("workingDirectory", ValueType.PATH)),
                  entry(
                      "ssh",
                      required("id", ValueType.NAME),
                      required("hosts", ValueType.HOSTS),
                      optional("jvms", ValueType.COUNT),
                      optional("port", ValueType.PORT),
                      optional("user", ValueType.WORD),
                      optional("identity", ValueType.PATH),
                      optional("hostKeys", ValueType.HOST_KEYS),
                      optional("via", ValueType.NAMES),
                      optional("jvm", ValueType.NAME),
                      optional("cluster", ValueType.NAME),
                      optional("workingDirectory", ValueType.REMOTE_PATH)),
                  batch("slurm", SUBMITTED),
                  batch("pbs", SUBMITTED),
                  batch("gridEngine", SUBMITTED, optional("parallelEnvironment", ValueType.WORD)),
                  batch("oar", SUBMITTED),
                  batch("flux", SUBMITTED),
                  batch("htcondor", SUBMITTED),
                  batch("lsf", SUBMITTED),
                  batch(
                      "drmaa",
                      List.of(),
                      optional("library", ValueType.PATH),
                      optional("nodesOption", ValueType.NODES_OPTION)),
                  entry(
                          "kubernetes",
                          required("id", ValueType.NAME),
                          required("image", ValueType.WORD),
                          optional("pods", ValueType.COUNT),
                          optional("via", ValueType.NAME),
                          optional("context", ValueType.WORD),
                          optional("namespace", ValueType.WORD),
                          optional("nodeSelector", ValueType.LABELS),
                          optional("cpus", ValueType.COUNT),
                          optional("memory", ValueType.MEMORY),
                          optional("wallTime", ValueType.TIME),
                          optional("patch", ValueType.PATH),
                          optional("jvm", ValueType.NAME),
                          optional("cluster", ValueType.NAME),
                          optional("workingDirectory", ValueType.REMOTE_PATH))
                      .holding(
                          entry(
                              "mount",
                              required("path", ValueType.ABSOLUTE_PATH),
                              optional("host", ValueType.ABSOLUTE_PATH),
                              optional("claim", ValueType.WORD),
                              optional("readOnly", ValueType.FLAG))))),
          Optional.empty(),
          Optional.empty());

  private static ElementSchema batch(String name, List<Rule> submitted, Rule... own) {
    List<Rule> all =
        List.of(
            required("id", ValueType.NAME),
            optional("nodes", ValueType.COUNT),
            optional("jvmsPerNode", ValueType.COUNT),
            optional("wallTime", ValueType.TIME),
            optional("jvm", ValueType.NAME),
            optional("cluster", ValueType.NAME),
            optional("workingDirectory", ValueType.REMOTE_PATH));
    return entry(
            name,
            Stream.of(all, submitted, List.of(own)).flatMap(List::stream).toArray(Rule[]::new))
        .holding(text("option", ValueType.ARGUMENT), text("prologue", ValueType.COMMANDS));
  }

  private static ElementSchema part(
      String name, Occurs occurs, Optional<String> example, ElementSchema... entries) {
    return new ElementSchema(name, occurs, List.of(), List.of(entries), Optional.empty(), example);
  }

  private static ElementSchema entry(String name, Rule... attributes) {
    return new ElementSchema(
        name,
        Occurs.ANY_NUMBER,
        List.of(attributes),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static ElementSchema text(String name, ValueType type) {
    return new ElementSchema(
        name, Occurs.ANY_NUMBER, List.of(), List.of(), Optional.of(type), Optional.empty());
  }

  private static Rule required(String name, ValueType type) {
    return new Rule(name, type, true);
  }

  private static Rule optional(String name, ValueType type) {
    return new Rule(name, type, false);
  }

  private ElementSchema holding(ElementSchema... children) {
    return new ElementSchema(name, occurs, attributes, Arrays.asList(children), text, entry);
  }

  /** Returns the child of that name. */
  Optional<ElementSchema> child(String name) {
    return children.stream().filter(child -> child.name.equals(name)).findFirst();
  }

  /** Returns the attribute of that name. */
  Optional<Rule> attribute(String name) {
    return attributes.stream().filter(rule -> rule.name.equals(name)).findFirst();
  }

  List<String> childNames() {
    return children.stream().map(ElementSchema::name).toList();
  }

  List<String> attributeNames() {
    return attributes.stream().map(Rule::name).toList();
  }
}
