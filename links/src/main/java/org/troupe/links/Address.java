package org.troupe.links;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a port: {@code host:port}, or {@code [host]:port} if the host is an IPv6 address.
 *
 * <p>The address of a port that listens on several addresses, or is reached over a tunnel or relay,
 * lists several routes, separated by commas, and an identity that the port proves over each of
 * them: {@code 10.1.0.7:4011,192.168.3.7:4011,127.0.0.1:4011,relay#1f2e3d4c5b6a7988}. Immutable;
 * sent between processes as text.
 */
public final class Address {

  /*
   * Format: routes ["#" identity] ["~" host]. Two machines may have the same private address, and two
   * hosts on one machine (containers) always have the same loopback address, with ports of one grid
   * that have the same number. The port that answers must therefore prove the identity. The mark of
   * the host tells a caller whether the loopback routes lead to the port.
   */

  public static final int IDENTITY_BYTES = 8;

  private final List<Route> routes;
  private final String identity; // hexadecimal, or empty
  private final String hostMark; // the mark of the port's host, or empty
  private @Nullable String text; // made at first use, and again after a race

  /**
   * Creates an address with one route.
   *
   * @param host a host name or an IP address, without brackets
   * @param port from 1 to 65535
   * @throws IllegalArgumentException if the host is blank or the port out of range
   */
  public Address(String host, int port) {
    this(List.of(direct(host, port)), "", "");
  }

  /**
   * Creates an address.
   *
   * @param routes at least one of them direct
   * @param identity in hexadecimal digits; empty for none
   * @param hostMark the mark of the port's host ({@code HostIdentity.mark}); empty if unknown
   */
  public Address(List<Route> routes, String identity, String hostMark) {
    this.routes = List.copyOf(routes);
    this.identity = identity;
    this.hostMark = hostMark;
  }

  /**
   * Creates a direct route.
   *
   * @throws IllegalArgumentException if the host is blank or the port out of range
   */
  public static Route.Direct direct(String host, int port) {
    check(host, port);
    return new Route.Direct(host, port);
  }

  private static void check(String host, int port) {
    Objects.requireNonNull(host, "host");
    if (host.isBlank() || host.chars().anyMatch(c -> "[],#~=".indexOf(c) >= 0)) {
      throw new IllegalArgumentException(
          "'" + host + "' is no host; write a host name or an IP address without brackets");
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException(
          "port " + port + " of host '" + host + "' is out of range; use 1 to 65535");
    }
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException if the text is no address
   */
  public static Address parse(String text) {
    int marked = text.indexOf('~');
    String hostMark = marked < 0 ? "" : text.substring(marked + 1);
    String rest = marked < 0 ? text : text.substring(0, marked);
    int identified = rest.indexOf('#');
    String identity = identified < 0 ? "" : rest.substring(identified + 1);
    if (identified >= 0
        && (identity.length() != 2 * IDENTITY_BYTES
            || !identity.chars().allMatch(HexFormat::isHexDigit))) {
      throw malformed(text, "the text after '#' is no identity");
    }
    var routes = new ArrayList<Route>();
    for (String route : (identified < 0 ? rest : rest.substring(0, identified)).split(",", -1)) {
      routes.add(route(route, text));
    }
    if (routes.stream().noneMatch(Route.Direct.class::isInstance)) {
      throw malformed(text, "it has no direct route");
    }
    return new Address(routes, identity, hostMark);
  }

  private static Route route(String route, String text) {
    if (route.equals(Route.RELAY)) {
      return new Route.Relayed();
    }
    boolean tunnel = route.startsWith(Route.TUNNEL);
    Route.Direct direct =
        parseDirect(tunnel ? route.substring(Route.TUNNEL.length()) : route, text);
    return tunnel ? new Route.Tunnel(direct.host(), direct.number()) : direct;
  }

  private static Route.Direct parseDirect(String route, String text) {
    int colon = route.lastIndexOf(':');
    if (colon < 0) {
      throw malformed(text, "it has no port");
    }
    String host = route.substring(0, colon);
    boolean bracketed = host.length() > 2 && host.startsWith("[") && host.endsWith("]");
    if (!bracketed && host.contains(":")) {
      throw malformed(text, "an IPv6 address needs brackets");
    }
    try {
      int port = Integer.parseInt(route.substring(colon + 1));
      return direct(bracketed ? host.substring(1, host.length() - 1) : host, port);
    } catch (NumberFormatException e) {
      throw malformed(text, "its port is no number");
    }
  }

  private static IllegalArgumentException malformed(String text, String why) {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is no address: "
            + why
            + "; write host:port, such as 'h1:4011' or '[::1]:4011'");
  }

  /** Returns the host of the first direct route. */
  public String host() {
    return first().host();
  }

  /** Returns the port number on the port's own host, which all direct routes have in common. */
  public int port() {
    return first().number();
  }

  private Route.Direct first() {
    return routes.stream()
        .filter(Route.Direct.class::isInstance)
        .map(Route.Direct.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns this address with one more route: a listener there, as seen by the receivers of the
   * result, forwards every byte to the port, such as the remote forwarding of ssh or a {@code
   * PortForwarder}.
   *
   * @throws IllegalStateException if the port has no identity by which callers recognize it at the
   *     end of the tunnel; ports that listen on all addresses have one
   */
  public Address withTunnel(String host, int port) {
    if (identity.isEmpty()) {
      throw new IllegalStateException(
          "the port "
              + this
              + " has no identity by which callers could recognize it at the end of a tunnel; let it"
              + " listen on all addresses, or offer a relay");
    }
    check(host, port);
    var more = new ArrayList<Route>(routes);
    more.add(new Route.Tunnel(host, port));
    return new Address(more, identity, hostMark);
  }

  /** Returns the routes to the port, in no particular order of preference. */
  public List<Route> routes() {
    return routes;
  }

  /** Returns the identity that the port proves, in hexadecimal digits; empty for none. */
  public String identity() {
    return identity;
  }

  /** Returns the mark of the port's host; empty if unknown. */
  public String hostMark() {
    return hostMark;
  }

  /** Returns the first direct route, for messages. */
  public String name() {
    return first().toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Address that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** Returns the whole address, as {@link #parse} reads it. */
  @Override
  public String toString() {
    var known = text;
    if (known == null) {
      known =
          routes.stream().map(Route::toString).collect(Collectors.joining(","))
              + (identity.isEmpty() ? "" : "#" + identity)
              + (hostMark.isEmpty() ? "" : "~" + hostMark);
      text = known;
    }
    return known;
  }
}
