package ibis.satin.impl;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The properties whose names begin with {@code satin.}.
 *
 * @param threads the number of workers of a JVM
 * @param closed whether the program begins when all nodes are there, and admits none later
 * @param algorithm how nodes steal
 * @param statistics whether counts are printed at the end
 * @param dropOrphans whether results of jobs whose parent's node was lost are computed anew
 */
record SatinProperties(
    int threads, boolean closed, Algorithm algorithm, boolean statistics, boolean dropOrphans) {

  private static final Logger LOGGER = System.getLogger(SatinProperties.class.getPackageName());

  private static final String PREFIX = "satin.";

  private static final Set<String> USED =
      Set.of(
          "satin.threads",
          "satin.closed",
          "satin.alg",
          "satin.stats",
          "satin.detailedStats",
          "satin.ft.naive",
          "satin.classes",
          "satin.so.waitTime");

  /** How a node chooses the one from which it steals. */
  enum Algorithm {
    /** Any, at random. */
    RS,
    /** Within the own cluster, and at the same time one of another cluster. */
    CRS,
    /** The master only. */
    MW
  }

  /**
   * Reads the properties of this JVM.
   *
   * @throws IllegalArgumentException if one has no valid value
   */
  static SatinProperties ofSystem() {
    Map<String, String> all = new TreeMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      if (name.startsWith(PREFIX)) {
        all.put(name, System.getProperty(name, ""));
      }
    }
    return of(all);
  }

  /**
   * Reads properties, and warns of those that do nothing.
   *
   * @throws IllegalArgumentException if one has no valid value
   */
  static SatinProperties of(Map<String, String> all) {
    Set<String> unused = new TreeSet<>(all.keySet());
    unused.removeAll(USED);
    if (!unused.isEmpty()) {
      LOGGER.log(Level.WARNING, "these properties do nothing here: {0}", String.join(", ", unused));
    }
    return new SatinProperties(
        threads(all.getOrDefault("satin.threads", "1")),
        isSet(all, "satin.closed"),
        algorithm(all.getOrDefault("satin.alg", "CRS")),
        isSet(all, "satin.stats") || isSet(all, "satin.detailedStats"),
        isSet(all, "satin.ft.naive"));
  }

  private static int threads(String value) {
    if (value.equals("all")) {
      return Runtime.getRuntime().availableProcessors();
    }
    try {
      int threads = Integer.parseInt(value.strip());
      if (threads > 0) {
        return threads;
      }
    } catch (NumberFormatException _) {
      // told below, with the choices
    }
    throw new IllegalArgumentException(
        "-Dsatin.threads=%s is no number of threads; give a number from 1, or 'all'"
            .formatted(value));
  }

  private static Algorithm algorithm(String value) {
    for (Algorithm each : Algorithm.values()) {
      if (each.name().equals(value.strip().toUpperCase(Locale.ROOT))) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "-Dsatin.alg=%s is no way to steal; choose from RS, CRS, MW".formatted(value));
  }

  /** A flag is set by its name alone, as programs of the time did, or by anything but "false". */
  private static boolean isSet(Map<String, String> all, String name) {
    String value = all.get(name);
    return value != null && !Set.of("false", "off", "0").contains(value.toLowerCase(Locale.ROOT));
  }
}
