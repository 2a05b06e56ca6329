package org.troupe.descriptors;

import static org.troupe.descriptors.Quote.plain;
import static org.troupe.descriptors.Quote.quote;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.troupe.descriptors.Element.Value;

/** Checks that every name is given once and leads somewhere. */
final class References {

  private final Element root;
  private final Problems problems;
  private final Map<String, Element> virtualNodes;
  private final Map<String, Element> infrastructure;

  private References(Element root, Problems problems) {
    this.root = root;
    this.problems = problems;
    this.virtualNodes =
        declared(root.entries("virtualNodes"), "name", name -> "virtual node " + quote(name));
    this.infrastructure =
        declared(root.entries("infrastructure"), "id", name -> "id " + quote(name));
  }

  /** Reports problems of the whole document. */
  static void check(Element root, Problems problems) {
    References references = new References(root, problems);
    references.checkMapping();
    references.checkJvms();
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
                          + " is declared already, in line "
                          + before.place().line(),
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
                + " already, in line "
                + before.place().line(),
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
          Spelling.choice(
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
          Spelling.choice(
              to.text(), startingJvms(), "add <local id=\"" + plain(to.text()) + "\"/>"));
    } else if (isJvm(target)) {
      problems.error(
          to.place(),
          node
              + " is mapped to "
              + quote(to.text())
              + ", a 'jvm', which says how to start JVMs, not where",
          Spelling.choice(
              to.text(),
              startingJvms(),
              "add <local id=\"here\" jvm=\"" + plain(to.text()) + "\"/>, and name that"));
    }
  }

  /** A misspelt mapping has been reported, and is probably the one that is missing here. */
  private void reportUnmapped(Set<String> mapped) {
    Set<String> misspelt = new HashSet<>();
    mapped.stream()
        .filter(name -> !virtualNodes.containsKey(name))
        .forEach(name -> Spelling.closest(name, virtualNodes.keySet()).ifPresent(misspelt::add));
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
          if (!isJvm(element) && !mappedTo.contains(id)) {
            problems.warning(
                element.place(),
                "no virtual node is mapped to " + quote(id) + ", so it will not be started",
                "map one to it, or remove it");
          }
        });
  }

  private void checkJvms() {
    Set<String> used = new HashSet<>();
    for (Element element : root.entries("infrastructure")) {
      element.attribute("jvm").ifPresent(jvm -> checkJvm(element, jvm, used));
      declared(
          element.children("environment"), "name", name -> "environment variable " + quote(name));
      declared(element.children("property"), "name", name -> "system property " + quote(name));
    }
    infrastructure.forEach(
        (id, element) -> {
          if (isJvm(element) && !used.contains(id)) {
            problems.warning(
                element.place(),
                "jvm " + quote(id) + " is used by nothing",
                "name it with jvm=\"" + plain(id) + "\", or remove it");
          }
        });
  }

  private void checkJvm(Element user, Value jvm, Set<String> used) {
    used.add(jvm.text());
    Element named = infrastructure.get(jvm.text());
    if (named != null && isJvm(named)) {
      return;
    }
    problems.error(
        jvm.place(),
        quote(user.attribute("id").map(Value::text).orElse(user.name()))
            + " names jvm "
            + quote(jvm.text())
            + (named == null
                ? ", which is not declared"
                : ", which is a '" + named.name() + "', not a 'jvm'"),
        Spelling.choice(
            jvm.text(),
            ids(References::isJvm),
            "declare it: <jvm id=\"" + plain(jvm.text()) + "\"/>"));
  }

  private List<String> startingJvms() {
    return ids(element -> !isJvm(element));
  }

  private List<String> ids(Predicate<Element> which) {
    return infrastructure.entrySet().stream()
        .filter(entry -> which.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isJvm(Element element) {
    return element.name().equals("jvm");
  }
}
