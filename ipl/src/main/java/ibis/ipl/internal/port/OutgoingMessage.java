package ibis.ipl.internal.port;

import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import ibis.ipl.internal.message.ArrayTypes;
import ibis.ipl.internal.message.ChunkOutput;
import ibis.ipl.internal.message.GraphEncoder;
import ibis.ipl.internal.message.SerializationKind;
import ibis.ipl.internal.message.StringHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message that is being written. Used by one thread at a time. */
final class OutgoingMessage implements WriteMessage {

  /*
   * Wire format by serialization kind. BYTE and DATA: the bare elements. IBIS and SUN: a primitive array
   * is preceded by its type and length, so that a mismatch is detected and readObject can create the
   * array; objects are graphs, as are arrays of objects, which are copied so that back references never
   * replace them. A string begins with a number: see StringHeader.
   */

  private final LinkSendPort port;
  private final SerializationKind serialization;
  private final ChunkOutput out;
  private final @Nullable GraphEncoder graphs;
  private @Nullable Map<String, Integer> strings;
  private boolean finished;
  private @Nullable IOException failure;
  private int ticket;

  OutgoingMessage(
      LinkSendPort port,
      SerializationKind serialization,
      ChunkOutput out,
      @Nullable GraphEncoder graphs) {
    this.port = port;
    this.serialization = serialization;
    this.out = out;
    this.graphs = graphs;
  }

  private void checkAlive() throws IOException {
    if (finished) {
      throw new IOException(
          "this message is finished; begin another with newMessage of send port '"
              + port.name()
              + "'");
    }
    if (failure != null) {
      throw new IOException(
          "this message has failed and accepts no more data: " + failure.getMessage(), failure);
    }
  }

  private void checkData(String what) throws IOException {
    checkAlive();
    if (serialization.hasOnlyBytes()) {
      throw refused(what, "serialization.data' or 'serialization.object");
    }
  }

  private IOException refused(String what, String capability) {
    return new IOException(
        "send port '"
            + port.name()
            + "' has '"
            + serialization
            + "' serialization, which cannot write "
            + what
            + "; give its type '"
            + capability
            + "'");
  }

  /** Records a failure, so that finishing the message reports it. */
  private <E extends IOException> E failed(E e) {
    failure = e;
    return e;
  }

  @Override
  public int send() throws IOException {
    checkAlive();
    return ++ticket;
  }

  @Override
  public void sync(int ticket) throws IOException {
    flush();
  }

  @Override
  public void flush() throws IOException {
    checkAlive();
    try {
      out.flush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void reset() throws IOException {
    checkAlive();
    if (graphs != null) {
      graphs.reset();
      strings = null;
    }
  }

  @Override
  public long finish() throws IOException {
    if (finished) {
      checkAlive();
    }
    finished = true;
    IOException failed = failure;
    long bytes = 0;
    if (failed == null) {
      try {
        bytes = out.finish();
      } catch (IOException e) {
        failed = e;
      }
    }
    end(failed);
    IOException lost = port.finished(failed == null, bytes);
    if (failed != null) {
      throw new IOException("the message was not sent: " + failed.getMessage(), failed);
    }
    if (lost != null) {
      throw lost;
    }
    return bytes;
  }

  @Override
  public void finish(IOException exception) {
    if (finished) {
      return;
    }
    finished = true;
    IOException failed = failure;
    if (failed == null) {
      failed = exception == null ? new IOException("its sender gave no reason") : exception;
    }
    end(failed);
    port.finished(false, 0);
  }

  private void end(@Nullable IOException failed) {
    if (failed == null) {
      if (graphs != null) {
        graphs.endMessage();
      }
      return;
    }
    boolean partlySent = out.hasLeft();
    try {
      out.fail(String.valueOf(failed.getMessage()));
    } catch (IOException _) {
      // the port has recorded the lost connection
    }
    if (graphs != null && (partlySent || graphs.isUsed())) {
      graphs.restart();
    }
  }

  @Override
  public long bytesWritten() throws IOException {
    return out.written();
  }

  @Override
  public int capacity() throws IOException {
    return -1;
  }

  @Override
  public int remaining() throws IOException {
    return -1;
  }

  @Override
  public SendPort localPort() {
    return port;
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    checkData("a boolean");
    try {
      out.writeByte(value ? 1 : 0);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeByte(byte value) throws IOException {
    checkAlive();
    try {
      out.writeByte(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeChar(char value) throws IOException {
    checkData("a char");
    try {
      out.writeChar(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeShort(short value) throws IOException {
    checkData("a short");
    try {
      out.writeShort(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeInt(int value) throws IOException {
    checkData("an int");
    try {
      out.writeInt(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeLong(long value) throws IOException {
    checkData("a long");
    try {
      out.writeLong(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeFloat(float value) throws IOException {
    checkData("a float");
    try {
      out.writeFloat(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeDouble(double value) throws IOException {
    checkData("a double");
    try {
      out.writeDouble(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeString(String value) throws IOException {
    checkData("a string");
    try {
      if (value == null) {
        writeNumber(StringHeader.NULL);
      } else if (!wroteRepeated(value)) {
        writeNewString(value);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private boolean wroteRepeated(String value) throws IOException {
    if (!serialization.hasObjects()) {
      return false;
    }
    if (strings == null) {
      strings = new IdentityHashMap<>();
    }
    Integer old = strings.putIfAbsent(value, strings.size());
    if (old == null) {
      return false;
    }
    writeNumber(StringHeader.REPEATED);
    writeNumber(old);
    return true;
  }

  private void writeNewString(String value) throws IOException {
    int length = value.length();
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    boolean narrow = bytes.length == length;
    for (int i = 0; i < length && narrow; i++) {
      narrow = value.charAt(i) <= 0xff;
    }
    writeNumber(StringHeader.FIRST_LENGTH + 2L * length + (narrow ? 0 : 1));
    if (narrow) {
      out.writeArray(ArrayTypes.BYTE, bytes, 0, length);
    } else {
      out.writeArray(ArrayTypes.CHAR, value.toCharArray(), 0, length);
    }
  }

  /** Writes a non-negative number; small ones take one byte. */
  private void writeNumber(long number) throws IOException {
    long rest = number;
    while (rest > 0x7f) {
      out.writeByte((int) rest | 0x80);
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  @Override
  public void writeObject(Object value) throws IOException {
    checkAlive();
    if (graphs == null) {
      throw refused("objects", "serialization.object");
    }
    writeGraph(graphs, value);
  }

  private void writeGraph(GraphEncoder graphs, Object value) throws IOException {
    try {
      ByteBuffer bytes = graphs.encode(value);
      out.writeGraph(bytes, graphs.beginsStream());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void writeElements(ArrayTypes elements, Object array, int offset, int length)
      throws IOException {
    if (elements == ArrayTypes.BYTE) {
      checkAlive();
    } else {
      checkData("arrays of anything but bytes");
    }
    elements.check(array, offset, length);
    try {
      if (graphs != null) {
        out.writeByte(elements.ordinal());
        out.writeInt(length);
      }
      out.writeArray(elements, array, offset, length);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void writeByteBuffer(ByteBuffer value) throws IOException {
    checkAlive();
    int length = value.remaining();
    try {
      if (graphs != null) {
        out.writeByte(ArrayTypes.BYTE.ordinal());
        out.writeInt(length);
      }
      out.write(MemorySegment.ofBuffer(value));
    } catch (IOException e) {
      throw failed(e);
    }
    value.position(value.limit());
  }

  @Override
  public void writeArray(boolean[] value) throws IOException {
    writeElements(ArrayTypes.BOOLEAN, value, 0, value.length);
  }

  @Override
  public void writeArray(byte[] value) throws IOException {
    writeElements(ArrayTypes.BYTE, value, 0, value.length);
  }

  @Override
  public void writeArray(char[] value) throws IOException {
    writeElements(ArrayTypes.CHAR, value, 0, value.length);
  }

  @Override
  public void writeArray(short[] value) throws IOException {
    writeElements(ArrayTypes.SHORT, value, 0, value.length);
  }

  @Override
  public void writeArray(int[] value) throws IOException {
    writeElements(ArrayTypes.INT, value, 0, value.length);
  }

  @Override
  public void writeArray(long[] value) throws IOException {
    writeElements(ArrayTypes.LONG, value, 0, value.length);
  }

  @Override
  public void writeArray(float[] value) throws IOException {
    writeElements(ArrayTypes.FLOAT, value, 0, value.length);
  }

  @Override
  public void writeArray(double[] value) throws IOException {
    writeElements(ArrayTypes.DOUBLE, value, 0, value.length);
  }

  @Override
  public void writeArray(Object[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  @Override
  public void writeArray(boolean[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.BOOLEAN, value, offset, length);
  }

  @Override
  public void writeArray(byte[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.BYTE, value, offset, length);
  }

  @Override
  public void writeArray(char[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.CHAR, value, offset, length);
  }

  @Override
  public void writeArray(short[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.SHORT, value, offset, length);
  }

  @Override
  public void writeArray(int[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.INT, value, offset, length);
  }

  @Override
  public void writeArray(long[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.LONG, value, offset, length);
  }

  @Override
  public void writeArray(float[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.FLOAT, value, offset, length);
  }

  @Override
  public void writeArray(double[] value, int offset, int length) throws IOException {
    writeElements(ArrayTypes.DOUBLE, value, offset, length);
  }

  @Override
  public void writeArray(Object[] value, int offset, int length) throws IOException {
    checkAlive();
    if (graphs == null) {
      throw refused("arrays of objects", "serialization.object");
    }
    Objects.checkFromIndexSize(offset, length, value.length);
    writeGraph(graphs, Arrays.copyOfRange(value, offset, offset + length));
  }
}
