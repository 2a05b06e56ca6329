package ibis.ipl.internal.base;

import ibis.ipl.Location;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * The implementation of {@link Location}.
 *
 * @param levels the most detailed first
 */
public record LocationImpl(List<String> levels) implements Location {

  private static final String SEPARATOR = "@";

  public LocationImpl {
    levels = List.copyOf(levels);
  }

  /** Parses the format of {@code toString}; empty levels are skipped. */
  public static LocationImpl parse(String text) {
    return new LocationImpl(
        Arrays.stream(text.split(SEPARATOR)).filter(level -> !level.isBlank()).toList());
  }

  /**
   * Replaces the variables between percent signs that {@link Location#DEFAULT_LOCATION} describes.
   */
  static LocationImpl ofThisHost(String pattern) {
    return parse(expand(pattern, hostName(), ProcessHandle.current().pid()));
  }

  static String expand(String pattern, String host, long pid) {
    int dot = host.indexOf('.');
    boolean isAddress = host.contains(":") || host.chars().allMatch(c -> c == '.' || c < 'A');
    String name = dot < 0 || isAddress ? host : host.substring(0, dot);
    String domain = dot < 0 || isAddress ? "" : host.substring(dot + 1);
    var text = new StringBuilder();
    int at = 0;
    while (at < pattern.length()) {
      int open = pattern.indexOf('%', at);
      int close = open < 0 ? -1 : pattern.indexOf('%', open + 1);
      if (close < 0) {
        break;
      }
      text.append(pattern, at, open);
      switch (pattern.substring(open + 1, close)) {
        case "HOSTNAME" -> text.append(name);
        case "DOMAIN" -> text.append(domain.replace(".", SEPARATOR));
        case "FLAT_DOMAIN" -> text.append(domain);
        case "PID" -> text.append(pid);
        case "" -> text.append('%');
        default -> {
          text.append(pattern, open, close); // the second percent sign may begin a known variable
          at = close;
          continue;
        }
      }
      at = close + 1;
    }
    return text.append(pattern, at, pattern.length()).toString();
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getCanonicalHostName();
    } catch (UnknownHostException _) {
      return "localhost"; // the host's name does not resolve
    }
  }

  @Override
  public int numberOfLevels() {
    return levels.size();
  }

  @Override
  public String getLevel(int level) {
    if (level < 0 || level >= levels.size()) {
      throw new ArrayIndexOutOfBoundsException(
          "location '" + this + "' has " + levels.size() + " levels, none of number " + level);
    }
    return levels.get(level);
  }

  @Override
  public String[] getLevels() {
    return levels.toArray(String[]::new);
  }

  @Override
  public int numberOfMatchingLevels(Location other) {
    Iterator<String> mine = iterator();
    Iterator<String> theirs = other.iterator();
    int matching = 0;
    while (mine.hasNext() && theirs.hasNext() && mine.next().equals(theirs.next())) {
      matching++;
    }
    return matching;
  }

  @Override
  public Location getParent() {
    return new LocationImpl(levels.isEmpty() ? levels : levels.subList(1, levels.size()));
  }

  /** Compares level by level, the coarsest first. */
  @Override
  public int compareTo(Location other) {
    Iterator<String> mine = iterator();
    Iterator<String> theirs = other.iterator();
    while (mine.hasNext() && theirs.hasNext()) {
      int order = mine.next().compareTo(theirs.next());
      if (order != 0) {
        return order;
      }
    }
    return Boolean.compare(mine.hasNext(), theirs.hasNext());
  }

  @Override
  public Iterator<String> iterator() {
    return levels.reversed().iterator();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Location that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return String.join(SEPARATOR, levels);
  }
}
