package org.troupe.serialization.internal.coder;

/**
 * Finds the codec of a class. The registry implements it, which stands above the codecs because it
 * creates them.
 */
public interface CodecFinder {

  /**
   * Returns the codec of a class; for a class whose objects cannot travel, one that fails when it
   * is used.
   */
  Codec of(Class<?> type);
}
