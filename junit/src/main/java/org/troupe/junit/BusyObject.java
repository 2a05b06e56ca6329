package org.troupe.junit;

/** The description of an active object that has requests. */
final class BusyObject {

  private BusyObject() {}

  /**
   * @param serving the method that it serves; empty if it serves none
   */
  static String line(String node, String type, int queued, String serving) {
    return "%s on node '%s': %s%d queued"
        .formatted(type, node, serving.isEmpty() ? "" : "serves " + serving + ", ", queued);
  }
}
