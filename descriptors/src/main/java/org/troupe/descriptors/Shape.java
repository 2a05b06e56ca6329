package org.troupe.descriptors;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an element may hold: the schema, in the form that our own checks need for messages better
 * than a validator's. A test holds the two together.
 *
 * @param occurs how often it stands in its parent
 * @param text the type of its text; empty for an element of elements
 * @param entry an example of what it holds at least one of; empty if it may be empty
 */
record Shape(
    String name,
    Occurs occurs,
    List<Rule> attributes,
    List<Shape> children,
    Optional<Type> text,
    Optional<String> entry) {

  /** How often; what stands once in a descriptor may stand in a file that it includes. */
  enum Occurs {
    ONCE,
    AT_MOST_ONCE,
    ANY_NUMBER
  }

  /** An attribute. */
  record Rule(String name, Type type, boolean isRequired) {}

  /** DRMAA knows no words for these; there they are options. */
  private static final List<Rule> SUBMITTED =
      List.of(
          optional("via", Type.NAME),
          optional("cpus", Type.COUNT),
          optional("memory", Type.MEMORY),
          optional("queue", Type.WORD),
          optional("account", Type.WORD));

  static final Shape TROUPE =
      new Shape(
          "troupe",
          Occurs.ONCE,
          List.of(),
          List.of(
              entry("include", required("file", Type.FILE)),
              part(
                  "variables",
                  Occurs.AT_MOST_ONCE,
                  Optional.empty(),
                  entry(
                      "variable",
                      required("name", Type.VARIABLE_NAME),
                      optional("environment", Type.ENVIRONMENT_NAME),
                      optional("default", Type.TEXT),
                      optional("required", Type.FLAG))),
              part(
                  "virtualNodes",
                  Occurs.ONCE,
                  Optional.of("<virtualNode name=\"workers\"/>"),
                  entry("virtualNode", required("name", Type.NAME))),
              part(
                  "mapping",
                  Occurs.ONCE,
                  Optional.of("<map virtualNode=\"workers\" to=\"here\"/>"),
                  entry("map", required("virtualNode", Type.NAME), required("to", Type.NAME))),
              part(
                  "infrastructure",
                  Occurs.ONCE,
                  Optional.of("<local id=\"here\" jvms=\"2\"/>"),
                  entry(
                      "login",
                      required("id", Type.NAME),
                      required("host", Type.HOST),
                      optional("port", Type.PORT),
                      optional("user", Type.WORD),
                      optional("identity", Type.PATH),
                      optional("hostKeys", Type.HOST_KEYS),
                      optional("via", Type.NAMES)),
                  entry(
                      "cluster",
                      required("id", Type.NAME),
                      optional("networks", Type.NETWORKS),
                      optional("reachable", Type.FLAG),
                      optional("trusted", Type.FLAG)),
                  entry(
                          "jvm",
                          required("id", Type.NAME),
                          optional("javaHome", Type.PATH),
                          optional("sharedFiles", Type.FLAG))
                      .holding(
                          text("option", Type.OPTION),
                          text("classPath", Type.PATH),
                          entry(
                              "environment",
                              required("name", Type.ENVIRONMENT_NAME),
                              required("value", Type.TEXT)),
                          entry(
                              "property",
                              required("name", Type.PROPERTY_NAME),
                              required("value", Type.TEXT))),
                  entry(
                      "local",
                      required("id", Type.NAME),
                      optional("jvms", Type.COUNT),
                      optional("jvm", Type.NAME),
                      optional("cluster", Type.NAME),
                      optional("workingDirectory", Type.PATH)),
                  entry(
                      "ssh",
                      required("id", Type.NAME),
                      required("hosts", Type.HOSTS),
                      optional("jvms", Type.COUNT),
                      optional("port", Type.PORT),
                      optional("user", Type.WORD),
                      optional("identity", Type.PATH),
                      optional("hostKeys", Type.HOST_KEYS),
                      optional("via", Type.NAMES),
                      optional("jvm", Type.NAME),
                      optional("cluster", Type.NAME),
                      optional("workingDirectory", Type.REMOTE_PATH)),
                  batch("slurm", SUBMITTED),
                  batch("pbs", SUBMITTED),
                  batch("gridEngine", SUBMITTED, optional("parallelEnvironment", Type.WORD)),
                  batch(
                      "drmaa",
                      List.of(),
                      optional("library", Type.PATH),
                      optional("nodesOption", Type.NODES_OPTION)))),
          Optional.empty(),
          Optional.empty());

  private static Shape batch(String name, List<Rule> submitted, Rule... own) {
    List<Rule> all =
        List.of(
            required("id", Type.NAME),
            optional("nodes", Type.COUNT),
            optional("jvmsPerNode", Type.COUNT),
            optional("wallTime", Type.TIME),
            optional("jvm", Type.NAME),
            optional("cluster", Type.NAME),
            optional("workingDirectory", Type.REMOTE_PATH));
    return entry(
            name,
            Stream.of(all, submitted, List.of(own)).flatMap(List::stream).toArray(Rule[]::new))
        .holding(text("option", Type.ARGUMENT));
  }

  private static Shape part(
      String name, Occurs occurs, Optional<String> example, Shape... entries) {
    return new Shape(name, occurs, List.of(), List.of(entries), Optional.empty(), example);
  }

  private static Shape entry(String name, Rule... attributes) {
    return new Shape(
        name,
        Occurs.ANY_NUMBER,
        List.of(attributes),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static Shape text(String name, Type type) {
    return new Shape(
        name, Occurs.ANY_NUMBER, List.of(), List.of(), Optional.of(type), Optional.empty());
  }

  private static Rule required(String name, Type type) {
    return new Rule(name, type, true);
  }

  private static Rule optional(String name, Type type) {
    return new Rule(name, type, false);
  }

  private Shape holding(Shape... children) {
    return new Shape(name, occurs, attributes, Arrays.asList(children), text, entry);
  }

  /** Returns the child of that name. */
  Optional<Shape> child(String name) {
    return children.stream().filter(child -> child.name.equals(name)).findFirst();
  }

  /** Returns the attribute of that name. */
  Optional<Rule> attribute(String name) {
    return attributes.stream().filter(rule -> rule.name.equals(name)).findFirst();
  }

  List<String> childNames() {
    return children.stream().map(Shape::name).toList();
  }

  List<String> attributeNames() {
    return attributes.stream().map(Rule::name).toList();
  }
}
