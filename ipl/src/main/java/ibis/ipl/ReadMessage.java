package ibis.ipl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.jspecify.annotations.Nullable;

/**
 * A message that is being read. Used by one thread at a time.
 *
 * <p>Reads must match the writes in kind and count. The port delivers no other message until this
 * one is finished.
 */
public interface ReadMessage {

  /** The first sequence number of the messages of a send port. */
  long INITIAL_SEQNO = 1;

  /**
   * Finishes the message and drops its unread data; required after explicit receipt.
   *
   * @return the number of bytes read
   */
  long finish() throws IOException;

  /** Finishes the message because of an error, and closes its connection. */
  void finish(IOException exception);

  /** Returns the bytes read so far. */
  long bytesRead() throws IOException;

  /** Returns the size of the message in bytes; -1 if it is not known. */
  int size() throws IOException;

  /** Returns how many bytes can still be read; -1 if that is not known. */
  int remaining() throws IOException;

  ReceivePort localPort();

  /**
   * Returns the number of this message among those of all send ports of that name in the pool.
   *
   * @throws IbisConfigurationException if the port type has no numbered messages
   */
  long sequenceNumber();

  /** Returns the send port that wrote the message. */
  SendPortIdentifier origin();

  boolean readBoolean() throws IOException;

  byte readByte() throws IOException;

  char readChar() throws IOException;

  short readShort() throws IOException;

  int readInt() throws IOException;

  long readLong() throws IOException;

  float readFloat() throws IOException;

  double readDouble() throws IOException;

  @Nullable String readString() throws IOException;

  Object readObject() throws IOException, ClassNotFoundException;

  void readArray(boolean[] destination) throws IOException;

  void readArray(byte[] destination) throws IOException;

  void readArray(char[] destination) throws IOException;

  void readArray(short[] destination) throws IOException;

  void readArray(int[] destination) throws IOException;

  void readArray(long[] destination) throws IOException;

  void readArray(float[] destination) throws IOException;

  void readArray(double[] destination) throws IOException;

  void readArray(Object[] destination) throws IOException, ClassNotFoundException;

  void readArray(boolean[] destination, int offset, int size) throws IOException;

  void readArray(byte[] destination, int offset, int size) throws IOException;

  void readArray(char[] destination, int offset, int size) throws IOException;

  void readArray(short[] destination, int offset, int size) throws IOException;

  void readArray(int[] destination, int offset, int size) throws IOException;

  void readArray(long[] destination, int offset, int size) throws IOException;

  void readArray(float[] destination, int offset, int size) throws IOException;

  void readArray(double[] destination, int offset, int size) throws IOException;

  void readArray(Object[] destination, int offset, int size)
      throws IOException, ClassNotFoundException;

  /** Reads into the rest of a buffer. */
  void readByteBuffer(ByteBuffer value) throws IOException, ReadOnlyBufferException;
}
