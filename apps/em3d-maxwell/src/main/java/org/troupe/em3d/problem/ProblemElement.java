package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.ProblemCollector;
import org.troupe.em3d.physics.Vector3;

/**
 * An element of a problem file with typed access to its attributes. An error of an attribute is
 * reported once, and the value is then empty.
 */
record ProblemElement(Element element, ProblemCollector problems) {

  private static final Pattern NUMBER =
      Pattern.compile(
          "\\s*([-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d{1,3})?)(?=$|[\\s\\p{L}%])");

  String name() {
    return element.name();
  }

  boolean has(String attribute) {
    return element.attribute(attribute).isPresent();
  }

  /** Returns the children with these names, or all children if no name is given. */
  List<ProblemElement> children(String... names) {
    return element.children().stream()
        .filter(each -> names.length == 0 || Arrays.asList(names).contains(each.name()))
        .map(each -> new ProblemElement(each, problems))
        .toList();
  }

  Optional<String> text(String attribute) {
    return element.attribute(attribute).map(value -> value.text().strip());
  }

  /** Returns the position of an attribute, or of the element if it has no such attribute. */
  SourcePosition place(String attribute) {
    return element.attribute(attribute).map(Element.Value::place).orElse(element.place());
  }

  void error(String attribute, String what, String remedy) {
    problems.error(place(attribute), what, remedy);
  }

  /**
   * Returns the only one of these attributes that is present; reports an error if there is none or
   * more than one.
   */
  Optional<String> oneOf(String... attributes) {
    var there = Arrays.stream(attributes).filter(this::has).toList();
    if (there.size() != 1) {
      error(
          there.isEmpty() ? "" : there.getLast(),
          "'%s' needs exactly one of the attributes '%s', and has %s"
              .formatted(
                  name(),
                  String.join("', '", attributes),
                  there.isEmpty() ? "none" : "'" + String.join("' and '", there) + "'"),
          there.isEmpty() ? "add one" : "leave one out");
    }
    return there.size() == 1 ? Optional.of(there.getFirst()) : Optional.empty();
  }

  /** Returns an attribute that must be one of these names. */
  Optional<String> choice(String attribute, Collection<String> names, String what) {
    return text(attribute)
        .filter(
            written -> {
              var isKnown = names.contains(written);
              if (!isKnown) {
                error(
                    attribute,
                    what + " '" + written + "' is unknown",
                    SpellingHints.choice(written, names, "there is none"));
              }
              return isKnown;
            });
  }

  /** Returns an attribute that is a whole number of at least 1. */
  Optional<Integer> count(String attribute) {
    return text(attribute)
        .flatMap(
            written -> {
              if (written.matches("[1-9]\\d{0,8}")) {
                return Optional.of(Integer.parseInt(written));
              }
              error(
                  attribute,
                  "attribute '%s' is '%s', which is no whole number from 1 on"
                      .formatted(attribute, written),
                  "write one, such as '10'");
              return Optional.empty();
            });
  }

  /** Returns a number with a unit, converted to the SI unit. */
  Optional<Double> quantity(
      String attribute, PhysicalDimension dimension, DoublePredicate isSound, String sound) {
    return numbers(attribute, dimension, 1)
        .map(numbers -> numbers[0])
        .filter(
            number -> {
              if (!isSound.test(number)) {
                error(
                    attribute,
                    "attribute '%s' is '%s'".formatted(attribute, text(attribute).orElse("")),
                    "write a " + dimension.meaning() + " " + sound);
              }
              return isSound.test(number);
            });
  }

  Optional<Double> positive(String attribute, PhysicalDimension dimension) {
    return quantity(attribute, dimension, number -> number > 0, "above 0");
  }

  /** Returns three numbers with an optional common unit, converted to the SI unit. */
  Optional<Vector3> vector(String attribute, PhysicalDimension dimension) {
    return numbers(attribute, dimension, 3)
        .map(numbers -> new Vector3(numbers[0], numbers[1], numbers[2]));
  }

  Optional<double[]> numbers(String attribute, PhysicalDimension dimension, int count) {
    var written = text(attribute).orElse(null);
    if (written == null) {
      return Optional.empty();
    }
    List<Double> numbers = new ArrayList<>();
    var matcher = NUMBER.matcher(written);
    var end = 0;
    while (numbers.size() < count && matcher.region(end, written.length()).lookingAt()) {
      numbers.add(Double.parseDouble(matcher.group(1)));
      end = matcher.end();
    }
    var unit = written.substring(end).strip();
    var isFinite = numbers.stream().allMatch(Double::isFinite);
    if (numbers.size() < count || !isFinite) {
      error(
          attribute,
          "attribute '%s' is '%s', which is %s"
              .formatted(
                  attribute,
                  written,
                  count == 1 ? "no number" : "not three numbers with spaces between them"),
          "write such as '" + example(dimension, count) + "'");
      return Optional.empty();
    }
    var factor = factor(attribute, written, unit, dimension, count);
    return factor.map(by -> numbers.stream().mapToDouble(each -> each * by).toArray());
  }

  private Optional<Double> factor(
      String attribute, String written, String unit, PhysicalDimension dimension, int count) {
    if (unit.isEmpty() && (count > 1 || !dimension.needsUnit())) {
      return Optional.of(1.0);
    }
    var factor = dimension.units().get(unit);
    if (factor == null) {
      error(
          attribute,
          unit.isEmpty()
              ? "attribute '%s' is '%s', without a unit".formatted(attribute, written)
              : "'%s' in '%s' is no unit of a %s".formatted(unit, written, dimension.meaning()),
          dimension.units().isEmpty()
              ? "write the number alone"
              : "choose from '" + String.join("', '", dimension.units().keySet()) + "'");
    }
    return Optional.ofNullable(factor);
  }

  private static String example(PhysicalDimension dimension, int count) {
    var unit = dimension.needsUnit() ? " " + dimension.units().keySet().iterator().next() : "";
    return (count == 1 ? "2.5" : "0 0.5 1") + unit;
  }

  /**
   * Creates a value; reports the exception of its constructor, whose message names the error and
   * the remedy.
   */
  <T> Optional<T> made(String attribute, Supplier<T> making) {
    try {
      return Optional.of(making.get());
    } catch (IllegalArgumentException e) {
      var message = String.valueOf(e.getMessage());
      var split = message.lastIndexOf("; ");
      error(
          attribute,
          split < 0 ? message : message.substring(0, split),
          split < 0 ? "correct it" : message.substring(split + 2));
      return Optional.empty();
    }
  }
}
