package ibis.ipl.server;

import ibis.ipl.internal.base.IplSettings;
import ibis.ipl.internal.registry.RegistryServer;
import ibis.ipl.registry.ControlPolicy;
import ibis.util.TypedProperties;
import java.io.IOException;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A server that knows any number of pools; several can be in one JVM. May be shared between
 * threads.
 *
 * <p>It takes the secret from the properties {@code ibis.secret} or {@code ibis.secret.file}.
 * Without one it listens on loopback only, and shares with its members the secret of their user,
 * which it reads from {@code ~/.troupe/ibis.secret} and creates if the file is absent.
 */
public final class Server implements ServerInterface {

  /** Names the address of this machine to listen on; for members too. */
  public static final String LISTEN_ADDRESS = IplSettings.LISTEN_ADDRESS;

  /** The beginning of the line that reports the address under the option {@code --remote}. */
  public static final String ADDRESS_LINE_PREFIX = "IBIS SERVER RUNNING ON: ";

  /** Stands after the address in that line. */
  public static final String ADDRESS_LINE_POSTFIX = "EOA";

  static final String REGISTRY = "registry";

  private final RegistryServer registry;
  private final TypedProperties properties;

  /**
   * Starts a server that admits every instance that knows the secret.
   *
   * @param properties overlay the built-in ones of {@link ServerProperties}; may be {@code null}
   * @throws IOException if the port is in use, or the secret cannot be read
   */
  public Server(Properties properties) throws IOException {
    this(properties, null);
  }

  /**
   * Starts a server that admits only the members that a policy accepts.
   *
   * @param properties overlay the built-in ones of {@link ServerProperties}; may be {@code null}
   * @param policy may be {@code null}
   * @throws IOException if the port is in use, or the secret cannot be read
   */
  public Server(Properties properties, @Nullable ControlPolicy policy) throws IOException {
    this.properties = ServerProperties.getHardcodedProperties();
    if (properties != null) {
      this.properties.addProperties(properties);
    }
    if (this.properties.getBooleanProperty(ServerProperties.HUB_ONLY)) {
      throw new IllegalArgumentException(
          "a server that is a hub and nothing else was asked for, and there are no hubs: members"
              + " connect to each other directly; leave out '"
              + ServerProperties.HUB_ONLY
              + "'");
    }
    int port = this.properties.getIntProperty(ServerProperties.PORT);
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException(
          "there is no port "
              + port
              + ", which '"
              + ServerProperties.PORT
              + "' names; ports are 1 to 65535, and 0 asks for a free one");
    }
    registry = new RegistryServer(this.properties, port, policy, log());
  }

  private Consumer<String> log() {
    boolean events = properties.getBooleanProperty(ServerProperties.PRINT_EVENTS);
    boolean statistics = properties.getBooleanProperty(ServerProperties.PRINT_STATS);
    // an option has requested these lines
    return line -> {
      if (events || (statistics && line.startsWith(RegistryServer.ENDED))) {
        System.err.println(line);
      }
    };
  }

  /** Returns the address for the property {@code ibis.server.address} of members. */
  @Override
  public String getAddress() {
    return registry.address().toString();
  }

  /** Returns the names of the services: the registry. */
  @Override
  public String[] getServiceNames() {
    return new String[] {REGISTRY};
  }

  /** Returns the addresses of the hubs: none, members connect to each other directly. */
  @Override
  public String[] getHubs() {
    return new String[0];
  }

  /** Takes the addresses of hubs; without effect, as there are none. */
  @Override
  public void addHubs(String... hubAddresses) {
    // Accepted without effect, for programs that pass their arguments on.
  }

  @Override
  public RegistryServiceInterface getRegistryService() {
    return new RegistryService(registry);
  }

  /** Returns the names of the pools that have members, sorted. */
  public String[] getPools() {
    return registry.pools().toArray(String[]::new);
  }

  /** Returns the members of a pool, in words and in order of joining. */
  public String[] getMembers(String poolName) {
    return registry.members(poolName).toArray(String[]::new);
  }

  /**
   * Ends the server and notifies its members, whose registries can no longer be used.
   *
   * @param timeoutMillis how long to wait for the pools to end by themselves; 0 waits for ever, -1
   *     does not wait
   */
  @Override
  public void end(long timeoutMillis) {
    registry.end(timeoutMillis);
  }

  @Override
  public String toString() {
    return "Ibis server at " + getAddress();
  }

  /** Runs a server until standard input ends; {@code --help} prints the options. */
  public static void main(String[] arguments) {
    System.exit(ServerCommand.run(arguments, System.in, System.out, System.err));
  }
}
