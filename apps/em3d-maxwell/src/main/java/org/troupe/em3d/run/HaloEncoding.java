package org.troupe.em3d.run;

import java.util.Locale;

/** How the border values for a neighbour travel, in each half step. */
public enum HaloEncoding {

  /** As one array. */
  ARRAYS,

  /**
   * As a linked list with an object for each vector, which is what the first solver of this kind in
   * Java sent. Slow on purpose: it shows what a transport makes of objects.
   */
  OBJECTS;

  /** Its name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
