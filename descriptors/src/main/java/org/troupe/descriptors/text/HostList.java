package org.troupe.descriptors.text;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts in a text such as {@code alpha node[01-16] rack[1-2]-[1,3,5-7]}. A number that starts
 * with 0 sets the width of the numbers in its range; of several ranges in a name the last one
 * varies fastest.
 */
public final class HostList {

  private static final String RANGE = "[0-9]{1,9}(-[0-9]{1,9})?+";
  private static final String RANGES = "\\[" + RANGE + "(," + RANGE + ")*+\\]";

  /** One entry of the list; possessive, as a list may be longer than a matcher's stack is deep. */
  static final String ENTRY = "([A-Za-z0-9_:]|" + RANGES + ")([A-Za-z0-9_.:-]++|" + RANGES + ")*+";

  public static final int MOST_HOSTS = 10_000;

  private static final int LONGEST_ENTRY = 1000;

  private static final Pattern BRACKETS = Pattern.compile("\\[([^\\]]*)\\]");

  private HostList() {}

  /** A host list has a mistake. */
  public static final class InvalidList extends Exception {

    private static final long serialVersionUID = 1;

    private final String remedy;

    private InvalidList(String what, String remedy) {
      super(what);
      this.remedy = remedy;
    }

    public String remedy() {
      return remedy;
    }
  }

  /** Returns the hosts in order, duplicates included. */
  public static List<String> expand(String list) throws InvalidList {
    List<String> hosts = new ArrayList<>();
    for (String entry : list.strip().split("\\s+")) {
      hosts.addAll(expandEntry(entry, MOST_HOSTS - hosts.size()));
    }
    return hosts;
  }

  private static List<String> expandEntry(String entry, int most) throws InvalidList {
    Supplier<InvalidList> tooMany =
        () ->
            new InvalidList(
                quote(entry) + " brings it to more than " + MOST_HOSTS + " hosts",
                "shorten its ranges, or spread them over several elements");
    if (entry.length() > LONGEST_ENTRY) {
      throw new InvalidList(
          quote(entry) + " is longer than any host's name", "put spaces between hosts");
    }
    List<String> names = List.of("");
    Matcher brackets = BRACKETS.matcher(entry);
    int end = 0;
    while (brackets.find()) {
      List<String> numbers = numbers(brackets.group(1), entry, tooMany);
      if ((long) names.size() * numbers.size() > most) {
        throw tooMany.get();
      }
      String between = entry.substring(end, brackets.start());
      names =
          names.stream()
              .flatMap(name -> numbers.stream().map(number -> name + between + number))
              .toList();
      end = brackets.end();
    }
    if (names.size() > most) {
      throw tooMany.get();
    }
    String rest = entry.substring(end);
    return names.stream().map(name -> name + rest).toList();
  }

  private static List<String> numbers(String ranges, String entry, Supplier<InvalidList> tooMany)
      throws InvalidList {
    List<String> numbers = new ArrayList<>();
    for (String range : ranges.split(",")) {
      String[] bounds = range.split("-");
      String first = bounds[0];
      String last = bounds[bounds.length - 1];
      int from = Integer.parseInt(first);
      int to = Integer.parseInt(last);
      if (from > to) {
        throw new InvalidList(
            "range " + quote(range) + " in " + quote(entry) + " ends before it begins",
            "write '" + last + "-" + first + "'");
      }
      if (numbers.size() + (long) to - from >= MOST_HOSTS) {
        throw tooMany.get();
      }
      String format = first.startsWith("0") ? "%0" + first.length() + "d" : "%d";
      for (int i = from; i <= to; i++) {
        numbers.add(format.formatted(i));
      }
    }
    return numbers;
  }
}
