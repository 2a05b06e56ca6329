package org.troupe.descriptors;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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

  /** How often. */
  enum Occurs {
    ONCE,
    AT_MOST_ONCE,
    ANY_NUMBER
  }

  /** An attribute. */
  record Rule(String name, Type type, boolean isRequired) {}

  static final Shape TROUPE =
      new Shape(
          "troupe",
          Occurs.ONCE,
          List.of(),
          List.of(
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
                  entry("jvm", required("id", Type.NAME), optional("javaHome", Type.PATH))
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
                      optional("jvms", Type.JVMS),
                      optional("jvm", Type.NAME),
                      optional("workingDirectory", Type.PATH)))),
          Optional.empty(),
          Optional.empty());

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
