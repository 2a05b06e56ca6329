package org.troupe.descriptors.convert;

import static java.util.stream.Collectors.joining;
import static org.troupe.descriptors.text.QuotedText.quote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.DescriptorSchema;
import org.troupe.descriptors.text.ValueType;
import org.troupe.descriptors.xml.Element.Value;
import org.troupe.descriptors.xml.ProblemCollector;

/** A descriptor under construction from legacy ones. Confined to one conversion. */
final class DescriptorDraft {

  private static final int WIDTH = 100;

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^{}$]*)\\}");

  /** The environment variables that replace system properties of the legacy launcher. */
  private static final Map<String, String> PROPERTIES =
      Map.of("user.home", "${env.HOME}", "user.name", "${env.USER}", "user.dir", "${env.PWD}");

  private static final Set<String> VARIABLES =
      Set.of(
          "descriptorVariable",
          "descriptorDefaultVariable",
          "programVariable",
          "programDefaultVariable",
          "javaPropertyVariable",
          "javaPropertyDescriptorDefault",
          "javaPropertyProgramDefault");

  /** An element under construction. */
  static final class Part {
    private final String name;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final List<Part> children = new ArrayList<>();
    private @Nullable String text;
    private @Nullable String comment;

    Part(String name) {
      this.name = name;
    }

    /** Copies the attributes of another part. */
    Part with(Part other) {
      attributes.putAll(other.attributes);
      return this;
    }

    Part with(String attribute, String value) {
      attributes.put(attribute, value);
      return this;
    }

    Part with(String attribute, Optional<String> value) {
      value.ifPresent(v -> attributes.put(attribute, v));
      return this;
    }

    Part option(String argument) {
      Part option = new Part("option");
      option.text = argument;
      children.add(option);
      return this;
    }

    /** Adds a number, unless it is the default. */
    Part withNumber(String attribute, Optional<String> value) {
      return with(attribute, value.filter(v -> !v.equals("1")));
    }

    Part comment(String words) {
      comment = words;
      return this;
    }
  }

  /** The settings of a JVM; equal settings become one element. */
  record JvmDraft(
      Optional<String> javaHome,
      List<String> options,
      List<String> classPath,
      Map<String, String> environment) {

    static final JvmDraft USUAL = new JvmDraft(Optional.empty(), List.of(), List.of(), Map.of());

    JvmDraft with(Map<String, String> more) {
      Map<String, String> all = new LinkedHashMap<>(environment);
      all.putAll(more);
      return new JvmDraft(javaHome, options, classPath, all);
    }
  }

  /** A gateway on the route to other machines. */
  record Gateway(String host, Optional<String> user, Optional<String> identity) {}

  private final List<Path> files;
  private final ConversionLosses losses;
  private final ProblemCollector problems;
  private final Map<String, Part> variables = new LinkedHashMap<>();
  private final Set<String> virtualNodes = new LinkedHashSet<>();
  private final Set<List<String>> mapping = new LinkedHashSet<>();
  private final Map<JvmDraft, String> jvms = new LinkedHashMap<>();
  private final Map<List<Gateway>, String> logins = new LinkedHashMap<>();
  private final List<Part> infrastructure = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  DescriptorDraft(List<Path> files, ConversionLosses losses, ProblemCollector problems) {
    this.files = files;
    this.losses = losses;
    this.problems = problems;
  }

  ConversionLosses losses() {
    return losses;
  }

  ProblemCollector problems() {
    return problems;
  }

  /** Declares variables, which both legacy forms have. */
  void declare(List<LegacyElement> declarations) {
    for (LegacyElement old : declarations) {
      if (!VARIABLES.contains(old.name())) {
        old.reportWhole(
            "element '" + old.name() + "' declares no variable here", remedy(old.name()));
        continue;
      }
      String name = old.attribute("name").map(Value::text).orElse("");
      Optional<String> value = old.attribute("value").map(Value::text);
      if (name.isBlank()) {
        old.reportWhole(
            "a variable without a name is not declared", "give it one, or leave it out");
        continue;
      }
      Part variable = new Part("variable").with("name", variableName(name));
      Optional<String> property =
          old.name().startsWith("javaProperty")
              ? Optional.ofNullable(PROPERTIES.get(name))
              : Optional.empty();
      variable.with("default", property.or(() -> value.map(this::text)));
      if (!variable.attributes.containsKey("default")) {
        variable.with("required", "true");
        losses.report(
            old.place(),
            "variable " + quote(name) + " has no value before the program gives it one",
            "give it with -D " + variableName(name) + "=..., or add default=\"...\"");
      }
      variables.put(variableName(name), variable);
    }
  }

  private static String remedy(String name) {
    return name.equals("includePropertyFile")
        ? "copy its values into <variables>"
        : "declare its variables with <variable name=\"...\" default=\"...\"/>";
  }

  /** Returns a valid name of a variable; legacy names may have dots. */
  private static String variableName(String old) {
    String name = old.strip().replaceAll("[^A-Za-z0-9_-]", "_");
    return name.matches("[A-Za-z_].*") ? name : "_" + name;
  }

  /** Converts the variables in a legacy text, and declares those that are not declared yet. */
  String text(String old) {
    StringBuilder text = new StringBuilder();
    Matcher matcher = VARIABLE.matcher(old);
    int end = 0;
    while (matcher.find()) {
      text.append(old.substring(end, matcher.start()).replace("${", "$${"));
      String name = variableName(matcher.group(1));
      if (!variables.containsKey(name)) {
        String known = PROPERTIES.get(matcher.group(1));
        Part variable = new Part("variable").with("name", name);
        variables.put(
            name,
            known == null ? variable.with("required", "true") : variable.with("default", known));
      }
      text.append("${").append(name).append('}');
      end = matcher.end();
    }
    return text.append(old.substring(end).replace("${", "$${")).toString();
  }

  /** Returns whether a converted text contains a variable, so that its value is not known yet. */
  static boolean hasVariable(String text) {
    return VARIABLE.matcher(text).find();
  }

  /** Converts a value; reports it and returns empty if it is not of the type. */
  Optional<String> value(Optional<Value> old, ValueType type) {
    return old.flatMap(
        value -> {
          String text = text(value.text().strip());
          if (hasVariable(text) || type.accepts(text)) {
            return Optional.of(text);
          }
          losses.report(
              value.place(),
              quote(value.text()) + " is not " + type.meaning() + ", so it is left out",
              type.remedy());
          return Optional.empty();
        });
  }

  /** Returns a time; a number without unit has the given one. */
  Optional<String> time(Optional<Value> old, String unit) {
    return value(
        old.map(
            value -> {
              String text = value.text().strip();
              if (text.matches("[0-9]+:[0-9]+")) {
                return new Value(text + ":00", value.place());
              }
              if (!text.matches("[0-9]+")) {
                return value;
              }
              losses.report(
                  value.place(),
                  quote(text) + " has no unit, and is taken as " + text + unit,
                  "write wallTime with the unit that is meant");
              return new Value(text + unit, value.place());
            }),
        ValueType.TIME);
  }

  /** Returns a unique name. */
  String id(String wanted) {
    String name = wanted.strip().replaceAll("[^A-Za-z0-9_.-]", "_");
    String first = name.matches("[A-Za-z_].*") ? name : "_" + name;
    String id = first;
    for (int i = 2; !ids.add(id); i++) {
      id = first + "_" + i;
    }
    return id;
  }

  /** Adds a virtual node; its name is the one that the program knows. */
  String virtualNode(Value old) {
    String name = text(old.text().strip());
    if (!hasVariable(name) && !ValueType.NAME.accepts(name)) {
      String legal = name.replaceAll("[^A-Za-z0-9_.-]", "_").replaceFirst("^(?![A-Za-z_])", "_");
      losses.report(
          old.place(),
          "virtual node " + quote(name) + " cannot be called so",
          "ask for " + quote(legal) + " in the program");
      name = legal;
    }
    virtualNodes.add(name);
    return name;
  }

  void map(String virtualNode, String to) {
    mapping.add(List.of(virtualNode, to));
  }

  boolean isMapped(String virtualNode) {
    return mapping.stream().anyMatch(pair -> pair.getFirst().equals(virtualNode));
  }

  void add(Part part) {
    infrastructure.add(part);
  }

  /** Adds a local JVM in place of one that cannot be started, so that the descriptor is usable. */
  String standIn(LegacyElement old, String wantedId, String what, String remedy) {
    String id = id(wantedId);
    old.reportWhole(what + ", so one local JVM stands in for it", remedy);
    String place = old.file().getFileName() + ":" + old.place().line();
    add(
        new Part("local")
            .with("id", id)
            .comment("Stands in for the " + old.name() + " of " + place + "."));
    return id;
  }

  /** Returns the id of an element with JVM settings; empty for the default settings. */
  Optional<String> jvm(JvmDraft jvm, String wantedId) {
    return jvm.equals(JvmDraft.USUAL)
        ? Optional.empty()
        : Optional.of(jvms.computeIfAbsent(jvm, j -> id(wantedId)));
  }

  /**
   * Returns the id of the login of the last of some gateways, which are in order, the nearest
   * first.
   */
  Optional<String> login(List<Gateway> gateways) {
    if (gateways.isEmpty()) {
      return Optional.empty();
    }
    login(gateways.subList(0, gateways.size() - 1));
    return Optional.of(
        logins.computeIfAbsent(
            List.copyOf(gateways), w -> id(w.getLast().host().replace("${", ""))));
  }

  /** Returns the text of the file. */
  String write() {
    if (virtualNodes.isEmpty()) {
      virtualNodes.add("default");
      infrastructure.stream()
          .map(part -> part.attributes.get("id"))
          .forEach(id -> map("default", id));
    }
    if (infrastructure.isEmpty()) {
      String id = id("here");
      add(new Part("local").with("id", id).comment("The old descriptor starts no JVM."));
      virtualNodes.forEach(node -> map(node, id));
    }
    Part troupe = new Part("troupe").with("xmlns", DescriptorSchema.NAMESPACE);
    if (!variables.isEmpty()) {
      troupe.children.add(part("variables", List.copyOf(variables.values())));
    }
    troupe.children.add(
        part(
            "virtualNodes",
            virtualNodes.stream()
                .map(name -> new Part("virtualNode").with("name", name))
                .toList()));
    troupe.children.add(
        part(
            "mapping",
            mapping.stream()
                .map(m -> new Part("map").with("virtualNode", m.get(0)).with("to", m.get(1)))
                .toList()));
    List<Part> all = new ArrayList<>();
    logins.forEach((gateways, id) -> all.add(login(id, gateways)));
    jvms.forEach((jvm, id) -> all.add(jvm(id, jvm)));
    all.addAll(infrastructure);
    troupe.children.add(part("infrastructure", all));
    String from =
        files.stream().map(file -> file.getFileName().toString()).collect(joining(" and "));
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.append("<!-- Converted from ").append(commented(from)).append(" -->\n");
    write(troupe, "", out);
    return out.toString();
  }

  private static Part part(String name, List<Part> children) {
    Part part = new Part(name);
    part.children.addAll(children);
    return part;
  }

  private Part login(String id, List<Gateway> gateways) {
    Gateway last = gateways.getLast();
    return new Part("login")
        .with("id", id)
        .with("host", last.host())
        .with("user", last.user())
        .with("identity", last.identity())
        .with("via", login(gateways.subList(0, gateways.size() - 1)));
  }

  private static Part jvm(String id, JvmDraft jvm) {
    Part part = new Part("jvm").with("id", id).with("javaHome", jvm.javaHome());
    jvm.options().forEach(part::option);
    for (String path : jvm.classPath()) {
      Part entry = new Part("classPath");
      entry.text = path;
      part.children.add(entry);
    }
    jvm.environment()
        .forEach(
            (name, value) ->
                part.children.add(new Part("environment").with("name", name).with("value", value)));
    return part;
  }

  private static void write(Part part, String indent, StringBuilder out) {
    if (part.comment != null) {
      out.append(indent).append("<!-- ").append(commented(part.comment)).append(" -->\n");
    }
    String start = indent + "<" + part.name;
    out.append(start);
    int column = start.length();
    for (Map.Entry<String, String> attribute : part.attributes.entrySet()) {
      String written = attribute.getKey() + "=\"" + escaped(attribute.getValue()) + "\"";
      if (column + 1 + written.length() + 2 > WIDTH && column > start.length()) {
        out.append('\n').append(" ".repeat(start.length()));
        column = start.length();
      }
      out.append(' ').append(written);
      column += 1 + written.length();
    }
    if (part.text != null) {
      out.append('>').append(escaped(part.text)).append("</").append(part.name).append(">\n");
    } else if (part.children.isEmpty()) {
      out.append("/>\n");
    } else {
      out.append(">\n");
      part.children.forEach(child -> write(child, indent + "  ", out));
      out.append(indent).append("</").append(part.name).append(">\n");
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("\n", "&#10;")
        .replace("\r", "&#13;")
        .replace("\t", "&#9;");
  }

  private static String commented(String text) {
    return text.replace("--", "- -");
  }
}
