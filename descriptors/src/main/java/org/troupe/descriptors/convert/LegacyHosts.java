package org.troupe.descriptors.convert;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.troupe.descriptors.text.HostList;

/** Converts host lists of legacy descriptors. */
final class LegacyHosts {

  /** A range such as {@code [1-50;2]^[3,7-9]}: every second number, with exceptions. */
  private static final Pattern RANGE =
      Pattern.compile(
          "\\[\\s*(\\d{1,9})\\s*-\\s*(\\d{1,9})\\s*(?:;\\s*(\\d{1,9})\\s*)?\\]"
              + "\\s*(?:\\^\\s*\\[([\\d,\\s-]*)\\]\\s*)?");

  private LegacyHosts() {}

  /** Returns names in a domain; a name that has one already keeps it. */
  static String inDomain(String names, Optional<String> domain) {
    String suffix = domain.filter(d -> !d.isEmpty()).map(d -> "." + d).orElse("");
    return Arrays.stream(names.strip().split("\\s+"))
        .map(name -> name.endsWith(suffix) ? name : name + suffix)
        .collect(joining(" "));
  }

  /** Returns the entries of a list in which ranges may have steps and exceptions. */
  static Optional<String> entries(String list) {
    List<String> entries = new ArrayList<>();
    for (String entry : list.strip().replaceAll("\\s*\\^\\s*", "^").split("\\s+")) {
      Matcher range = RANGE.matcher(entry);
      if (range.find() && entry.indexOf('[', range.end()) < 0) {
        Optional<String> numbers = numbers(range.group(), 0);
        if (numbers.isEmpty()) {
          return Optional.empty();
        }
        entries.add(
            entry.substring(0, range.start()) + numbers.get() + entry.substring(range.end()));
      } else {
        entries.add(entry);
      }
    }
    return Optional.of(String.join(" ", entries));
  }

  /** Returns the numbers of a range in brackets; empty if it is none, or has none. */
  static Optional<String> numbers(String pattern, int padding) {
    Matcher range = RANGE.matcher(pattern.strip());
    if (!range.matches()) {
      return Optional.empty();
    }
    int width = Math.max(padding, range.group(1).startsWith("0") ? range.group(1).length() : 0);
    String format = width > 0 ? "%0" + width + "d" : "%d";
    int from = Integer.parseInt(range.group(1));
    int to = Integer.parseInt(range.group(2));
    int step = range.group(3) == null ? 1 : Math.max(1, Integer.parseInt(range.group(3)));
    if (from > to || to - from > HostList.MOST_HOSTS) {
      return Optional.empty();
    }
    if (step == 1 && range.group(4) == null) {
      return Optional.of("[" + format.formatted(from) + "-" + format.formatted(to) + "]");
    }
    String left =
        IntStream.rangeClosed(from, to)
            .filter(i -> (i - from) % step == 0 && !isExcepted(i, range.group(4)))
            .mapToObj(format::formatted)
            .collect(joining(","));
    return left.isEmpty() ? Optional.empty() : Optional.of("[" + left + "]");
  }

  private static boolean isExcepted(int number, String exceptions) {
    if (exceptions == null) {
      return false;
    }
    for (String range : exceptions.replaceAll("\\s", "").split(",")) {
      if (range.matches("\\d{1,9}(-\\d{1,9})?")) {
        String[] bounds = range.split("-");
        if (Integer.parseInt(bounds[0]) <= number
            && number <= Integer.parseInt(bounds[bounds.length - 1])) {
          return true;
        }
      }
    }
    return false;
  }
}
