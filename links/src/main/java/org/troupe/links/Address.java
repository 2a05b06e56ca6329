package org.troupe.links;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Where a port can be reached, as peers write it: {@code host:port}, or {@code [host]:port} if the
 * host is an IPv6 address.
 *
 * <p>A port that listens on several addresses, or for peers of other hosts that may not reach it,
 * is known by several such ways, separated by commas, and has an identity that it proves whichever
 * way a peer came: {@code 10.1.0.7:4011,192.168.3.7:4011,127.0.0.1:4011,relay#1f2e3d4c5b6a7988}.
 * Immutable; may travel, as text.
 */
public final class Address {

  /*
   * ways ["#" identity] ["~" host]. Two machines may have the same private address, and two hosts on
   * one machine always have the same loopback, with ports of one grid that have the same number:
   * so what answers has to prove the identity. The host says for whom loopback leads anywhere.
   */

  public static final int IDENTITY_BYTES = 8;

  private final List<Route> ways;
  private final String identity; // empty, or in hexadecimal
  private final String home; // the host's mark, empty if it does not matter

  /**
   * Makes an address with one way.
   *
   * @param host a host name or an IP address, without brackets
   * @param port from 1 to 65535
   * @throws IllegalArgumentException if the host is blank or the port out of range
   */
  public Address(String host, int port) {
    this(List.of(direct(host, port)), "", "");
  }

  public Address(List<Route> ways, String identity, String home) {
    this.ways = List.copyOf(ways);
    this.identity = identity;
    this.home = home;
  }

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
    String home = marked < 0 ? "" : text.substring(marked + 1);
    String rest = marked < 0 ? text : text.substring(0, marked);
    int identified = rest.indexOf('#');
    String identity = identified < 0 ? "" : rest.substring(identified + 1);
    if (identified >= 0
        && (identity.length() != 2 * IDENTITY_BYTES
            || !identity.chars().allMatch(HexFormat::isHexDigit))) {
      throw malformed(text, "what follows '#' is no identity");
    }
    var ways = new ArrayList<Route>();
    for (String way : (identified < 0 ? rest : rest.substring(0, identified)).split(",", -1)) {
      ways.add(way(way, text));
    }
    if (ways.stream().noneMatch(Route.Direct.class::isInstance)) {
      throw malformed(text, "it has no host of its own");
    }
    return new Address(ways, identity, home);
  }

  private static Route way(String way, String text) {
    if (way.equals(Route.RELAY)) {
      return new Route.Relayed();
    }
    boolean tunnel = way.startsWith(Route.TUNNEL);
    Route.Direct direct = parseDirect(tunnel ? way.substring(Route.TUNNEL.length()) : way, text);
    return tunnel ? new Route.Tunnel(direct.host(), direct.number()) : direct;
  }

  private static Route.Direct parseDirect(String way, String text) {
    int colon = way.lastIndexOf(':');
    if (colon < 0) {
      throw malformed(text, "it has no port");
    }
    String host = way.substring(0, colon);
    boolean bracketed = host.length() > 2 && host.startsWith("[") && host.endsWith("]");
    if (!bracketed && host.contains(":")) {
      throw malformed(text, "an IPv6 address needs brackets");
    }
    try {
      int port = Integer.parseInt(way.substring(colon + 1));
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

  /** Returns the host of its first way. */
  public String host() {
    return first().host();
  }

  /** Returns the port's number on its own host, which all ways to that host have in common. */
  public int port() {
    return first().number();
  }

  private Route.Direct first() {
    return ways.stream()
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
   * @throws IllegalStateException if the port has no identity, and so could not be told from others
   *     behind a foreign number; ports that listen on all addresses have one
   */
  public Address withTunnel(String host, int port) {
    if (identity.isEmpty()) {
      throw new IllegalStateException(
          "the port "
              + this
              + " has no identity to be recognised by at the end of a tunnel; have it listen on all"
              + " addresses, or offer a relay");
    }
    check(host, port);
    var more = new ArrayList<Route>(ways);
    more.add(new Route.Tunnel(host, port));
    return new Address(more, identity, home);
  }

  public List<Route> ways() {
    return ways;
  }

  public String identity() {
    return identity;
  }

  public String home() {
    return home;
  }

  /** Returns the first way and no more, for people. */
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
    return ways.stream().map(Route::toString).collect(Collectors.joining(","))
        + (identity.isEmpty() ? "" : "#" + identity)
        + (home.isEmpty() ? "" : "~" + home);
  }
}
