package org.troupe.mpj.comm;

import java.util.List;

/** The collective operations, as errors name them. */
enum CollectiveKind {
  BARRIER("Barrier", false),
  BROADCAST("Bcast", true),
  GATHER("Gather", true),
  SCATTER("Scatter", true),
  GATHER_TO_ALL("Allgather", false),
  ALL_TO_ALL("Alltoall", false),
  REDUCE("Reduce", true),
  REDUCE_TO_ALL("Allreduce", false),
  REDUCE_SCATTER("Reduce_scatter", false),
  SCAN("Scan", false),
  /** What makes, divides or frees communicators. */
  AGREE("the making of a communicator", false);

  private static final List<CollectiveKind> ALL = List.of(values());
  private static final int ROOT_BITS = 12;
  private static final int SEQUENCE_BITS = 13;

  /** The number of calls after which sequence numbers begin again. */
  static final int SEQUENCES = 1 << SEQUENCE_BITS;

  private final String words;
  private final boolean hasRoot;

  CollectiveKind(String words, boolean hasRoot) {
    this.words = words;
    this.hasRoot = hasRoot;
  }

  /** Returns the tag of the messages of a call. */
  int tag(int root, int sequence) {
    return ordinal() << ROOT_BITS + SEQUENCE_BITS
        | (root & (1 << ROOT_BITS) - 1) << SEQUENCE_BITS
        | sequence & SEQUENCES - 1;
  }

  static int sequence(int tag) {
    return tag & SEQUENCES - 1;
  }

  /** Returns {@code Bcast with root 0}. */
  static String describe(int tag) {
    var number = tag >> ROOT_BITS + SEQUENCE_BITS;
    if (number < 0 || number >= ALL.size()) {
      return "an unknown operation";
    }
    var kind = ALL.get(number);
    return kind.hasRoot
        ? kind.words + " with root " + (tag >> SEQUENCE_BITS & (1 << ROOT_BITS) - 1)
        : kind.words;
  }
}
