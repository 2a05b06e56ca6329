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
      Pattern.compile("([A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]{1,253}\\])(?::\\d{1,5})?");

  private static final Pattern ORIGIN = Pattern.compile("(?i)https?://(.*)");

  private final Set<String> hosts;

  /** Creates it for sites that are addressed by loopback, or by one of these names. */
  RequestOrigin(Set<String> hosts) {
    this.hosts = hosts;
  }

  /**
   * Checks that a request names this machine as its host, by any port, since an ssh tunnel may have
   * another one; and that it comes from no page but one of that very host and port, or of a listed
   * host, whose proxy may have replaced the name that the browser has sent.
   *
   * @param address that of the site, for the message
   * @throws PageException if it does not
   */
  void check(Headers headers, String address) {
    var named = headers.getOrDefault("Host", List.of());
    var host = named.size() == 1 ? named.getFirst() : "";
    var name = name(host);
    if (!isKnown(name)) {
      throw name.isEmpty()
          ? refused("the request names no host, or a malformed one", address)
          : unknown("the request is for the host", name, address);
    }
    for (var origin : headers.getOrDefault("Origin", List.of())) {
      if (!isOwn(origin, host)) {
        var other = nameOf(origin);
        throw other.isEmpty() || isKnown(other)
            ? refused("the request comes from a page of another site", address)
            : unknown("the request comes from a page of", other, address);
      }
    }
  }

  private boolean isKnown(String name) {
    return hosts.contains(name) || LOOPBACK.contains(name);
  }

  private boolean isOwn(String origin, String host) {
    if (hosts.contains(name(host))) {
      return origin.equalsIgnoreCase("http://" + host)
          || origin.equalsIgnoreCase("https://" + host);
    }
    return origin.equalsIgnoreCase("http://" + host) || hosts.contains(nameOf(origin));
  }

  private static PageException refused(String why, String address) {
    return new PageException(PageException.FORBIDDEN, why, "open " + address);
  }

  private static PageException unknown(String what, String name, String address) {
    return new PageException(
        PageException.FORBIDDEN,
        "%s '%s', which is no name of this page".formatted(what, name),
        "open %s; if '%s' is a proxy of yours, start the page by 'troupe dashboard --host %s'"
            .formatted(address, name, name));
  }

  /** Returns the name in an Origin header, in lower case; empty if it is malformed. */
  private static String nameOf(String origin) {
    var matcher = ORIGIN.matcher(origin);
    return matcher.matches() ? name(matcher.group(1)) : "";
  }

  /** Returns the name in a Host header, in lower case; empty if it is malformed. */
  private static String name(String host) {
    var matcher = HOST.matcher(host);
    return matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
  }
}
