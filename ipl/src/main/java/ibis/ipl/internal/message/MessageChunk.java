package ibis.ipl.internal.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The form of what a connection carries. */
public final class MessageChunk {

  /*
   * A connection carries messages, a message is chunks, a chunk is a head and so many bytes:
   *
   *   head   kind and flags 1, length 4
   *   DATA   scalars, strings and arrays as they were written, cut anywhere between bytes
   *   GRAPH  what one writeObject gave; alone in its chunk, so that a reader who does not want it
   *          can pass over it and still learn the types that it defines
   *   FAILED the sender gave the message up; the bytes say why
   *   NUDGE  nothing; wakes whoever reads. Never inside a message
   *
   * The first chunk of a message has FIRST, the last LAST. With NUMBERED, the first eight bytes of
   * the message are its number. NEW_STREAM says that the graphs from here on are those of a new
   * stream, which defines its types anew. All numbers are little-endian. A sender who disconnects
   * says so on another way (Control) and then ends the connection after its last message.
   */

  static final int DATA = 1;
  static final int GRAPH = 2;
  static final int FAILED = 3;
  public static final int NUDGE = 4;
  static final int KIND = 0x0f;

  static final int FIRST = 0x10;
  static final int LAST = 0x20;
  static final int NUMBERED = 0x40;
  static final int NEW_STREAM = 0x80;

  public static final int HEAD = 5;

  /** The most bytes in one chunk: what an {@code int} holds, and round. */
  static final int LARGEST = 1 << 30;

  static final VarHandle SHORT = view(short[].class);
  static final VarHandle CHAR = view(char[].class);
  static final VarHandle INT = view(int[].class);
  static final VarHandle LONG = view(long[].class);
  static final VarHandle FLOAT = view(float[].class);
  static final VarHandle DOUBLE = view(double[].class);

  static final boolean NATIVE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private MessageChunk() {}

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }
}
