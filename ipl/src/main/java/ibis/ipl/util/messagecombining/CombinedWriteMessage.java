package ibis.ipl.util.messagecombining;

import ibis.io.BufferedArrayOutputStream;
import ibis.io.IbisSerializationOutputStream;
import ibis.io.Replacer;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A message that is written to memory. */
final class CombinedWriteMessage implements WriteMessage {

  private final MessageCombiner combiner;
  private final SendPort port;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final BufferedArrayOutputStream data = new BufferedArrayOutputStream(bytes, 512);
  private final IbisSerializationOutputStream out;
  private boolean finished;

  CombinedWriteMessage(MessageCombiner combiner, SendPort port, @Nullable Replacer replacer) {
    this.combiner = combiner;
    this.port = port;
    try {
      out = new IbisSerializationOutputStream(data);
      if (replacer != null) {
        out.setReplacer(replacer);
      }
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
  }

  private IbisSerializationOutputStream out() throws IOException {
    if (finished) {
      throw new IOException("the message is finished; begin another one");
    }
    return out;
  }

  @Override
  public int send() throws IOException {
    out();
    return 0;
  }

  @Override
  public void sync(int ticket) throws IOException {
    out(); // all is copied when it is written
  }

  @Override
  public void flush() throws IOException {
    out(); // all is copied when it is written
  }

  @Override
  public void reset() throws IOException {
    out().reset();
  }

  @Override
  public long finish() throws IOException {
    out().flush();
    finished = true;
    combiner.finished(this, bytes.toByteArray());
    return bytes.size();
  }

  @Override
  public void finish(IOException exception) {
    finished = true;
    combiner.finished(this, null);
  }

  @Override
  public long bytesWritten() {
    return data.bytesWritten();
  }

  @Override
  public int capacity() {
    return -1;
  }

  @Override
  public int remaining() {
    return -1;
  }

  @Override
  public SendPort localPort() {
    return port;
  }

  @Override
  public void writeString(String value) throws IOException {
    out().writeString(value);
  }

  @Override
  public void writeObject(Object value) throws IOException {
    out().writeObject(value);
  }

  @Override
  public void writeByteBuffer(ByteBuffer value) throws IOException {
    byte[] copy = new byte[value.remaining()];
    value.get(copy);
    out().writeArray(copy);
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    out().writeBoolean(value);
  }

  @Override
  public void writeByte(byte value) throws IOException {
    out().writeByte(value);
  }

  @Override
  public void writeChar(char value) throws IOException {
    out().writeChar(value);
  }

  @Override
  public void writeShort(short value) throws IOException {
    out().writeShort(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    out().writeInt(value);
  }

  @Override
  public void writeLong(long value) throws IOException {
    out().writeLong(value);
  }

  @Override
  public void writeFloat(float value) throws IOException {
    out().writeFloat(value);
  }

  @Override
  public void writeDouble(double value) throws IOException {
    out().writeDouble(value);
  }

  @Override
  public void writeArray(boolean[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(boolean[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(byte[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(byte[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(char[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(char[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(short[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(short[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(int[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(int[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(long[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(long[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(float[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(float[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(double[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(double[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }

  @Override
  public void writeArray(Object[] value) throws IOException {
    out().writeArray(value);
  }

  @Override
  public void writeArray(Object[] value, int offset, int length) throws IOException {
    out().writeArray(value, offset, length);
  }
}
