package ibis.ipl.internal.registry;

import ibis.ipl.IbisConfigurationException;
import java.time.Duration;
import java.util.Properties;

/**
 * The properties of the central registry.
 *
 * @param heartbeat the longest interval between signs of life of a member
 * @param clientConnect how long a member tries to reach the server
 * @param serverConnect how long the server tries to reach a suspected member
 * @param exitOnServerFailure whether the JVM ends when the server is lost
 */
record CentralSettings(
    Duration heartbeat,
    Duration clientConnect,
    Duration serverConnect,
    boolean exitOnServerFailure) {

  static final String PREFIX = "ibis.registry.central.";
  static final String HEARTBEAT_INTERVAL = PREFIX + "heartbeat.interval";
  static final String CLIENT_CONNECT_TIMEOUT = PREFIX + "client.connect.timeout";
  static final String SERVER_CONNECT_TIMEOUT = PREFIX + "server.connect.timeout";
  static final String EXIT_ON_SERVER_FAILURE = PREFIX + "exit.on.server.failure";

  static CentralSettings of(Properties properties) {
    return new CentralSettings(
        seconds(properties, HEARTBEAT_INTERVAL, "120"),
        seconds(properties, CLIENT_CONNECT_TIMEOUT, "300"),
        seconds(properties, SERVER_CONNECT_TIMEOUT, "10"),
        Boolean.parseBoolean(properties.getProperty(EXIT_ON_SERVER_FAILURE, "false").strip()));
  }

  static Duration seconds(Properties properties, String name, String otherwise) {
    String text = properties.getProperty(name, otherwise).strip();
    try {
      double seconds = Double.parseDouble(text);
      if (seconds > 0 && seconds < Integer.MAX_VALUE) {
        return Duration.ofMillis(Math.max(1, Math.round(seconds * 1000)));
      }
    } catch (NumberFormatException _) {
      // Reported below, like a number out of range.
    }
    throw new IbisConfigurationException(
        "the property '"
            + name
            + "' is '"
            + text
            + "'; it is a time in seconds, such as 0.5 or 120");
  }
}
