package org.troupe.pages;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where and for whom a {@link PageServer} serves. Immutable.
 *
 * @param port the port of loopback; 0 for any free one
 * @param prefix the path below which a proxy offers the site, such as {@code /user/me}; empty for
 *     none
 * @param hosts names by which browsers address the machine, beside loopback, such as that of a
 *     proxy
 * @param isReadOnly whether there is no token for actions
 * @param timeLimit how long a request and its answer may take, and how long a browser may not read
 *     a stream
 */
public record PageOptions(
    int port, String prefix, Set<String> hosts, boolean isReadOnly, Duration timeLimit) {

  private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9._~@:-]+)*/?");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.-]+|\\[[0-9A-Fa-f:.]+\\]");
  private static final int MOST_PORTS = 65_535;
  private static final Duration STANDARD_LIMIT = Duration.ofSeconds(30);

  /**
   * Checks the components, writes hosts in lower case, and removes a slash at the end of the
   * prefix.
   */
  public PageOptions {
    hosts = hosts.stream().map(PageOptions::host).collect(Collectors.toUnmodifiableSet());
    if (port < 0 || port > MOST_PORTS) {
      throw new IllegalArgumentException(
          "port %d does not exist; give one from 1 to %d, or 0 for any free one"
              .formatted(port, MOST_PORTS));
    }
    if (!PREFIX.matcher(prefix).matches() || prefix.contains("/..")) {
      throw new IllegalArgumentException(
          "the prefix '%s' is no path; write one such as /user/me".formatted(prefix));
    }
    prefix = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
  }

  private static String host(String name) {
    if (!HOST.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the host '%s' has more than a name, or none; write the name alone, such as hub.example"
              .formatted(name));
    }
    return name.toLowerCase(Locale.ROOT); // as browsers write it
  }

  /** Returns the standard options: any free port, no prefix, both tokens, 30 s. */
  public static PageOptions standard() {
    return new PageOptions(0, "", Set.of(), false, STANDARD_LIMIT);
  }

  /** Returns a copy with another port. */
  public PageOptions withPort(int other) {
    return new PageOptions(other, prefix, hosts, isReadOnly, timeLimit);
  }

  /** Returns a copy with another prefix. */
  public PageOptions withPrefix(String other) {
    return new PageOptions(port, other, hosts, isReadOnly, timeLimit);
  }

  /** Returns a copy with other names of the machine. */
  public PageOptions withHosts(Set<String> others) {
    return new PageOptions(port, prefix, others, isReadOnly, timeLimit);
  }

  /** Returns a copy with or without a token for actions. */
  public PageOptions withReadOnly(boolean readOnly) {
    return new PageOptions(port, prefix, hosts, readOnly, timeLimit);
  }

  /** Returns a copy with another time limit. */
  public PageOptions withTimeLimit(Duration limit) {
    return new PageOptions(port, prefix, hosts, isReadOnly, limit);
  }
}
