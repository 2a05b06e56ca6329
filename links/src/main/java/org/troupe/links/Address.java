package org.troupe.links;

import java.util.Objects;

/**
 * Where a port listens, as peers write it: {@code host:port}, or {@code [host]:port} if the host is
 * an IPv6 address. Immutable; may travel.
 *
 * @param host a host name or an IP address, without brackets
 * @param port from 1 to 65535
 */
public record Address(String host, int port) {

  /**
   * Checks host and port.
   *
   * @throws IllegalArgumentException if the host is blank or the port out of range
   */
  public Address {
    Objects.requireNonNull(host, "host");
    if (host.isBlank() || host.contains("[") || host.contains("]")) {
      throw new IllegalArgumentException(
          "'" + host + "' is no host; write a host name or an IP address without brackets");
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException(
          "port " + port + " of host '" + host + "' is out of range; use 1 to 65535");
    }
  }

  /**
   * Reads what {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text is not of the form {@code host:port} or {@code
   *     [host]:port}
   */
  public static Address parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw malformed(text, "it has no port");
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.length() > 2 && host.startsWith("[") && host.endsWith("]");
    if (!bracketed && host.contains(":")) {
      throw malformed(text, "an IPv6 address needs brackets");
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return new Address(bracketed ? host.substring(1, host.length() - 1) : host, port);
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

  /** Returns {@code host:port}, as {@link #parse} reads it. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
