package org.troupe.mpj.comm;

/** Numbers that stand for something else in place of a rank, a tag or a count. */
public final class NamedConstants {

  /** Any rank, as the source of a message. */
  public static final int ANY_SOURCE = -2;

  /** Any tag of a message. */
  public static final int ANY_TAG = -1;

  /** No rank, to which nothing is sent. */
  public static final int PROC_NULL = -3;

  /** A rank, count or colour that does not exist. */
  public static final int UNDEFINED = -32_766;

  private NamedConstants() {}
}
