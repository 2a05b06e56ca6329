package ibis.ipl.internal.base;

import ibis.ipl.Location;

/** Makes locations for the packages beside this one. */
public final class LocationParser {

  private LocationParser() {}

  /** Reads levels with {@code @} between them; empty ones are left out. */
  public static Location parse(String text) {
    return LocationImpl.parse(text);
  }
}
