package org.troupe.descriptors.xml;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.ValueOrigin;
import org.troupe.descriptors.Variable;
import org.troupe.descriptors.text.QuotedText;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.descriptors.xml.Element.Value;

/** Resolves the variables of one descriptor. Confined to one reading. */
public final class VariableResolver {

  /*
   * A value is computed when it is first needed and then kept, so a default that is overridden need not be valid on
   * this machine. A few lines of variables that name each other twice could exhaust any memory, so the output of all
   * replacements counts against one budget.
   */

  private static final int MOST_CHARACTERS = 1 << 22;

  /** A limit beyond any hand-written file; longer chains would overflow the stack. */
  private static final int LONGEST_CHAIN = 100;

  /**
   * Two dollars before a brace stand for one dollar and no variable; a single dollar stands for
   * itself.
   */
  private static final Pattern DOLLAR = Pattern.compile("\\$\\$\\{|\\$\\{([^{}$]*\\})?");

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*|env\\.[A-Za-z_][A-Za-z0-9_]*");

  private static final String ENVIRONMENT = "env.";

  private final Map<String, String> given;
  private final Map<String, String> environment;
  private final SourcePosition whole;
  private final ProblemCollector problems;
  private final Map<String, Element> declared = new LinkedHashMap<>();
  private final Map<String, Optional<Variable>> known = new LinkedHashMap<>();
  private final Set<String> used = new HashSet<>();
  private final Set<String> chain = new LinkedHashSet<>();
  private int charactersLeft = MOST_CHARACTERS;

  /** Finds the value of each declared variable, or reports why it has none. */
  public VariableResolver(
      Element root,
      Map<String, String> given,
      Map<String, String> environment,
      SourcePosition whole,
      ProblemCollector problems) {
    this.given = given;
    this.environment = environment;
    this.whole = whole;
    this.problems = problems;
    for (Element variable : root.entries("variables")) {
      variable.attribute("name").ifPresent(name -> declare(variable, name));
    }
    given.keySet().stream()
        .sorted()
        .filter(name -> !declared.containsKey(name) && !name.startsWith(ENVIRONMENT))
        .forEach(
            name ->
                problems.error(
                    whole,
                    "variable "
                        + quote(name)
                        + " has a value on the command line, but is not declared",
                    SpellingHints.remedy(
                        name,
                        declared.keySet(),
                        "declare it with <variable name=\"...\"/>, or leave it out")));
    declared.keySet().forEach(name -> value(name, declaration(name).place()));
    // The names in a default are checked even if this reading does not need the default.
    declared.values().forEach(v -> v.attribute("default").ifPresent(this::checkNames));
  }

  private void declare(Element variable, Value name) {
    Element before = declared.putIfAbsent(name.text(), variable);
    if (before != null) {
      problems.error(
          name.place(),
          "variable "
              + quote(name.text())
              + " is declared already, "
              + before.place().from(name.place()),
          "remove one of them, or give it another name");
    }
  }

  /** Returns the text with its variables replaced; empty, after a report, if one has no value. */
  Optional<String> expand(Value value) {
    StringBuilder expanded = new StringBuilder();
    Matcher dollar = DOLLAR.matcher(value.text());
    boolean isWhole = true;
    int end = 0;
    while (dollar.find()) {
      expanded.append(value.text(), end, dollar.start());
      end = dollar.end();
      if (dollar.group().equals("$${")) {
        expanded.append("${");
        continue;
      }
      Optional<String> replacement = name(dollar, value).flatMap(name -> replacement(name, value));
      isWhole &= replacement.isPresent();
      replacement.ifPresent(expanded::append);
      if (expanded.length() > charactersLeft) {
        problems.error(
            value.place(),
            "variables make this descriptor longer than " + MOST_CHARACTERS + " characters",
            "look for one that contains another several times");
        problems.throwIfAny();
      }
    }
    expanded.append(value.text(), end, value.text().length());
    charactersLeft -= end == 0 ? 0 : expanded.length();
    return isWhole ? Optional.of(expanded.toString()) : Optional.empty();
  }

  /** Returns the name between the braces, or reports that it is invalid. */
  private Optional<String> name(Matcher dollar, Value value) {
    String inner = dollar.group(1);
    if (inner == null) {
      problems.error(
          value.place(),
          "'${' in " + quote(value.text()) + " is never closed",
          "write ${name}, or $${ for the characters themselves");
      return Optional.empty();
    }
    String name = inner.substring(0, inner.length() - 1);
    if (!NAME.matcher(name).matches()) {
      problems.error(
          value.place(),
          quote("${" + inner) + " names no variable",
          "write ${name} or ${env.NAME}, or $${ for the characters themselves");
      return Optional.empty();
    }
    return Optional.of(name);
  }

  private Optional<String> replacement(String name, Value user) {
    used.add(name);
    if (!name.startsWith(ENVIRONMENT) && !declared.containsKey(name)) {
      reportUnknown(name, user);
      return Optional.empty();
    }
    return value(name, user.place()).map(Variable::value);
  }

  private void checkNames(Value value) {
    Matcher dollar = DOLLAR.matcher(value.text());
    while (dollar.find()) {
      if (dollar.group().equals("$${")) {
        continue;
      }
      name(dollar, value).ifPresent(name -> checkName(name, value));
    }
  }

  private void checkName(String name, Value user) {
    used.add(name);
    if (!name.startsWith(ENVIRONMENT) && !declared.containsKey(name)) {
      reportUnknown(name, user);
    }
  }

  private void reportUnknown(String name, Value user) {
    problems.error(
        user.place(),
        "variable " + quote(name) + " is not declared",
        SpellingHints.remedy(
            name,
            declared.keySet(),
            "declare it: <variable name=\"" + QuotedText.plain(name) + "\"/>"));
  }

  /** Returns a declared variable or one of the environment; reports each problem once. */
  private Optional<Variable> value(String name, SourcePosition user) {
    Optional<Variable> before = known.get(name);
    if (before != null) {
      return before;
    }
    if (!chain.add(name)) {
      List<String> cycle = new ArrayList<>(chain);
      cycle.subList(0, cycle.indexOf(name)).clear();
      cycle.add(name);
      problems.error(
          user,
          "variable " + quote(name) + " is defined by itself: " + String.join(" -> ", cycle),
          "give one of them a value of its own");
      return Optional.empty();
    }
    Optional<Variable> found;
    if (chain.size() > LONGEST_CHAIN) {
      problems.error(
          user,
          "more than " + LONGEST_CHAIN + " variables are defined by one another in a row",
          "shorten the chain");
      found = Optional.empty();
    } else {
      found = name.startsWith(ENVIRONMENT) ? fromEnvironment(name, user) : fromDeclaration(name);
    }
    chain.remove(name);
    known.put(name, found);
    return found;
  }

  private Optional<Variable> fromEnvironment(String name, SourcePosition user) {
    String inEnvironment = name.substring(ENVIRONMENT.length());
    if (given.containsKey(name)) {
      return Optional.of(new Variable(name, given.get(name), new ValueOrigin.CommandLine(), user));
    }
    if (environment.containsKey(inEnvironment)) {
      ValueOrigin origin = new ValueOrigin.Environment(inEnvironment);
      return Optional.of(new Variable(name, environment.get(inEnvironment), origin, user));
    }
    problems.error(
        user,
        "environment variable " + quote(inEnvironment) + " is not set",
        SpellingHints.remedy(
            inEnvironment, environment.keySet(), "set it, or give -D " + name + "=..."));
    return Optional.empty();
  }

  private Element declaration(String name) {
    return Objects.requireNonNull(declared.get(name), "only declared names get here");
  }

  private Optional<Variable> fromDeclaration(String name) {
    Element declaration = declaration(name);
    SourcePosition place = declaration.place();
    Optional<Value> inEnvironment = declaration.attribute("environment");
    Optional<Value> byDefault = declaration.attribute("default");
    boolean isRequired =
        declaration.attribute("required").filter(v -> v.text().strip().equals("true")).isPresent();
    if (isRequired && byDefault.isPresent()) {
      problems.error(
          byDefault.get().place(),
          "variable " + quote(name) + " is required, so its default is never used",
          "remove one of the two");
    }
    if (given.containsKey(name)) {
      return Optional.of(new Variable(name, given.get(name), new ValueOrigin.CommandLine(), place));
    }
    Optional<String> key = inEnvironment.map(Value::text).map(String::strip);
    Optional<String> found = key.map(environment::get);
    if (found.isPresent()) {
      ValueOrigin origin = new ValueOrigin.Environment(key.get());
      return Optional.of(new Variable(name, found.get(), origin, place));
    }
    if (byDefault.isPresent()) {
      ValueOrigin origin = new ValueOrigin.Default(byDefault.get().place());
      return expand(byDefault.get()).map(value -> new Variable(name, value, origin, place));
    }
    problems.error(
        place,
        "variable " + quote(name) + " has no value",
        "give it one with -D "
            + QuotedText.plain(name)
            + "=..."
            + key.map(k -> ", or set the environment variable " + QuotedText.plain(k)).orElse("")
            + (isRequired ? "" : ", or add default=\"...\""));
    return Optional.empty();
  }

  /** Returns the declared variables, then those of the environment. */
  public List<Variable> all() {
    List<Variable> all = new ArrayList<>();
    declared.keySet().stream()
        .flatMap(name -> Stream.ofNullable(known.get(name)))
        .forEach(variable -> variable.ifPresent(all::add));
    known.forEach(
        (name, variable) -> {
          if (!declared.containsKey(name)) {
            variable.ifPresent(all::add);
          }
        });
    return all;
  }

  /**
   * Warns of unused variables, except those of included files. To be called after all expansions.
   */
  public void warnOfUnused() {
    given.keySet().stream()
        .sorted()
        .filter(name -> name.startsWith(ENVIRONMENT) && !used.contains(name))
        .forEach(
            name ->
                problems.warning(
                    whole,
                    quote(name) + " has a value on the command line, but is not used",
                    "leave it out"));
    declared.forEach(
        (name, declaration) -> {
          if (!used.contains(name) && declaration.place().file().equals(whole.file())) {
            problems.warning(
                declaration.place(),
                "variable " + quote(name) + " is not used",
                "write ${" + QuotedText.plain(name) + "} where it belongs, or remove it");
          }
        });
  }
}
