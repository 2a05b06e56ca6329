package ibis.ipl.internal.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The format of messages on a connection. */
public final class MessageChunk {

  /*
   * A connection carries messages, a message consists of chunks, and a chunk of a head and its data:
   *
   *   head   kind and flags 1 byte, length 4 bytes
   *   DATA   scalars, strings and arrays in the order of writing, split between any two bytes
   *   GRAPH  the result of one writeObject; a chunk of its own, so that a reader can skip it and
   *          still learn the types that it defines
   *   FAILED the sender aborted the message; the data is the reason
   *   NUDGE  empty; wakes the reader. Never inside a message
   *
   * The first chunk of a message has the flag FIRST, the last one LAST. With NUMBERED, the first eight
   * bytes of the message are its sequence number. NEW_STREAM begins a new stream of graphs, which
   * defines its types anew. All numbers are little-endian. A disconnecting sender announces it over the
   * control link (PortProtocol) and then ends the connection after its last message.
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

  /** The largest chunk: a round number that fits into an {@code int}. */
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
