package org.troupe.serialization;

/**
 * Counts of a serializer's work, kept if its builder enabled them.
 *
 * @param lookUps how often an object was looked for among those already met
 * @param objectsReused how many objects were read into ones of a call before, as {@link Reused}
 *     permits
 */
public record SerializationCounts(long lookUps, long objectsReused) {

  /** Nothing yet. */
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
