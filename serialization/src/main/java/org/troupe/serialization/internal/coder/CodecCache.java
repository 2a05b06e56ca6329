package org.troupe.serialization.internal.coder;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The codecs of one message, by tag: a direct-mapped cache in front of the sender's types. */
final class CodecCache {

  private static final int SIZE = 16;

  private final Codec[] codecs = new Codec[SIZE];
  private final int[] tags = new int[SIZE];
  private @Nullable ForeignTypes types;
  private boolean used;

  /** The codec found last, as the next object is most often of the same class. */
  private int lastTag;

  private @Nullable Codec last;

  void begin(ForeignTypes sender) {
    types = sender;
  }

  /** Forgets the sender. */
  void reset() {
    types = null;
    if (used) {
      Arrays.fill(codecs, null);
      Arrays.fill(tags, 0);
      used = false;
      lastTag = 0;
      last = null;
    }
  }

  /** Returns the sender's types. */
  ForeignTypes types() {
    return Objects.requireNonNull(types, "set while something is decoded");
  }

  /** Returns the codec for a tag. */
  Codec of(int tag) {
    if (tag == lastTag) {
      return Objects.requireNonNull(last, "set with lastTag");
    }
    int place = tag & SIZE - 1;
    return tags[place] == tag ? codecs[place] : ofNewTag(tag, place);
  }

  private Codec ofNewTag(int tag, int place) {
    Codec codec = types().codec(tag);
    used = true;
    codecs[place] = codec;
    tags[place] = tag;
    last = codec;
    lastTag = tag;
    return codec;
  }
}
