package ibis.ipl.internal.base;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.troupe.links.Address;

/**
 * Parses addresses in SmartSockets' format, such as {@code 10.0.0.7/130.37.1.2-8888#1f.2e~me+22}:
 * one or more groups of IP addresses with a common port. Braces enclose addresses that are valid
 * outside of a network.
 */
final class MultiAddress {

  private static final String IP = "(?:\\d+(?:\\.\\d+){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(?:%\\w+)?)";

  /** A group of IP addresses with their common port. */
  private static final Pattern GROUP = Pattern.compile("(" + IP + "(?:/" + IP + ")*)-(\\d+)");

  private static final Pattern WHOLE = Pattern.compile("(?:\\{?" + GROUP + "\\}?/?)+(?:[#~].*)?");

  private MultiAddress() {}

  static boolean isOne(String text) {
    return WHOLE.matcher(text).matches();
  }

  /**
   * Returns an address with one alternative for each IP address.
   *
   * @throws IllegalArgumentException if a port is out of range
   */
  static Address parse(String text) {
    int end = text.length();
    for (char mark : new char[] {'#', '~'}) {
      int at = text.indexOf(mark);
      end = at < 0 ? end : Math.min(end, at);
    }
    List<String> ways = new ArrayList<>();
    Matcher group = GROUP.matcher(text.substring(0, end));
    while (group.find()) {
      for (String host : group.group(1).split("/")) {
        ways.add((host.contains(":") ? "[" + host + "]" : host) + ":" + group.group(2));
      }
    }
    return Address.parse(String.join(",", ways));
  }
}
