package ibis.ipl.internal.port;

import ibis.ipl.IbisConfigurationException;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.internal.message.ArrayTypes;
import ibis.ipl.internal.message.ChunkInput;
import ibis.ipl.internal.message.GraphDecoder;
import ibis.ipl.internal.message.SerializationKind;
import ibis.ipl.internal.message.StringHeader;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message that is being read. Used by one thread at a time. */
final class IncomingMessage implements ReadMessage {

  private static final System.Logger LOG = System.getLogger(IncomingMessage.class.getPackageName());

  /** The message of the upcall on this thread. */
  private static final ThreadLocal<IncomingMessage> HERE = new ThreadLocal<>();

  private final InboundConnection from;
  private final LinkReceivePort port;
  private final SerializationKind serialization;
  private final ChunkInput in;
  private final @Nullable GraphDecoder graphs;
  private final long number;
  private final Thread receiver = Thread.currentThread();
  private @Nullable List<String> strings;
  private volatile boolean finished;

  private boolean inUpcall;
  private volatile boolean handedOver;

  IncomingMessage(InboundConnection from) {
    this.from = from;
    this.port = from.port();
    this.serialization = port.serialization();
    this.in = from.input();
    this.graphs = from.graphs();
    this.number = in.number();
  }

  /** Returns the unfinished message of the upcall that runs on this thread, or {@code null}. */
  static @Nullable IncomingMessage unfinishedHere() {
    IncomingMessage here = HERE.get();
    return here == null || here.finished ? null : here;
  }

  /** Returns the thread that received the message, or runs its upcall. */
  Thread receiver() {
    return receiver;
  }

  /** Runs the upcall, and finishes the message afterwards if the upcall has not. */
  void runUpcall(MessageUpcall upcall) {
    inUpcall = true;
    HERE.set(this);
    try {
      upcall.upcall(this);
      if (endUpcall()) {
        long _ = port.finished(this, from, null);
      }
    } catch (IOException e) {
      failed(e, e);
    } catch (ClassNotFoundException e) {
      failed(e, new IOException(e.getMessage(), e));
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "an upcall of " + port + " failed", e);
      failed(e, new IOException("the upcall failed: " + e, e));
    } finally {
      HERE.remove();
    }
  }

  private void failed(Throwable thrown, IOException cause) {
    if (endUpcall()) {
      if (thrown instanceof IOException || thrown instanceof ClassNotFoundException) {
        LOG.log(
            thrown instanceof ChunkInput.BrokenException ? Level.DEBUG : Level.WARNING,
            "an upcall of {0} failed: {1}; its connection with {2} is closed",
            port,
            thrown,
            from.origin());
      }
      long _ = port.finished(this, from, cause);
    } else if (thrown instanceof Exception) {
      LOG.log(
          Level.WARNING, "an upcall of " + port + " failed after it finished its message", thrown);
    }
  }

  /** Claims the finishing of the message; returns true to one caller only. */
  private synchronized boolean claimFinish() {
    if (finished) {
      return false;
    }
    finished = true;
    handedOver = inUpcall;
    return true;
  }

  private synchronized boolean endUpcall() {
    inUpcall = false;
    return claimFinish();
  }

  /**
   * Returns whether the upcall finished the message before it returned, in which case another
   * thread must read on. Valid once the message is finished.
   */
  boolean isHandedOver() {
    return handedOver;
  }

  private void checkAlive() throws IOException {
    if (finished) {
      throw new IOException(
          "this message is finished; get another from receive port '" + port.name() + "'");
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
        "receive port '"
            + port.name()
            + "' has '"
            + serialization
            + "' serialization, which cannot hold "
            + what
            + "; give its type '"
            + capability
            + "'");
  }

  @Override
  public long finish() throws IOException {
    if (!claimFinish()) {
      checkAlive();
    }
    return port.finished(this, from, null);
  }

  @Override
  public void finish(IOException exception) {
    if (claimFinish()) {
      long _ =
          port.finished(
              this,
              from,
              exception == null ? new IOException("the reader gave no reason") : exception);
    }
  }

  @Override
  public long bytesRead() throws IOException {
    checkAlive();
    return in.read();
  }

  @Override
  public int size() throws IOException {
    return -1;
  }

  @Override
  public int remaining() throws IOException {
    return -1;
  }

  @Override
  public ReceivePort localPort() {
    return port;
  }

  @Override
  public long sequenceNumber() {
    if (!port.getPortType().hasCapability(PortType.COMMUNICATION_NUMBERED)) {
      throw new IbisConfigurationException(
          "messages of receive port '"
              + port.name()
              + "' have no numbers; give its type '"
              + PortType.COMMUNICATION_NUMBERED
              + "'");
    }
    return number;
  }

  @Override
  public SendPortIdentifier origin() {
    return from.origin();
  }

  @Override
  public boolean readBoolean() throws IOException {
    checkData("a boolean");
    return in.readByte() != 0;
  }

  @Override
  public byte readByte() throws IOException {
    checkAlive();
    return in.readByte();
  }

  @Override
  public char readChar() throws IOException {
    checkData("a char");
    return in.readChar();
  }

  @Override
  public short readShort() throws IOException {
    checkData("a short");
    return in.readShort();
  }

  @Override
  public int readInt() throws IOException {
    checkData("an int");
    return in.readInt();
  }

  @Override
  public long readLong() throws IOException {
    checkData("a long");
    return in.readLong();
  }

  @Override
  public float readFloat() throws IOException {
    checkData("a float");
    return in.readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    checkData("a double");
    return in.readDouble();
  }

  @Override
  public @Nullable String readString() throws IOException {
    checkData("a string");
    long header = readNumber();
    if (header == StringHeader.NULL) {
      return null;
    }
    if (!serialization.hasObjects()) {
      return readString(header);
    }
    if (strings == null) {
      strings = new ArrayList<>();
    }
    if (header == StringHeader.REPEATED) {
      long index = readNumber();
      if (index >= strings.size()) {
        throw new IOException(
            "the next item in the message is no string; read the items as they were written, in order");
      }
      return strings.get((int) index);
    }
    String string = readString(header);
    strings.add(string);
    return string;
  }

  private String readString(long header) throws IOException {
    long rest = header - StringHeader.FIRST_LENGTH;
    if (rest < 0 || rest >>> 1 > Integer.MAX_VALUE - 8) {
      throw new IOException(
          "the next item in the message is no string; read the items as they were written, in order");
    }
    return in.readString((int) (rest >>> 1), (rest & 1) != 0);
  }

  private long readNumber() throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
      byte next = in.readByte();
      number |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IOException(
        "the next item in the message is no string; read the items as they were written, in order");
  }

  @Override
  public Object readObject() throws IOException, ClassNotFoundException {
    checkAlive();
    if (graphs == null) {
      throw refused("objects", "serialization.object");
    }
    if (in.isGraphNext()) {
      return readGraph(graphs);
    }
    ArrayTypes elements = readElements();
    return in.readNewArray(elements, readLength(elements));
  }

  private Object readGraph(GraphDecoder graphs) throws IOException, ClassNotFoundException {
    int length = in.left();
    boolean newStream = in.isNewStream();
    byte[] bytes = in.readGraph(length);
    try {
      return graphs.decode(bytes, in.graphOffset(), length, newStream);
    } catch (IOException | ClassNotFoundException e) {
      LOG.log(
          Level.ERROR,
          "{0} cannot read an object of {1}: {2}",
          port,
          from.origin(),
          e.getMessage());
      throw e;
    }
  }

  private ArrayTypes readElements() throws IOException {
    byte type = in.readByte();
    ArrayTypes elements = ArrayTypes.numbered(type);
    if (elements == null) {
      throw new IOException(
          "the next item in the message is neither an array nor an object; read what was written,"
              + " in its order");
    }
    return elements;
  }

  private int readLength(ArrayTypes elements) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      throw new IOException(
          "the next item in the message is no "
              + elements.name(0)
              + "; read what was written, in its order");
    }
    return length;
  }

  /** Reads an array that was written as a whole into part of another. */
  private void readElements(ArrayTypes elements, Object into, int offset, int length)
      throws IOException {
    if (elements == ArrayTypes.BYTE) {
      checkAlive();
    } else {
      checkData("arrays of anything but bytes");
    }
    elements.check(into, offset, length);
    if (graphs == null) {
      in.readArray(elements, into, offset, length);
      return;
    }
    if (in.isGraphNext()) {
      copy(readArrayGraph(), elements, into, offset, length);
      return;
    }
    ArrayTypes written = readElements();
    int writtenLength = readLength(written);
    if (written != elements || writtenLength != length) {
      throw otherArray(written.name(writtenLength), elements.name(length));
    }
    in.readArray(elements, into, offset, length);
  }

  private Object readArrayGraph() throws IOException {
    try {
      return readGraph(Objects.requireNonNull(graphs, "the message holds a graph"));
    } catch (ClassNotFoundException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void copy(Object graph, ArrayTypes elements, Object into, int offset, int length)
      throws IOException {
    if (ArrayTypes.of(graph) != elements || Array.getLength(graph) != length) {
      throw otherArray(describe(graph), elements.name(length));
    }
    System.arraycopy(graph, 0, into, offset, length);
  }

  private static String describe(Object graph) {
    if (graph == null) {
      return "null";
    }
    Class<?> type = graph.getClass();
    return type.isArray()
        ? type.getComponentType().getTypeName() + "[" + Array.getLength(graph) + "]"
        : "an object of class " + type.getName();
  }

  private static IOException otherArray(String written, String read) {
    return new IOException(
        "the sender wrote " + written + ", but " + read + " was read; read what was written");
  }

  @Override
  public void readByteBuffer(ByteBuffer value) throws IOException {
    checkAlive();
    if (value.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    int length = value.remaining();
    if (graphs != null && in.isGraphNext()) {
      byte[] bytes = new byte[length];
      copy(readArrayGraph(), ArrayTypes.BYTE, bytes, 0, length);
      value.put(bytes);
      return;
    }
    if (graphs != null) {
      ArrayTypes written = readElements();
      int writtenLength = readLength(written);
      if (written != ArrayTypes.BYTE || writtenLength != length) {
        throw otherArray(
            written.name(writtenLength), "a byte buffer with room for " + length + " bytes");
      }
    }
    in.readFully(MemorySegment.ofBuffer(value));
    value.position(value.limit());
  }

  @Override
  public void readArray(boolean[] destination) throws IOException {
    readElements(ArrayTypes.BOOLEAN, destination, 0, destination.length);
  }

  @Override
  public void readArray(byte[] destination) throws IOException {
    readElements(ArrayTypes.BYTE, destination, 0, destination.length);
  }

  @Override
  public void readArray(char[] destination) throws IOException {
    readElements(ArrayTypes.CHAR, destination, 0, destination.length);
  }

  @Override
  public void readArray(short[] destination) throws IOException {
    readElements(ArrayTypes.SHORT, destination, 0, destination.length);
  }

  @Override
  public void readArray(int[] destination) throws IOException {
    readElements(ArrayTypes.INT, destination, 0, destination.length);
  }

  @Override
  public void readArray(long[] destination) throws IOException {
    readElements(ArrayTypes.LONG, destination, 0, destination.length);
  }

  @Override
  public void readArray(float[] destination) throws IOException {
    readElements(ArrayTypes.FLOAT, destination, 0, destination.length);
  }

  @Override
  public void readArray(double[] destination) throws IOException {
    readElements(ArrayTypes.DOUBLE, destination, 0, destination.length);
  }

  @Override
  public void readArray(Object[] destination) throws IOException, ClassNotFoundException {
    readArray(destination, 0, destination.length);
  }

  @Override
  public void readArray(boolean[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.BOOLEAN, destination, offset, size);
  }

  @Override
  public void readArray(byte[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.BYTE, destination, offset, size);
  }

  @Override
  public void readArray(char[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.CHAR, destination, offset, size);
  }

  @Override
  public void readArray(short[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.SHORT, destination, offset, size);
  }

  @Override
  public void readArray(int[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.INT, destination, offset, size);
  }

  @Override
  public void readArray(long[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.LONG, destination, offset, size);
  }

  @Override
  public void readArray(float[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.FLOAT, destination, offset, size);
  }

  @Override
  public void readArray(double[] destination, int offset, int size) throws IOException {
    readElements(ArrayTypes.DOUBLE, destination, offset, size);
  }

  @Override
  public void readArray(Object[] destination, int offset, int size)
      throws IOException, ClassNotFoundException {
    checkAlive();
    if (graphs == null) {
      throw refused("arrays of objects", "serialization.object");
    }
    Objects.checkFromIndexSize(offset, size, destination.length);
    if (!in.isGraphNext()) {
      throw new IOException(
          "the next item in the message is no array of objects; read what was written, in its"
              + " order");
    }
    Object graph = readGraph(graphs);
    String expected = destination.getClass().getComponentType().getTypeName() + "[" + size + "]";
    if (!(graph instanceof Object[] array) || array.length != size) {
      throw otherArray(describe(graph), expected);
    }
    try {
      System.arraycopy(array, 0, destination, offset, size);
    } catch (ArrayStoreException e) {
      throw new IOException(
          "the sender wrote " + describe(graph) + ", which does not fit into " + expected, e);
    }
  }
}
