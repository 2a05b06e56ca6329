package org.troupe.tasks.nodes;

import org.jspecify.annotations.Nullable;

/** The kinds of packets between task nodes. A tag is a kind and its subject, a number. */
enum PacketKind {
  /** Asks for jobs. */
  STEAL,
  /** Brings a batch of jobs. */
  TASKS,
  /** Says that there are none. */
  REFUSED,
  /** Brings the result of a job. */
  RESULT,
  /** Brings the failure of a job. */
  FAILED,
  /** Gives a job back that has not been begun, or was cancelled. */
  RETURNED,
  /** Says that a job was cancelled. */
  ABORT,
  /** Says why the jobs of a batch could not be decoded. */
  UNREAD,
  /** Asks for jobs as soon as there are some. */
  LIFELINE,
  /** Gives a batch back that has not been decoded. */
  UNTOUCHED,
  /** Names jobs whose owner was lost. */
  SAVED,
  /** Asks for the result of such a job. */
  CLAIM,
  /** Says that there are jobs for which the receiver has the label. */
  OFFER,
  /** Brings a job that has a label of the receiver. */
  LABELLED;

  private static final int BITS = 8;
  private static final PacketKind[] ALL = values();

  long tag(long subject) {
    return subject << BITS | ordinal();
  }

  static long subject(long tag) {
    return tag >>> BITS;
  }

  /** Returns the kind of a tag; {@code null} if there is none. */
  static @Nullable PacketKind of(long tag) {
    int code = (int) tag & (1 << BITS) - 1;
    return code < ALL.length ? ALL[code] : null;
  }
}
