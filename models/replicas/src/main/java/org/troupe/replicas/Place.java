package org.troupe.replicas;

/**
 * The answer of a sequencer to a write.
 *
 * @param number the place of the write; 0 if the asked member is no sequencer
 */
record Place(int epoch, long number) {

  static final Place NONE = new Place(0, 0);
}
