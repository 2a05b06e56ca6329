package org.troupe.activeobjects.internal.listing;

import java.util.List;

/** The objects of one node that take part in a round of trials, at one moment. */
public record TrialReport(List<Line> objects) {

  /**
   * One of them.
   *
   * @param isProved whether nothing outside the images of objects on trial refers to it
   * @param names the objects that its image names
   */
  public record Line(long number, boolean isProved, List<ObjectName> names) {}
}
