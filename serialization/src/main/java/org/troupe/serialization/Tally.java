package org.troupe.serialization;

/**
 * What a serializer has counted, if its builder asked for it.
 *
 * @param lookUps how often an object was looked for among those already met
 * @param objectsReused how many objects were read into ones of a call before, as {@link Reused}
 *     permits
 */
public record Tally(long lookUps, long objectsReused) {

  /** Nothing yet. */
  public static final Tally NONE = new Tally(0, 0);

  /** Returns what two serializers have counted together. */
  public Tally plus(Tally other) {
    return new Tally(lookUps + other.lookUps, objectsReused + other.objectsReused);
  }

  /** Returns what was counted since an earlier reading. */
  public Tally since(Tally earlier) {
    return new Tally(lookUps - earlier.lookUps, objectsReused - earlier.objectsReused);
  }
}
