package org.troupe.descriptors.text;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Messages about values of options of command lines that do not have the expected form. */
public final class OptionValues {

  private static final Set<Class<?>> INTS = Set.of(int.class, Integer.class);
  private static final Set<Class<?>> LONGS = Set.of(long.class, Long.class);
  private static final Set<Class<?>> DOUBLES = Set.of(double.class, Double.class);

  private static final int USUAL_WHOLE = 4;
  private static final double USUAL_NUMBER = 0.5;

  private OptionValues() {}

  /**
   * Returns a message such as "--jvms must be a whole number, such as 4, not 'x'".
   *
   * @param option the option, as it is written
   * @param type the type of its values: a number, an enumeration, or a map from names to values
   * @param value the value that could not be converted
   * @param usual the default of the option, if it has one, which is a good example unless it is 0
   * @return empty for a type whose form is not known here
   */
  public static Optional<String> mismatch(
      String option, Class<?> type, String value, @Nullable Object usual) {
    if (INTS.contains(type)) {
      return Optional.of(
          noWhole(option, value, Integer.MIN_VALUE, Integer.MAX_VALUE, whole(usual)));
    }
    if (LONGS.contains(type)) {
      return Optional.of(noWhole(option, value, Long.MIN_VALUE, Long.MAX_VALUE, whole(usual)));
    }
    if (DOUBLES.contains(type)) {
      var example = usual instanceof Double number && number != 0 ? number : USUAL_NUMBER;
      return Optional.of(not(option, "a number, such as " + example, value));
    }
    if (Map.class.isAssignableFrom(type)) {
      return Optional.of(not(option, "NAME=VALUE, such as %s jvms=4".formatted(option), value));
    }
    Object[] constants = type.getEnumConstants();
    return constants == null
        ? Optional.empty()
        : Optional.of(
            noConstant(option, value, Stream.of(constants).map(Object::toString).toList()));
  }

  private static String not(String option, String expected, String value) {
    return "%s must be %s, not '%s'".formatted(option, expected, value);
  }

  private static long whole(@Nullable Object usual) {
    return usual instanceof Integer || usual instanceof Long
        ? example(((Number) usual).longValue())
        : USUAL_WHOLE;
  }

  private static long example(long usual) {
    return usual == 0 || usual == Integer.MAX_VALUE || usual == Long.MAX_VALUE
        ? USUAL_WHOLE // the default stands for the absence of a number
        : usual;
  }

  private static String noWhole(String option, String value, long least, long most, long example) {
    var isOutOfRange = value.matches("[-+]?\\d+");
    return isOutOfRange
        ? not(option, "a whole number from %d to %d".formatted(least, most), value)
        : not(option, "a whole number, such as " + example, value);
  }

  private static String noConstant(String option, String value, List<String> names) {
    var quoted = names.stream().map(name -> "'" + name + "'").toList();
    var last = quoted.size() - 1;
    var listed =
        last == 0
            ? quoted.getFirst()
            : quoted.stream().limit(last).collect(joining(", ")) + " or " + quoted.get(last);
    return not(option, listed, value)
        + SpellingHints.closest(value, names)
            .map(name -> "; did you mean '" + name + "'?")
            .orElse("");
  }
}
