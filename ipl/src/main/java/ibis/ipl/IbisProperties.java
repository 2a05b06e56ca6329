package ibis.ipl;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The names of the properties that programs and users set, and the default ones.
 *
 * <p>In increasing precedence: the built-in ones; {@code ibis.properties} on the class path; that
 * of the working directory; the file that {@code ibis.properties.file} names; the properties of the
 * JVM; those given to the factory.
 */
public final class IbisProperties {

  /** The prefix of all names. */
  public static final String PREFIX = "ibis.";

  /** The name of the default files. */
  public static final String PROPERTIES_FILENAME = "ibis.properties";

  /** Names one more properties file. */
  public static final String PROPERTIES_FILE = PREFIX + "properties.file";

  /** The pool to join; needed by the central and the gossip registry. */
  public static final String POOL_NAME = PREFIX + "pool.name";

  /** The number of instances in a closed world. */
  public static final String POOL_SIZE = PREFIX + "pool.size";

  /** The address of the server: a host, or host and port. */
  public static final String SERVER_ADDRESS = PREFIX + "server.address";

  /** Whether the server is a hub too; there are no hubs, so it has no effect. */
  public static final String SERVER_IS_HUB = PREFIX + "server.is.hub";

  /** Hubs to use; there are none, so it has no effect. */
  public static final String HUB_ADDRESSES = PREFIX + "hub.addresses";

  /** The implementation to use, or a stack of them with commas between, the top one first. */
  public static final String IMPLEMENTATION = PREFIX + "implementation";

  /** The path on which implementations are searched; by default the class path. */
  public static final String IMPLEMENTATION_PATH = PREFIX + "implementation.path";

  /** A starter class; known to old programs, without effect. */
  public static final String STARTER = PREFIX + "starter";

  /** The registry to use: central, gossip, null or the name of a class. */
  public static final String REGISTRY_IMPLEMENTATION = PREFIX + "registry.implementation";

  /** The location of this instance; see {@link Location#DEFAULT_LOCATION}. */
  public static final String LOCATION = PREFIX + "location";

  /** A colour for pictures of the pool; without effect. */
  public static final String LOCATION_COLOR = PREFIX + "location.color";

  /** Appended to the location if that is determined automatically. */
  public static final String LOCATION_POSTFIX = PREFIX + "location.postfix";

  /** Whether the factory explains its choice on standard error. */
  public static final String VERBOSE = PREFIX + "verbose";

  /** The secret that the members and their server share: 64 hexadecimal digits. */
  public static final String SECRET = PREFIX + "secret";

  /** A file with the secret, which only its owner may read; better than the property. */
  public static final String SECRET_FILE = PREFIX + "secret.file";

  private static final Properties HARDCODED = new Properties();
  private static final Map<String, String> DESCRIPTIONS = new LinkedHashMap<>();

  static {
    add(POOL_NAME, null, "name of the pool to join");
    add(POOL_SIZE, null, "number of instances of a closed world");
    add(
        SERVER_ADDRESS,
        null,
        "host, host:port or SmartSockets address of the server; the default port is 8888");
    add(SERVER_IS_HUB, "true", "no effect: there are no hubs");
    add(HUB_ADDRESSES, null, "no effect: there are no hubs");
    add(
        IMPLEMENTATION,
        null,
        "nickname or class of the implementation, or a stack of them, top first");
    add(IMPLEMENTATION_PATH, null, "where to look for implementations besides the class path");
    add(STARTER, null, "no effect");
    add(REGISTRY_IMPLEMENTATION, "central", "central, gossip, null or the name of a class");
    add(LOCATION, null, "where this instance runs, levels separated by '@'");
    add(LOCATION_POSTFIX, null, "appended to the location that is found by itself");
    add(LOCATION_COLOR, null, "no effect");
    add(PROPERTIES_FILE, null, "one more file with properties");
    add(VERBOSE, "false", "explain the choice of the implementation on standard error");
    add(SECRET, null, "the secret of members and server, 64 hexadecimal digits");
    add(SECRET_FILE, null, "a file with the secret that only its owner may read");
  }

  private IbisProperties() {}

  private static void add(String name, @Nullable String value, String description) {
    DESCRIPTIONS.put(name, description);
    if (value != null) {
      HARDCODED.setProperty(name, value);
    }
  }

  /** Returns a copy of the built-in properties. */
  public static Properties getHardcodedProperties() {
    var copy = new Properties();
    copy.putAll(HARDCODED);
    return copy;
  }

  /** Returns a short description of each property. */
  public static Map<String, String> getDescriptions() {
    return new LinkedHashMap<>(DESCRIPTIONS);
  }

  /**
   * Returns a copy of the defaults without the properties given to the factory; read once per JVM.
   */
  public static Properties getDefaultProperties() {
    return DefaultProperties.get();
  }
}
