package ibis.ipl;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A message that is being written. Used by one thread at a time. The program must not change
 * written data until {@link #finish()}, {@link #flush()} or a {@link #sync} returns.
 *
 * <p>Which kinds may be written depends on the serialization of the port type. After the end of the
 * message all methods that write throw.
 */
public interface WriteMessage {

  /** Hints that the data written so far may be sent. Returns a ticket for {@link #sync}. */
  int send() throws IOException;

  /** Waits until the program may change the data written before a {@link #send}. */
  void sync(int ticket) throws IOException;

  /** Sends the data written so far; the program may change it afterwards. */
  void flush() throws IOException;

  /** Forgets which objects were written: the same object, written again, is another copy. */
  void reset() throws IOException;

  /**
   * Ends the message, and lets the next one begin.
   *
   * @return the number of bytes, those of headers included, counted once however many receive them
   * @throws IOException if some receivers did not get the message
   */
  long finish() throws IOException;

  /** Ends the message because of an error; counts no bytes. */
  void finish(IOException exception);

  /** Returns the bytes of this message so far. */
  long bytesWritten() throws IOException;

  /** Returns how large a message can be, in bytes; -1 if there is no limit. */
  int capacity() throws IOException;

  /** Returns how many bytes can still be written; -1 if there is no limit. */
  int remaining() throws IOException;

  SendPort localPort();

  void writeBoolean(boolean value) throws IOException;

  void writeByte(byte value) throws IOException;

  void writeChar(char value) throws IOException;

  void writeShort(short value) throws IOException;

  void writeInt(int value) throws IOException;

  void writeLong(long value) throws IOException;

  void writeFloat(float value) throws IOException;

  void writeDouble(double value) throws IOException;

  void writeString(String value) throws IOException;

  /** Writes an object graph; preserves sharing and cycles within the message. */
  void writeObject(Object value) throws IOException;

  void writeArray(boolean[] value) throws IOException;

  void writeArray(byte[] value) throws IOException;

  void writeArray(char[] value) throws IOException;

  void writeArray(short[] value) throws IOException;

  void writeArray(int[] value) throws IOException;

  void writeArray(long[] value) throws IOException;

  void writeArray(float[] value) throws IOException;

  void writeArray(double[] value) throws IOException;

  void writeArray(Object[] value) throws IOException;

  void writeArray(boolean[] value, int offset, int length) throws IOException;

  void writeArray(byte[] value, int offset, int length) throws IOException;

  void writeArray(char[] value, int offset, int length) throws IOException;

  void writeArray(short[] value, int offset, int length) throws IOException;

  void writeArray(int[] value, int offset, int length) throws IOException;

  void writeArray(long[] value, int offset, int length) throws IOException;

  void writeArray(float[] value, int offset, int length) throws IOException;

  void writeArray(double[] value, int offset, int length) throws IOException;

  void writeArray(Object[] value, int offset, int length) throws IOException;

  /** Writes the remaining bytes of a buffer. */
  void writeByteBuffer(ByteBuffer value) throws IOException;
}
