package org.troupe.descriptors.xml;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.text.ValueType;
import org.troupe.descriptors.xml.Element.Value;

/** Replaces variables and checks the results against the types of attributes and texts. */
public final class ValueChecks {

  private static final Pattern TWO_OPTIONS = Pattern.compile("-\\S+\\s+-.*", Pattern.DOTALL);

  private static final Pattern AN_OPTION_AND_MORE = Pattern.compile("-\\S*\\s.*", Pattern.DOTALL);

  private final VariableResolver variables;
  private final ProblemCollector problems;

  private ValueChecks(VariableResolver variables, ProblemCollector problems) {
    this.variables = variables;
    this.problems = problems;
  }

  /** Reports problems and returns the document with final values, without the faulty ones. */
  public static Element check(
      Element root, ElementSchema shape, VariableResolver variables, ProblemCollector problems) {
    return new ValueChecks(variables, problems).check(root, shape);
  }

  private Element check(Element element, ElementSchema shape) {
    Map<String, Value> attributes = new LinkedHashMap<>();
    element
        .attributes()
        .forEach(
            (name, value) -> {
              ValueType type = shape.attribute(name).orElseThrow().type();
              check("attribute '" + name + "'", value, type, isDeclaration(shape))
                  .ifPresent(checked -> attributes.put(name, checked));
            });
    return new Element(
        element.name(),
        element.place(),
        attributes,
        element.children().stream()
            .map(child -> check(child, shape.child(child.name()).orElseThrow()))
            .toList(),
        element
            .text()
            .flatMap(
                text -> check("element '" + shape.name() + "'", text, shape.text().get(), false)));
  }

  /**
   * Returns whether an element declares variables and so is literal; defaults are expanded when
   * they are needed.
   */
  private static boolean isDeclaration(ElementSchema shape) {
    return shape.name().equals("variable");
  }

  private Optional<Value> check(String what, Value written, ValueType type, boolean isLiteral) {
    Optional<String> expanded = isLiteral ? Optional.of(written.text()) : variables.expand(written);
    if (expanded.isEmpty()) {
      return Optional.empty();
    }
    String text = type.trim(expanded.get());
    if (!type.accepts(text)) {
      String origin =
          expanded.get().equals(written.text()) ? "" : " (written " + quote(written.text()) + ")";
      problems.error(
          written.place(),
          what + " is " + quote(text) + origin + ", which is not " + type.meaning(),
          type.remedy());
      return Optional.empty();
    }
    warn(what, text, type, written.place());
    return Optional.of(new Value(text, written.place()));
  }

  /** Warns of values that are valid but probably mistakes. */
  private void warn(String what, String text, ValueType type, SourcePosition place) {
    if (type == ValueType.OPTION && TWO_OPTIONS.matcher(text).matches()) {
      problems.warning(
          place,
          what + " is " + quote(text) + ", which Java takes as one option",
          "write an <option> for each, if these are two");
    }
    if (type == ValueType.ARGUMENT && AN_OPTION_AND_MORE.matcher(text).matches()) {
      problems.warning(
          place,
          what + " is " + quote(text) + ", which the batch system takes as one argument",
          "write an <option> for each, if these are two");
    }
    if (type == ValueType.REMOTE_PATH && text.contains("$")) {
      problems.warning(
          place,
          what + " is " + quote(text) + ", and no shell looks at it there",
          "write a path without '$', where '~/' is your home there");
    }
    if (type == ValueType.PATH && text.contains(File.pathSeparator)) {
      problems.warning(
          place,
          what + " is " + quote(text) + ", which is taken as one path",
          "write a <classPath> for each, if these are two");
    }
  }
}
