package org.troupe.serialization;

/**
 * Counts of a serializer's work, kept if its builder enabled them.
 *
 * @param lookUps the number of look-ups of objects among those already encoded
 * @param objectsReused the number of objects decoded into objects of an earlier call, which {@link
 *     Reused} permits
 */
public record SerializationCounts(long lookUps, long objectsReused) {

  /** The counts before any work. */
  public static final SerializationCounts NONE = new SerializationCounts(0, 0);

  /** Returns the sums of the counts of two serializers. */
  public SerializationCounts plus(SerializationCounts other) {
    return new SerializationCounts(lookUps + other.lookUps, objectsReused + other.objectsReused);
  }

  /** Returns the difference from an earlier reading. */
  public SerializationCounts since(SerializationCounts earlier) {
    return new SerializationCounts(
        lookUps - earlier.lookUps, objectsReused - earlier.objectsReused);
  }
}
