package ibis.ipl.server;

import ibis.ipl.internal.base.IplSettings;
import ibis.util.TypedProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of the properties of a server. */
public final class ServerProperties {

  /** The prefix of all names. */
  public static final String PREFIX = "ibis.server.";

  /** The port to listen on, 8888 by default; 0 for any free one. */
  public static final String PORT = PREFIX + "port";

  /** Whether to print the events of the pools on standard error. */
  public static final String PRINT_EVENTS = PREFIX + "print.events";

  /** Whether to print stack traces of errors on standard error. */
  public static final String PRINT_ERRORS = PREFIX + "print.errors";

  /** Whether to print the statistics of a pool when it ends. */
  public static final String PRINT_STATS = PREFIX + "print.stats";

  /** Whether to obey commands on standard input. */
  public static final String REMOTE = PREFIX + "remote";

  /** Whether to start a hub too; there are no hubs, so it has no effect. */
  public static final String START_HUB = PREFIX + "start.hub";

  /** Whether to be a hub and nothing else; refused. */
  public static final String HUB_ONLY = PREFIX + "hub.only";

  /** Hubs to use; there are none, so it has no effect. */
  public static final String HUB_ADDRESSES = PREFIX + "hub.addresses";

  /** A file for the address of the hub; there is none, so it has no effect. */
  public static final String HUB_ADDRESS_FILE = PREFIX + "hub.address.file";

  /** The default port. */
  public static final int DEFAULT_PORT = IplSettings.DEFAULT_PORT;

  private static final TypedProperties HARDCODED = new TypedProperties();
  private static final Map<String, String> DESCRIPTIONS = new LinkedHashMap<>();

  static {
    add(PORT, Integer.toString(DEFAULT_PORT), "port to listen on; 0 to be given a free one");
    add(PRINT_EVENTS, "false", "print the events of the pools on standard error");
    add(PRINT_ERRORS, "false", "print stack traces of errors on standard error");
    add(PRINT_STATS, "false", "print what was counted in a pool when it ends");
    add(REMOTE, "false", "obey commands on standard input");
    add(START_HUB, "true", "no effect: there are no hubs");
    add(HUB_ONLY, "false", "refused if set: there are no hubs");
    add(HUB_ADDRESSES, null, "no effect: there are no hubs");
    add(HUB_ADDRESS_FILE, null, "no effect: there are no hubs");
  }

  private ServerProperties() {}

  private static void add(String name, @Nullable String value, String description) {
    DESCRIPTIONS.put(name, description);
    if (value != null) {
      HARDCODED.setProperty(name, value);
    }
  }

  /** Returns a copy of the built-in properties. */
  public static TypedProperties getHardcodedProperties() {
    return new TypedProperties(HARDCODED);
  }

  /** Returns a short description of each property. */
  public static Map<String, String> getDescriptions() {
    return new LinkedHashMap<>(DESCRIPTIONS);
  }
}
