package org.troupe.activeobjects.internal.replay;

/**
 * The properties by which a replayed call is compared.
 *
 * @param call the call as messages show it
 * @param digest of its method and arguments
 */
public record CallFingerprint(String call, long digest) {

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

  /** Returns a digest of a sequence that is continued by one more element. */
  static long fold(long digest, long next) {
    return (Long.rotateLeft(digest, 5) ^ next) * MULTIPLIER;
  }
}
