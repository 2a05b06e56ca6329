package org.troupe.descriptors.read;

import static org.troupe.descriptors.text.QuotedText.plain;
import static org.troupe.descriptors.text.QuotedText.quote;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.Element.Value;
import org.troupe.descriptors.xml.ProblemCollector;

/** Checks that every name is unique and refers to a declared element. */
final class ReferenceChecks {

  /** The elements that others name but that start no JVMs, each with an explanation. */
  private static final Map<String, String> HELPERS =
      Map.of(
          "jvm", "says how to start JVMs, not where",
          "login", "says how to reach a machine, not how many JVMs to start there",
          "cluster", "says what nodes have in common, not where they are");

  /** The kind of element that an attribute names. */
  private static final Map<String, String> KINDS =
      Map.of("jvm", "jvm", "cluster", "cluster", "via", "login");

  private final Element root;
  private final ProblemCollector problems;
  private final Map<String, Element> virtualNodes;
  private final Map<String, Element> infrastructure;

  private ReferenceChecks(Element root, ProblemCollector problems) {
    this.root = root;
    this.problems = problems;
    this.virtualNodes =
        declared(root.entries("virtualNodes"), "name", name -> "virtual node " + quote(name));
    this.infrastructure =
        declared(root.entries("infrastructure"), "id", name -> "id " + quote(name));
  }

  /**
   * Reports problems of the whole document.
   *
   * @param written the document with its faulty values
   */
  static void check(Element written, Element root, ProblemCollector problems) {
    ReferenceChecks references = new ReferenceChecks(root, problems);
    references.checkMapping();
    references.checkHelpers();
    references.checkSettings();
    references.checkGateways();
    MachineChecks.check(written, root, references.infrastructure, problems);
  }

  private Map<String, Element> declared(
      List<Element> elements, String key, Function<String, String> spoken) {
    Map<String, Element> declared = new LinkedHashMap<>();
    for (Element element : elements) {
      element
          .attribute(key)
          .ifPresent(
              name -> {
                Element before = declared.putIfAbsent(name.text(), element);
                if (before != null) {
                  problems.error(
                      name.place(),
                      spoken.apply(name.text())
                          + " is declared already, "
                          + before.place().from(name.place()),
                      "give this one another name");
                }
              });
    }
    return declared;
  }

  private void checkMapping() {
    record Pair(String virtualNode, String to) {}

    Map<Pair, Element> pairs = new LinkedHashMap<>();
    Set<String> mapped = new HashSet<>();
    Set<String> mappedTo = new HashSet<>();
    List<Element> maps = root.entries("mapping");
    for (Element map : maps) {
      map.attribute("virtualNode").ifPresent(node -> checkVirtualNode(node, mapped));
      map.attribute("to").ifPresent(to -> checkTarget(map, to, mappedTo));
      if (map.attributes().size() < 2) {
        continue;
      }
      Pair pair =
          new Pair(map.attribute("virtualNode").get().text(), map.attribute("to").get().text());
      Element before = pairs.putIfAbsent(pair, map);
      if (before != null) {
        problems.error(
            map.place(),
            "virtual node "
                + quote(pair.virtualNode)
                + " is mapped to "
                + quote(pair.to)
                + " already, "
                + before.place().from(map.place()),
            "remove one of them");
      }
    }
    if (!maps.isEmpty()) {
      reportUnmapped(mapped);
      warnOfIdle(mappedTo);
    }
  }

  private void checkVirtualNode(Value node, Set<String> mapped) {
    mapped.add(node.text());
    if (!virtualNodes.containsKey(node.text())) {
      problems.error(
          node.place(),
          "virtual node " + quote(node.text()) + " is mapped, but not declared",
          SpellingHints.choice(
              node.text(),
              virtualNodes.keySet(),
              "declare it: <virtualNode name=\"" + plain(node.text()) + "\"/>"));
    }
  }

  private void checkTarget(Element map, Value to, Set<String> mappedTo) {
    String node =
        map.attribute("virtualNode")
            .map(value -> "virtual node " + quote(value.text()))
            .orElse("a virtual node");
    mappedTo.add(to.text());
    Element target = infrastructure.get(to.text());
    if (target == null) {
      problems.error(
          to.place(),
          node + " is mapped to " + quote(to.text()) + ", which is not declared",
          SpellingHints.choice(
              to.text(), startingJvms(), "add <local id=\"" + plain(to.text()) + "\"/>"));
    } else if (isHelper(target)) {
      problems.error(
          to.place(),
          node
              + " is mapped to "
              + quote(to.text())
              + ", a '"
              + target.name()
              + "', which "
              + HELPERS.get(target.name()),
          SpellingHints.choice(
              to.text(), startingJvms(), "add <local id=\"here\" jvms=\"2\"/>, and name that"));
    }
  }

  /**
   * Reports virtual nodes without mapping, unless a misspelt mapping has been reported, which
   * probably is theirs.
   */
  private void reportUnmapped(Set<String> mapped) {
    Set<String> misspelt = new HashSet<>();
    mapped.stream()
        .filter(name -> !virtualNodes.containsKey(name))
        .forEach(
            name -> SpellingHints.closest(name, virtualNodes.keySet()).ifPresent(misspelt::add));
    virtualNodes.forEach(
        (name, element) -> {
          if (!mapped.contains(name) && !misspelt.contains(name)) {
            String to = startingJvms().stream().findFirst().orElse("...");
            problems.error(
                element.place(),
                "virtual node "
                    + quote(name)
                    + " is mapped to nothing, so it would never have a node",
                "add <map virtualNode=\"" + plain(name) + "\" to=\"" + plain(to) + "\"/>");
          }
        });
  }

  private void warnOfIdle(Set<String> mappedTo) {
    infrastructure.forEach(
        (id, element) -> {
          if (!isHelper(element) && !mappedTo.contains(id) && isOurs(element)) {
            problems.warning(
                element.place(),
                "no virtual node is mapped to " + quote(id) + ", so it will not be started",
                "map one to it, or remove it");
          }
        });
  }

  private void checkHelpers() {
    Set<String> used = new HashSet<>();
    for (Element user : root.entries("infrastructure")) {
      user.attributes()
          .forEach(
              (attribute, value) -> {
                if (KINDS.containsKey(attribute)) {
                  used.addAll(words(value));
                  words(value)
                      .forEach(name -> checkHelper(user, value, name, KINDS.get(attribute)));
                }
              });
    }
    infrastructure.forEach(
        (id, element) -> {
          if (isHelper(element) && !used.contains(id) && isOurs(element)) {
            String attribute = element.name().equals("login") ? "via" : element.name();
            problems.warning(
                element.place(),
                element.name() + " " + quote(id) + " is used by nothing",
                "name it with " + attribute + "=\"" + plain(id) + "\", or remove it");
          }
        });
  }

  private void checkHelper(Element user, Value value, String name, String kind) {
    Element named = infrastructure.get(name);
    if (named != null && named.name().equals(kind)) {
      return;
    }
    problems.error(
        value.place(),
        quote(user.attribute("id").map(Value::text).orElse(user.name()))
            + " names "
            + kind
            + " "
            + quote(name)
            + (named == null
                ? ", which is not declared"
                : ", which is " + kindOf(named) + ", not a '" + kind + "'"),
        SpellingHints.choice(
            name,
            ids(element -> element.name().equals(kind)),
            "declare it: <"
                + kind
                + " id=\""
                + plain(name)
                + (kind.equals("login") ? "\" host=\"...\"/>" : "\"/>")));
  }

  private void checkSettings() {
    for (Element jvm : root.entries("infrastructure")) {
      declared(jvm.children("environment"), "name", name -> "environment variable " + quote(name));
      declared(jvm.children("property"), "name", name -> "system property " + quote(name));
    }
  }

  /** Reports each wrong chain of gateways once, for all its users. */
  private void checkGateways() {
    Map<String, List<String>> named = new LinkedHashMap<>();
    infrastructure.forEach(
        (id, element) -> {
          if (element.name().equals("login")) {
            named.put(id, element.attribute("via").map(ReferenceChecks::words).orElse(List.of()));
          }
        });
    GatewayChains chains = new GatewayChains(named);
    Set<Set<String>> reported = new HashSet<>();
    Stream<String> loginsFirst =
        Stream.concat(named.keySet().stream(), infrastructure.keySet().stream()).distinct();
    loginsFirst.forEach(
        id ->
            Objects.requireNonNull(infrastructure.get(id), "each login is in the infrastructure")
                .attribute("via")
                .ifPresent(via -> checkGateways(chains, id, via, reported)));
  }

  private void checkGateways(
      GatewayChains chains, String id, Value via, Set<Set<String>> reported) {
    try {
      chains.of(id, words(via));
    } catch (GatewayChains.InvalidChain e) {
      if (reported.add(e.machines())) {
        problems.error(
            via.place(), String.valueOf(e.getMessage()), "name only machines that come before it");
      }
    }
  }

  /** Returns the names in a list of names. */
  static List<String> words(Value value) {
    return List.of(value.text().split("\\s+"));
  }

  /**
   * Returns whether an element is in the descriptor itself; an included file may declare unused
   * elements.
   */
  private boolean isOurs(Element element) {
    return element.place().file().equals(root.place().file());
  }

  private List<String> startingJvms() {
    return ids(element -> !isHelper(element));
  }

  private List<String> ids(Predicate<Element> which) {
    return infrastructure.entrySet().stream()
        .filter(entry -> which.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String kindOf(Element element) {
    return (element.name().equals("ssh") ? "an '" : "a '") + element.name() + "'";
  }

  private static boolean isHelper(Element element) {
    return HELPERS.containsKey(element.name());
  }
}
