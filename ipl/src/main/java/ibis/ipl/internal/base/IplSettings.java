package ibis.ipl.internal.base;

import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisProperties;
import ibis.ipl.Location;
import ibis.util.IPUtils;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.OwnerOnly;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;

/** Reads secrets, addresses and locations from the properties. */
public final class IplSettings {

  /** The address of this host on which instances and servers listen. */
  public static final String LISTEN_ADDRESS = "ibis.listen.address";

  /** The default port of a server. */
  public static final int DEFAULT_PORT = 8888;

  /** The default secret, relative to the user's home directory. */
  private static final Path USERS_SECRET = Path.of(".troupe", "ibis.secret");

  private IplSettings() {}

  /** A secret; {@code loopbackOnly} restricts its use to the loopback address. */
  public record Access(Secret secret, boolean loopbackOnly) {}

  /**
   * Returns the secret that the properties name, or the user's default secret.
   *
   * @param create whether to create the user's secret if it does not exist
   */
  public static Access access(Properties properties, boolean create) throws IOException {
    String hex = properties.getProperty(IbisProperties.SECRET);
    String file = properties.getProperty(IbisProperties.SECRET_FILE);
    try {
      if (hex != null) {
        return new Access(Secret.parse(hex.strip()), false);
      }
      if (file != null) {
        return new Access(given(Path.of(file)), false);
      }
      return new Access(usersSecret(create), true);
    } catch (IllegalArgumentException e) {
      throw new IbisConfigurationException(
          "no secret in '"
              + (hex != null ? IbisProperties.SECRET : IbisProperties.SECRET_FILE)
              + "': "
              + e.getMessage(),
          e);
    }
  }

  private static Secret given(Path file) throws IOException {
    try {
      return Secret.read(file);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "there is no file '"
              + file
              + "', which '"
              + IbisProperties.SECRET_FILE
              + "' names; './troupe ibis-server --new-secret "
              + file
              + "' writes one, for the server and all members",
          e);
    }
  }

  private static Secret usersSecret(boolean create) throws IOException {
    Path file = Path.of(System.getProperty("user.home")).resolve(USERS_SECRET);
    try {
      return Secret.read(file);
    } catch (NoSuchFileException e) {
      if (create) {
        return newSecret(file);
      }
      throw new IOException(
          "this program was given no secret, and its user has none in '"
              + file
              + "'; start the server first, which makes one, or set '"
              + IbisProperties.SECRET_FILE
              + "'",
          e);
    }
  }

  /**
   * Creates the file atomically, so concurrent servers agree on one secret and readers see all of
   * it.
   */
  private static Secret newSecret(Path file) throws IOException {
    Files.createDirectories(file.getParent(), OwnerOnly.folder());
    Path draft = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
    Files.deleteIfExists(draft);
    Secret.random().write(draft);
    try {
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException _) {
      // Another server has created the user's secret first.
    } finally {
      Files.delete(draft);
    }
    return Secret.read(file);
  }

  /** Returns the server's address, or {@code null} if none is given. */
  public static @Nullable Address server(Properties properties) {
    String text = properties.getProperty(IbisProperties.SERVER_ADDRESS);
    return text == null || text.isBlank() ? null : serverAddress(text.strip());
  }

  public static Address serverAddress(String text) {
    try {
      if (MultiAddress.isOne(text)) {
        return MultiAddress.parse(text);
      }
      boolean hasPort = text.startsWith("[") ? text.contains("]:") : text.indexOf(':') >= 0;
      if (!hasPort || (!text.startsWith("[") && text.indexOf(':') != text.lastIndexOf(':'))) {
        String host = text.startsWith("[") ? text.substring(1, text.length() - 1) : text;
        return new Address(host, DEFAULT_PORT);
      }
      return Address.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IbisConfigurationException(
          "'" + IbisProperties.SERVER_ADDRESS + "' is wrong: " + e.getMessage(), e);
    }
  }

  /**
   * Opens the port of an instance, on the address from which it reaches its server.
   *
   * @param server may be {@code null}
   */
  public static Port open(Properties properties, Access access, @Nullable Address server)
      throws IOException {
    InetAddress address = listenAddress(properties, access, server);
    return Port.open(access.secret(), new InetSocketAddress(address, 0));
  }

  /**
   * Returns the address on which to listen.
   *
   * @param server the server to be reached from that address; {@code null} for none
   * @throws IbisConfigurationException if the address must be loopback for want of a secret and is
   *     not
   */
  public static InetAddress listenAddress(
      Properties properties, Access access, @Nullable Address server) throws IOException {
    String given = properties.getProperty(LISTEN_ADDRESS);
    InetAddress address;
    if (given != null) {
      address = ownAddress(given.strip());
    } else if (server != null) {
      address = addressTowards(server);
    } else if (access.loopbackOnly()) {
      address = InetAddress.getLoopbackAddress();
    } else {
      address = IPUtils.getLocalHostAddress();
    }
    if (access.loopbackOnly() && !address.isLoopbackAddress()) {
      throw new IbisConfigurationException(
          "without a secret of their own, servers and instances stay on loopback, and "
              + (given != null
                  ? "'" + LISTEN_ADDRESS + "' is " + given
                  : "the server is at " + server)
              + "; give both the same '"
              + IbisProperties.SECRET_FILE
              + "', with the secret that './troupe ibis-server --new-secret FILE' writes");
    }
    return address;
  }

  private static InetAddress ownAddress(String given) throws UnknownHostException {
    try {
      return InetAddress.getByName(given);
    } catch (UnknownHostException e) {
      var failure =
          new UnknownHostException(
              "there is no host '"
                  + given
                  + "'; correct '"
                  + LISTEN_ADDRESS
                  + "', which names an address of this host");
      failure.initCause(e);
      throw failure;
    }
  }

  /**
   * Returns the local address of the route to a server; connecting a datagram socket sends nothing.
   */
  private static InetAddress addressTowards(Address server) throws IOException {
    var there = new InetSocketAddress(server.host(), server.port());
    if (there.isUnresolved()) {
      throw new UnknownHostException(
          "there is no host '"
              + server.host()
              + "'; correct the property '"
              + IbisProperties.SERVER_ADDRESS
              + "'");
    }
    try (var probe = new DatagramSocket()) {
      probe.connect(there);
      return probe.getLocalAddress();
    }
  }

  public static LocationImpl location(Properties properties) {
    String given = properties.getProperty(IbisProperties.LOCATION);
    LocationImpl place = LocationImpl.ofThisHost(given == null ? Location.DEFAULT_LOCATION : given);
    String postfix = properties.getProperty(IbisProperties.LOCATION_POSTFIX);
    return given != null || postfix == null ? place : LocationImpl.parse(place + postfix);
  }
}
