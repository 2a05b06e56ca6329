package ibis.ipl.internal.base;

import ibis.ipl.Location;

/** Parses locations for the published packages, which cannot see {@link LocationImpl}. */
public final class LocationParser {

  private LocationParser() {}

  /** Parses levels separated by {@code @}; empty levels are skipped. */
  public static Location parse(String text) {
    return LocationImpl.parse(text);
  }
}
