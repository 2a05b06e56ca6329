package org.troupe.transport.ibis;

import java.util.List;
import java.util.Locale;
import org.troupe.links.Driver;

/** Selects the driver of all links that are opened from now on. */
final class Drivers {

  private static final String PROPERTY = "troupe.links";

  private Drivers() {}

  /** The drivers that the tests run over. */
  static List<Driver> all() {
    return List.of(Driver.values());
  }

  static void only(Driver driver) {
    System.setProperty(PROPERTY, name(driver));
  }

  static String option(Driver driver) {
    return "-D" + PROPERTY + "=" + name(driver);
  }

  private static String name(Driver driver) {
    return driver.name().toLowerCase(Locale.ROOT);
  }

  static void any() {
    System.clearProperty(PROPERTY);
  }
}
