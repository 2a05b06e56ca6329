package ibis.ipl.internal;

import static ibis.ipl.internal.Instances.receive;
import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.result;
import static ibis.ipl.internal.Instances.send;
import static ibis.ipl.internal.Instances.sender;
import static ibis.ipl.internal.Instances.start;
import static java.lang.System.Logger.Level.ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.Ibis;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.EOFException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.testing.LogRecords;

/** What messages hold: the checks 9 to 14 of the layer's specification. */
@Timeout(60)
class ContentsTest {

  private static final PortType IBIS =
      Instances.type(PortType.CONNECTION_ONE_TO_ONE, PortType.SERIALIZATION_OBJECT_IBIS);
  private static final PortType SUN =
      Instances.type(PortType.CONNECTION_ONE_TO_ONE, PortType.SERIALIZATION_OBJECT_SUN);
  private static final PortType DATA =
      Instances.type(PortType.CONNECTION_ONE_TO_ONE, PortType.SERIALIZATION_DATA);
  private static final PortType BYTE =
      Instances.type(PortType.CONNECTION_ONE_TO_ONE, PortType.SERIALIZATION_BYTE);

  @AutoClose private final Instances instances = new Instances(IBIS, SUN, DATA, BYTE);

  private final Ibis here = instances.add();
  private final Ibis there = instances.add();

  private ReceivePort in;
  private SendPort out;
  private FutureTask<Long> sending;

  private void connect(String serialization) throws IOException {
    in =
        receiver(
            there,
            Instances.type(PortType.CONNECTION_ONE_TO_ONE, "serialization." + serialization),
            "in");
    out = sender(here, in);
  }

  /** Something that a message can be given. */
  interface Writing {
    void to(WriteMessage message) throws IOException;
  }

  /** Sends a message of its own thread's, which may be larger than what is under way at most. */
  private ReadMessage sent(Writing writing) throws Exception {
    sending =
        start(
            () -> {
              WriteMessage message = out.newMessage();
              writing.to(message);
              return message.finish();
            });
    return in.receive();
  }

  private void checkNextIsIntact() throws Exception {
    ReadMessage next = sent(message -> message.writeByte((byte) 42));
    assertThat(next.readByte()).isEqualTo((byte) 42);
    next.finish();
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "object.ibis", "object.sun"})
  void scalarsAndStringsKeepTheirValues(String serialization) throws Exception {
    connect(serialization);
    String wide = "gr\u00fc\u00df \u4e16\ud83d\ude00 \udc00";
    String large = "x".repeat(3_000_000);
    ReadMessage message =
        sent(
            m -> {
              m.writeBoolean(true);
              m.writeByte((byte) -7);
              m.writeChar('\uffff');
              m.writeShort(Short.MIN_VALUE);
              m.writeInt(Integer.MIN_VALUE);
              m.writeLong(Long.MAX_VALUE);
              m.writeFloat(Float.MIN_VALUE);
              m.writeDouble(-0.0);
              m.writeString("");
              m.writeString(null);
              m.writeString(wide);
              m.writeString(large);
              m.writeString(wide);
            });
    assertThat(message.readBoolean()).isTrue();
    assertThat(message.readByte()).isEqualTo((byte) -7);
    assertThat(message.readChar()).isEqualTo('\uffff');
    assertThat(message.readShort()).isEqualTo(Short.MIN_VALUE);
    assertThat(message.readInt()).isEqualTo(Integer.MIN_VALUE);
    assertThat(message.readLong()).isEqualTo(Long.MAX_VALUE);
    assertThat(message.readFloat()).isEqualTo(Float.MIN_VALUE);
    assertThat(message.readDouble()).isEqualTo(-0.0);
    assertThat(message.readString()).isEmpty();
    assertThat(message.readString()).isNull();
    String first = message.readString();
    assertThat(first).isEqualTo(wide);
    assertThat(message.readString()).isEqualTo(large);
    String again = message.readString();
    assertThat(again).isEqualTo(wide);
    if (!serialization.equals("data")) {
      assertThat(again).isSameAs(first);
    }
    assertThat(message.finish()).isPositive();
  }

  /** 9. */
  @ParameterizedTest
  @ValueSource(strings = {"byte", "data", "object.ibis", "object.sun"})
  void unreadDataIsPassedOver(String serialization) throws Exception {
    connect(serialization);
    byte[] large = new byte[3_000_000];
    ReadMessage message =
        sent(
            m -> {
              m.writeByte((byte) 1);
              m.writeArray(large);
              m.writeByte((byte) 2);
            });
    assertThat(message.readByte()).isEqualTo((byte) 1);
    message.finish();
    assertThatThrownBy(message::readByte).isInstanceOf(IOException.class);
    assertThatThrownBy(message::finish).isInstanceOf(IOException.class);
    checkNextIsIntact();
  }

  /** 9: a type that only an unread object described is known later all the same. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void unreadObjectsArePassedOver(String serialization) throws Exception {
    connect(serialization);
    ReadMessage message =
        sent(
            m -> {
              m.writeObject(new Pair("a", 1));
              m.writeInt(1);
              m.writeObject(new Pair("b", 2));
            });
    message.finish();
    for (int i = 0; i < 3; i++) {
      int number = i;
      ReadMessage next = sent(m -> m.writeObject(new Pair("c", number)));
      assertThat(next.readObject()).isEqualTo(new Pair("c", number));
      next.finish();
    }
  }

  /** 9. */
  @ParameterizedTest
  @ValueSource(strings = {"byte", "data", "object.ibis", "object.sun"})
  void readingPastTheEndSaysSo(String serialization) throws Exception {
    connect(serialization);
    ReadMessage message = sent(m -> m.writeByte((byte) 1));
    assertThat(message.readByte()).isEqualTo((byte) 1);
    assertThatThrownBy(message::readByte)
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("no more");
    assertThatThrownBy(message::readByte).isInstanceOf(EOFException.class);
    message.finish();
    checkNextIsIntact();
  }

  /** 9. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void anArrayOfAnotherLengthOrTypeSaysSo(String serialization) throws Exception {
    connect(serialization);
    ReadMessage message =
        sent(
            m -> {
              m.writeArray(new int[] {1, 2, 3});
            });
    assertThatThrownBy(() -> message.readArray(new int[4]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("int[3]")
        .hasMessageContaining("int[4]");
    message.finish();
    checkNextIsIntact();

    ReadMessage other = sent(m -> m.writeArray(new String[] {"a"}));
    assertThatThrownBy(() -> other.readArray(new Integer[1])).isInstanceOf(IOException.class);
    other.finish();
    checkNextIsIntact();
  }

  /** 9. */
  @Test
  void anArrayThatIsReadTooLongEndsWithTheMessage() throws Exception {
    connect("data");
    ReadMessage message = sent(m -> m.writeArray(new int[] {1, 2, 3}));
    assertThatThrownBy(() -> message.readArray(new int[100_000])).isInstanceOf(EOFException.class);
    message.finish();
    checkNextIsIntact();
  }

  private static Object[] arrays(int length, long seed) {
    var random = new Random(seed);
    boolean[] booleans = new boolean[length];
    byte[] bytes = new byte[length];
    char[] chars = new char[length];
    short[] shorts = new short[length];
    int[] ints = new int[length];
    long[] longs = new long[length];
    float[] floats = new float[length];
    double[] doubles = new double[length];
    for (int i = 0; i < length; i++) {
      booleans[i] = random.nextBoolean();
      bytes[i] = (byte) random.nextInt();
      chars[i] = (char) random.nextInt();
      shorts[i] = (short) random.nextInt();
      ints[i] = random.nextInt();
      longs[i] = random.nextLong();
      floats[i] = random.nextFloat();
      doubles[i] = random.nextDouble();
    }
    return new Object[] {booleans, bytes, chars, shorts, ints, longs, floats, doubles};
  }

  private static void write(WriteMessage m, Object array, int offset, int length)
      throws IOException {
    switch (array) {
      case boolean[] a -> m.writeArray(a, offset, length);
      case byte[] a -> m.writeArray(a, offset, length);
      case char[] a -> m.writeArray(a, offset, length);
      case short[] a -> m.writeArray(a, offset, length);
      case int[] a -> m.writeArray(a, offset, length);
      case long[] a -> m.writeArray(a, offset, length);
      case float[] a -> m.writeArray(a, offset, length);
      case double[] a -> m.writeArray(a, offset, length);
      default -> throw new AssertionError(array);
    }
  }

  private static void read(ReadMessage m, Object array, int offset, int length) throws IOException {
    switch (array) {
      case boolean[] a -> m.readArray(a, offset, length);
      case byte[] a -> m.readArray(a, offset, length);
      case char[] a -> m.readArray(a, offset, length);
      case short[] a -> m.readArray(a, offset, length);
      case int[] a -> m.readArray(a, offset, length);
      case long[] a -> m.readArray(a, offset, length);
      case float[] a -> m.readArray(a, offset, length);
      case double[] a -> m.readArray(a, offset, length);
      default -> throw new AssertionError(array);
    }
  }

  /** 10. */
  @ParameterizedTest
  @ValueSource(strings = {"data", "object.ibis", "object.sun"})
  void slicesOfArraysOfAllKinds(String serialization) throws Exception {
    connect(serialization);
    for (int length : new int[] {0, 1, 3, 1_000, 5_000, 20_001, 300_000}) {
      Object[] written = arrays(length + 7, length);
      ReadMessage message =
          sent(
              m -> {
                for (Object array : written) {
                  m.writeByte((byte) 9); // so that nothing is aligned
                  write(m, array, 5, length);
                }
              });
      Object[] read = arrays(length + 7, -1);
      Object[] expected = arrays(length + 7, -1);
      for (int i = 0; i < read.length; i++) {
        assertThat(message.readByte()).isEqualTo((byte) 9);
        read(message, read[i], 3, length);
        System.arraycopy(written[i], 5, expected[i], 3, length);
      }
      message.finish();
      assertThat(Arrays.deepEquals(read, expected)).as("%d elements", length).isTrue();
    }
  }

  /** 10. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void arraysOfObjectsShareWithTheRestOfTheMessage(String serialization) throws Exception {
    connect(serialization);
    Pair shared = new Pair("shared", 1);
    Pair[] array = {null, shared, shared, new Pair("b", 2), null};
    ReadMessage message =
        sent(
            m -> {
              m.writeArray(array, 1, 3);
              m.writeObject(shared);
              m.writeArray(array);
            });
    Object[] read = new Object[4];
    message.readArray(read, 1, 3);
    assertThat(read).containsExactly(null, shared, shared, new Pair("b", 2));
    assertThat(message.readObject()).isSameAs(read[1]).isSameAs(read[2]);
    Object again = message.readObject();
    assertThat(again).isInstanceOf(Pair[].class);
    assertThat(((Pair[]) again)[1]).isSameAs(read[1]);
    message.finish();
  }

  /** 10. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void readObjectTakesWhatWriteArrayWrote(String serialization) throws Exception {
    connect(serialization);
    int[] large = new int[700_000];
    Arrays.setAll(large, i -> i);
    ReadMessage message =
        sent(
            m -> {
              m.writeArray(new boolean[] {true, false});
              m.writeArray(large);
              m.writeByteBuffer(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}, 1, 2));
              m.writeObject(new long[] {5});
              m.writeArray(new byte[] {6, 7});
            });
    assertThat(message.readObject()).isEqualTo(new boolean[] {true, false});
    assertThat(message.readObject()).isEqualTo(large);
    assertThat(message.readObject()).isEqualTo(new byte[] {2, 3});
    long[] one = new long[1];
    message.readArray(one);
    assertThat(one).containsExactly(5);
    ByteBuffer buffer = ByteBuffer.allocate(2);
    message.readByteBuffer(buffer);
    assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {6, 7}));
    message.finish();
  }

  /** 10. */
  @ParameterizedTest
  @ValueSource(strings = {"byte", "data", "object.ibis", "object.sun"})
  void byteBuffersOfAllKinds(String serialization) throws Exception {
    connect(serialization);
    for (int size : new int[] {0, 10, 100_000}) {
      byte[] bytes = new byte[size + 8];
      new Random(size).nextBytes(bytes);
      ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
      ByteBuffer[] written = {
        ByteBuffer.wrap(bytes, 4, size),
        ByteBuffer.wrap(bytes, 4, size).asReadOnlyBuffer(),
        ByteBuffer.wrap(bytes, 4, size).slice(),
        direct.slice(4, size)
      };
      ReadMessage message =
          sent(
              m -> {
                for (ByteBuffer each : written) {
                  m.writeByteBuffer(each);
                }
              });
      byte[] expected = Arrays.copyOfRange(bytes, 4, 4 + size);
      ByteBuffer heap = ByteBuffer.allocate(size + 3).position(3);
      message.readByteBuffer(heap);
      assertThat(heap.hasRemaining()).isFalse();
      assertThat(heap.position(3)).isEqualTo(ByteBuffer.wrap(expected));
      ByteBuffer other = ByteBuffer.allocateDirect(size);
      message.readByteBuffer(other);
      assertThat(other.flip()).isEqualTo(ByteBuffer.wrap(expected));
      byte[] array = new byte[size];
      message.readArray(array);
      assertThat(array).isEqualTo(expected);
      assertThatThrownBy(() -> message.readByteBuffer(heap.asReadOnlyBuffer()))
          .isInstanceOf(ReadOnlyBufferException.class);
      message.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"byte", "data"})
  void whatAFormCannotHoldIsRefused(String serialization) throws Exception {
    connect(serialization);
    ReadMessage message =
        sent(
            m -> {
              assertThatThrownBy(() -> m.writeObject("a")).hasMessageContaining("serialization");
              assertThatThrownBy(() -> m.writeArray(new Object[1])).isInstanceOf(IOException.class);
              if (serialization.equals("byte")) {
                assertThatThrownBy(() -> m.writeInt(1)).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> m.writeString("")).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> m.writeArray(new int[1])).isInstanceOf(IOException.class);
              }
              m.writeByte((byte) 3);
            });
    assertThatThrownBy(message::readObject).isInstanceOf(IOException.class);
    assertThat(message.readByte()).isEqualTo((byte) 3);
    message.finish();
  }

  /** 11. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void identityAndCyclesAreKeptWithinAMessageAndNotBeyond(String serialization) throws Exception {
    connect(serialization);
    var ring = new Ring();
    ring.next = ring;
    ReadMessage message =
        sent(
            m -> {
              m.writeObject(ring);
              m.writeObject(ring);
              m.reset();
              m.writeObject(ring);
            });
    Ring first = (Ring) message.readObject();
    assertThat(first.next).isSameAs(first);
    assertThat(message.readObject()).isSameAs(first);
    assertThat(message.readObject()).isNotSameAs(first);
    message.finish();
    ring.number = 5;
    ReadMessage next = sent(m -> m.writeObject(ring));
    assertThat(((Ring) next.readObject()).number).isEqualTo(5);
    next.finish();
  }

  /** 11. */
  @Test
  void aListOfAMillionLinksOverflowsNoStack() throws Exception {
    connect("object.ibis");
    Ring head = null;
    for (int i = 0; i < 1_000_000; i++) {
      var link = new Ring();
      link.next = head;
      link.number = i;
      head = link;
    }
    Ring written = head;
    ReadMessage message = sent(m -> m.writeObject(written));
    int count = 0;
    for (Ring at = (Ring) message.readObject(); at != null; at = at.next) {
      count++;
    }
    message.finish();
    assertThat(count).isEqualTo(1_000_000);
  }

  /** 12. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void objectsOfManyKinds(String serialization) throws Exception {
    connect(serialization);
    Map<String, List<Integer>> map = new TreeMap<>(Map.of("a", List.of(1, 2)));
    Comparable<?> proxy =
        (Comparable<?>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Comparable.class}, new Always(3));
    List<Object> objects =
        List.of(
            new ArrayList<>(List.of(1, "b", 2.5)),
            new HashMap<>(map),
            map,
            new LinkedList<>(List.of('c')),
            new Date(1_000_000),
            LocalDate.of(2001, 4, 23),
            new BigInteger("12345678901234567890"),
            Colour.GREEN,
            new Pair("record", 7),
            new Hooked("secret"),
            new Outside(17),
            Single.ONLY,
            new int[][] {{1}, {2, 3}, null},
            String.class);
    ReadMessage message =
        sent(
            m -> {
              m.writeObject(objects);
              m.writeObject(new IllegalStateException("told"));
              m.writeObject(proxy);
            });
    List<?> read = (List<?>) message.readObject();
    assertThat(read.subList(0, 12)).isEqualTo(objects.subList(0, 12));
    assertThat(read.get(11)).isSameAs(Single.ONLY);
    assertThat((int[][]) read.get(12)).isDeepEqualTo((int[][]) objects.get(12));
    assertThat(read.get(13)).isEqualTo(String.class);
    assertThat((Throwable) message.readObject())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("told");
    Comparable<?> readProxy = (Comparable<?>) message.readObject();
    assertThat(readProxy.compareTo(null)).isEqualTo(3);
    message.finish();
  }

  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void identifiersOfPortsTravel(String serialization) throws Exception {
    connect(serialization);
    ReadMessage message =
        sent(
            m -> {
              m.writeObject(in.identifier());
              m.writeObject(out.identifier());
              m.writeObject(here.identifier());
            });
    ReceivePortIdentifier read = (ReceivePortIdentifier) message.readObject();
    assertThat(read).isEqualTo(in.identifier());
    assertThat(message.readObject()).isEqualTo(out.identifier());
    assertThat(message.readObject()).isEqualTo(here.identifier());
    message.finish();
    assertThat(result(sending)).isPositive();
    out.disconnect(read);
    out.connect(read);
  }

  /** 13. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void anObjectThatCannotTravelCostsItsMessageOnly(String serialization) throws Exception {
    connect(serialization);
    WriteMessage message = out.newMessage();
    message.writeObject(new Pair("before", 1));
    assertThatThrownBy(() -> message.writeObject(List.of(new Thread("cannot travel"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Thread");
    assertThatThrownBy(() -> message.writeInt(1)).isInstanceOf(IOException.class);
    assertThatThrownBy(message::finish).isInstanceOf(IOException.class);

    ReadMessage next = sent(m -> m.writeObject(new Pair("after", 2)));
    assertThat(next.readObject()).isEqualTo(new Pair("after", 2));
    next.finish();
    assertThat(out.connectedTo()).hasSize(1);
  }

  /** 13: also when some of it has left already; its reader hears of it. */
  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void aMessageGivenUpHalfWayEndsAtItsReader(String serialization) throws Exception {
    connect(serialization);
    WriteMessage message = out.newMessage();
    message.writeObject(new Pair("before", 1));
    message.flush();
    assertThatThrownBy(() -> message.writeObject(new Thread("cannot travel")))
        .isInstanceOf(IOException.class);
    message.finish(new IOException("not needed: the first failure counts"));

    ReadMessage half = in.receive();
    assertThat(half.readObject()).isEqualTo(new Pair("before", 1));
    assertThatThrownBy(half::readObject)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gave up")
        .hasMessageContaining("Thread");
    half.finish();
    ReadMessage next = sent(m -> m.writeObject(new Pair("after", 2)));
    assertThat(next.readObject()).isEqualTo(new Pair("after", 2));
    next.finish();
  }

  /** 14. */
  @Test
  void anUnconnectedPortSwallowsWhatIsWritten() throws Exception {
    SendPort alone = here.createSendPort(IBIS);
    WriteMessage message = alone.newMessage();
    message.writeArray(new double[100_000]);
    message.writeObject(List.of("a"));
    assertThat(message.bytesWritten()).isGreaterThanOrEqualTo(800_000);
    message.flush();
    assertThat(message.finish()).isGreaterThanOrEqualTo(800_000);
    WriteMessage given = alone.newMessage();
    given.writeInt(1);
    given.finish(new IOException("no matter"));
    given.finish(new IOException("again"));
    alone.close();
  }

  @Test
  void flushSendAndSyncLetDataGoEarly() throws Exception {
    connect("object.ibis");
    WriteMessage message = out.newMessage();
    int[] array = new int[50_000];
    array[7] = 1;
    message.writeArray(array);
    int ticket = message.send();
    message.sync(ticket);
    array[7] = 2;
    message.writeInt(3);
    message.flush();

    ReadMessage read = in.receive();
    int[] received = new int[50_000];
    read.readArray(received);
    assertThat(received[7]).isEqualTo(1);
    assertThat(read.readInt()).isEqualTo(3);
    message.writeInt(4);
    message.finish();
    assertThat(read.readInt()).isEqualTo(4);
    read.finish();
  }

  @Test
  void theFormOfObjectsCanBeChosenByAProperty() throws Exception {
    var sun = new Properties();
    sun.setProperty("ibis.io.serialization.object.default", "sun");
    PortType plain = Instances.type(PortType.CONNECTION_ONE_TO_ONE);
    try (var others = new Instances(plain)) {
      ReceivePort port = receiver(others.add(sun), plain, "in");
      SendPort sender = sender(others.add(sun), port);
      WriteMessage message = sender.newMessage();
      assertThatThrownBy(() -> message.writeObject(new NotSerializableHere()))
          .isInstanceOf(IOException.class);
      message.finish(new IOException("as expected"));
      send(sender, 1);
      assertThat(receive(port)).isEqualTo(1);
    }
  }

  /** Puts words in the place of numbers. */
  public static final class Spelling implements ibis.io.Replacer {
    @Override
    public Object replace(Object object) {
      return object instanceof Pair(String name, int number) && number > 0
          ? new Pair(name + " " + number, 0)
          : object;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"object.ibis", "object.sun"})
  void aReplacerGivesOtherObjectsToTravel(String serialization) throws Exception {
    connect(serialization);
    out.close(); // has sent nothing
    var properties = new Properties();
    properties.setProperty("ibis.serialization.replacer", Spelling.class.getName());
    out = here.createSendPort(in.getPortType(), "replacing", null, properties);
    out.connect(in.identifier());
    ReadMessage message = sent(m -> m.writeObject(List.of(new Pair("a", 3), new Pair("b", 0))));
    assertThat(message.readObject()).isEqualTo(List.of(new Pair("a 3", 0), new Pair("b", 0)));
    message.finish();
  }

  @Test
  void whatIsNotAllowedIsNotMade(LogRecords records) throws Exception {
    connect("object.sun");
    ReadMessage message =
        sent(m -> m.writeObject(new javax.security.auth.x500.X500Principal("CN=a")));
    assertThatThrownBy(message::readObject)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("X500Principal")
        .hasMessageContaining("troupe.serialization.allow");
    message.finish();
    checkNextIsIntact();
    records.expect(ERROR, "cannot read an object", "javax.security.auth");
  }

  record Pair(String name, int number) implements Serializable {}

  enum Colour {
    RED,
    GREEN
  }

  static final class NotSerializableHere {
    int number;
  }

  static final class Ring implements Serializable {
    Ring next;
    int number;
  }

  static final class Single implements Serializable {
    static final Single ONLY = new Single();

    private Object readResolve() {
      return ONLY;
    }
  }

  record Always(int value) implements java.lang.reflect.InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return value;
    }
  }

  static final class Hooked implements Serializable {
    private transient String text;

    Hooked(String text) {
      this.text = text;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeUTF(new StringBuilder(text).reverse().toString());
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      text = new StringBuilder(in.readUTF()).reverse().toString();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Hooked that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /** Writes itself. */
  public static final class Outside implements Externalizable {
    private int number;

    public Outside() {}

    Outside(int number) {
      this.number = number;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(number);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      number = in.readInt();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Outside that && number == that.number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }
}
