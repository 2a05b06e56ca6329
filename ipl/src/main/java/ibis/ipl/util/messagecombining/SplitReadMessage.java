package ibis.ipl.util.messagecombining;

import ibis.io.BufferedArrayInputStream;
import ibis.io.IbisSerializationInputStream;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPortIdentifier;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** One message of a combined one. */
final class SplitReadMessage implements ReadMessage {

  private final MessageSplitter splitter;
  private final ReadMessage whole;
  private final int size;
  private final BufferedArrayInputStream data;
  private final IbisSerializationInputStream in;
  private boolean finished;

  SplitReadMessage(MessageSplitter splitter, ReadMessage whole, byte[] bytes) throws IOException {
    this.splitter = splitter;
    this.whole = whole;
    size = bytes.length;
    data = new BufferedArrayInputStream(new ByteArrayInputStream(bytes), 512);
    in = new IbisSerializationInputStream(data);
  }

  private IbisSerializationInputStream in() throws IOException {
    if (finished) {
      throw new IOException("the message is finished; receive another one");
    }
    return in;
  }

  @Override
  public long finish() throws IOException {
    in();
    finished = true;
    splitter.finished();
    return data.bytesRead();
  }

  @Override
  public void finish(IOException exception) {
    finished = true;
    splitter.finished();
  }

  @Override
  public long bytesRead() {
    return data.bytesRead();
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int remaining() {
    return size - (int) data.bytesRead();
  }

  @Override
  public ReceivePort localPort() {
    return whole.localPort();
  }

  @Override
  public long sequenceNumber() {
    return whole.sequenceNumber();
  }

  @Override
  public SendPortIdentifier origin() {
    return whole.origin();
  }

  @Override
  public String readString() throws IOException {
    return in().readString();
  }

  @Override
  public Object readObject() throws IOException, ClassNotFoundException {
    return in().readObject();
  }

  @Override
  public void readByteBuffer(ByteBuffer value) throws IOException, ReadOnlyBufferException {
    if (value.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    byte[] copy = new byte[value.remaining()];
    in().readArray(copy);
    value.put(copy);
  }

  @Override
  public boolean readBoolean() throws IOException {
    return in().readBoolean();
  }

  @Override
  public byte readByte() throws IOException {
    return in().readByte();
  }

  @Override
  public char readChar() throws IOException {
    return in().readChar();
  }

  @Override
  public short readShort() throws IOException {
    return in().readShort();
  }

  @Override
  public int readInt() throws IOException {
    return in().readInt();
  }

  @Override
  public long readLong() throws IOException {
    return in().readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return in().readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return in().readDouble();
  }

  @Override
  public void readArray(boolean[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(boolean[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(byte[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(byte[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(char[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(char[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(short[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(short[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(int[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(int[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(long[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(long[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(float[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(float[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(double[] destination) throws IOException {
    in().readArray(destination);
  }

  @Override
  public void readArray(double[] destination, int offset, int size) throws IOException {
    in().readArray(destination, offset, size);
  }

  @Override
  public void readArray(Object[] destination) throws IOException, ClassNotFoundException {
    in().readArray(destination);
  }

  @Override
  public void readArray(Object[] destination, int offset, int size)
      throws IOException, ClassNotFoundException {
    in().readArray(destination, offset, size);
  }
}
