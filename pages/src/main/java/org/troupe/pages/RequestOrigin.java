package org.troupe.pages;

import com.sun.net.httpserver.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells requests of this site's own pages from those of other sites. */
final class RequestOrigin {

  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  // Unlike a URI, names may have underscores, as those of containers do.
  private static final Pattern HOST =
      Pattern.compile("([A-Za-z0-9_.-]+|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?");

  private final Set<String> hosts;

  /** Creates it for sites that are addressed by loopback, or by one of these names. */
  RequestOrigin(Set<String> hosts) {
    this.hosts = hosts;
  }

  /**
   * Returns whether a request names this machine as its host, by any port, since an ssh tunnel may
   * have another one, and comes from no page but one of that very host and port.
   */
  boolean isOwn(Headers headers) {
    var named = headers.getOrDefault("Host", List.of());
    if (named.size() != 1) {
      return false;
    }
    var host = named.getFirst();
    var name = name(host);
    var isListed = hosts.contains(name);
    if (!isListed && !LOOPBACK.contains(name)) {
      return false;
    }
    return headers.getOrDefault("Origin", List.of()).stream()
        .allMatch(
            origin ->
                origin.equalsIgnoreCase("http://" + host)
                    || isListed && origin.equalsIgnoreCase("https://" + host));
  }

  /** Returns the name in a Host header, in lower case; empty if it is malformed. */
  private static String name(String host) {
    var matcher = HOST.matcher(host);
    return matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
  }
}
