package org.troupe.serialization.internal.wire;

import java.nio.ByteOrder;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.internal.classes.CodecFailure;

/** The numbers of the encoded form that the encoder, the decoder and the codecs agree on. */
public final class WireFormat {

  /*
   * Encoded form
   *
   * A body begins with one byte: the version with the byte order of arrays, and flags. Then follow
   * the number of roots and the roots or, for a call, its arguments like the fields of an object. A
   * reference is a number: NULL; BACK and a handle; ASIDE and an index into the side table; APART and
   * an index into the separate arrays; the tag of a platform class with a fixed number; or FIRST_TYPE
   * plus a type id. The last two are followed by the content of the object. In a slot whose declared
   * type is String, the reference is NULL, BACK and a handle, or the string itself, whose header is
   * greater by STRING than elsewhere. Elements of a collection that are all values of one class, such
   * as boxes, enum constants or dates, may have a shorter form: UNIFORM, the tag of their class, and
   * their contents.
   *
   * Handles
   *
   * Both sides number shared objects in the order in which their content begins, so handles are never
   * written. Objects that the encoder does not look up have handles, too, so that its optimizations
   * do not affect the decoder.
   */

  public static final int NULL = 0;
  public static final int BACK = 1;
  public static final int ASIDE = 2;
  public static final int APART = 3;

  /** The first tag of a platform class with a fixed number. */
  public static final int FIRST_LISTED = 4;

  /** The tag of strings, which are the first platform class with a fixed number. */
  public static final int STRING_TAG = FIRST_LISTED;

  /** In place of the tag of the first element: the class of all elements follows, once. */
  public static final int UNIFORM = 63;

  /** The tag of type id 0. */
  public static final int FIRST_TYPE = 64;

  /** The first byte of a body that was dropped for lack of memory. */
  public static final int TOO_LARGE = EncodedGraph.TOO_LARGE;

  private static final int LITTLE_ENDIAN = 0x10;
  private static final int BIG_ENDIAN = 0x11;

  /** A flag of the first byte: references in slots of final types have no tag. */
  public static final int UNTAGGED = 0x02;

  /** A flag of the first byte: the body consists of the arguments of a call. */
  public static final int FLAT = 0x04;

  /** Added to the header of a string in a slot whose declared type is String. */
  public static final int STRING = 2;

  private WireFormat() {}

  /** Returns the first byte of encodings of this JVM, without flags. */
  public static int order() {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN;
  }

  /** Returns the byte order of arrays after a first byte without flags. */
  static ByteOrder order(int first) {
    return switch (first) {
      case LITTLE_ENDIAN -> ByteOrder.LITTLE_ENDIAN;
      case BIG_ENDIAN -> ByteOrder.BIG_ENDIAN;
      case TOO_LARGE ->
          throw new CodecFailure(
              "it was larger than the free memory of the JVM that received it, and was dropped; send it in parts, or give that JVM more (-Xmx)");
      default ->
          throw new CodecFailure(
              "the first byte is of no known version; sender and receiver must run the same release");
    };
  }

  /** Returns the tag of a type id. */
  public static int tagOf(int typeId) {
    return FIRST_TYPE + typeId;
  }
}
