package org.troupe.links.port;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.troupe.links.Secret;
import org.troupe.links.handshake.DriverPreferences;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.WireVersions;

/** Opens ports with versions, limits and drivers that programs cannot choose. */
public final class TestPorts {

  private TestPorts() {}

  public static Port open(
      Secret secret, InetSocketAddress bind, WireVersions versions, HandshakeLimits limits)
      throws IOException {
    return Port.open(secret, bind, versions, limits);
  }

  public static Port open(
      Secret secret,
      InetSocketAddress bind,
      WireVersions versions,
      HandshakeLimits limits,
      DriverPreferences drivers)
      throws IOException {
    return Port.open(secret, bind, versions, limits, drivers);
  }

  public static Port open(
      Secret secret,
      PortOptions options,
      WireVersions versions,
      HandshakeLimits limits,
      DriverPreferences drivers)
      throws IOException {
    return Port.open(secret, options, versions, limits, drivers);
  }
}
