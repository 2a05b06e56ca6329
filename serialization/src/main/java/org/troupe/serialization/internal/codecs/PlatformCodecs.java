package org.troupe.serialization.internal.codecs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.codecs.CollectionCodecs.Bags;
import org.troupe.serialization.internal.codecs.CollectionCodecs.Lists;
import org.troupe.serialization.internal.codecs.CollectionCodecs.Maps;
import org.troupe.serialization.internal.codecs.CollectionCodecs.Maps.Extra;
import org.troupe.serialization.internal.codecs.CollectionCodecs.Unmodifiable;
import org.troupe.serialization.internal.codecs.ListedCodec.Scalar;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.ReferenceCursor;
import org.troupe.serialization.internal.keys.HashingBudget;
import org.troupe.serialization.internal.wire.NumberArray;
import org.troupe.serialization.internal.wire.ValueInput;
import org.troupe.serialization.internal.wire.ValueOutput;
import org.troupe.serialization.internal.wire.WireFormat;

/** The platform classes whose codecs are written by hand and whose numbers are fixed. */
public final class PlatformCodecs {

  /*
   * The numbers are part of the wire form: append, never reorder. Other platform classes travel
   * through their own java.io hooks (HookedCodec), and need a definition and the receiver's
   * permission.
   */

  private static final List<ListedCodec> CODECS = new ArrayList<>();
  private static final Map<Class<?>, ListedCodec> BY_CLASS = new HashMap<>();
  private static final Set<String> NAMES = new HashSet<>();

  static {
    scalars();
    arrays();
    collections();
    others();
    for (ListedCodec codec : CODECS) {
      BY_CLASS.put(codec.type(), codec);
    }
    // One codec for the small and the general form of each.
    BY_CLASS.put(List.of(1).getClass(), BY_CLASS.get(List.of().getClass()));
    BY_CLASS.put(Set.of(1).getClass(), BY_CLASS.get(Set.of().getClass()));
    BY_CLASS.put(Map.of(1, 1).getClass(), BY_CLASS.get(Map.of().getClass()));
    BY_CLASS.keySet().forEach(type -> NAMES.add(type.getName()));
    // Arrays of it are harmless, and java.io names it as the superclass of the boxes.
    NAMES.add("java.lang.Object");
    NAMES.add("java.lang.Number");
    if (CODECS.getFirst().type() != String.class || next() > WireFormat.UNIFORM) {
      throw new AssertionError("the listed types do not have their numbers");
    }
  }

  private PlatformCodecs() {}

  /** Returns the codec of a class, or null if it is not listed. */
  public static @Nullable ListedCodec codec(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /** Returns whether a class of this name needs no permission. */
  public static boolean isListed(String className) {
    return NAMES.contains(className);
  }

  /** Returns the codec with a tag. */
  public static ListedCodec listed(int tag) {
    int index = tag - WireFormat.FIRST_LISTED;
    if (index >= CODECS.size()) {
      throw new CodecFailure(
          "no platform type has the number '%d'; sender and receiver must run the same release"
              .formatted(tag));
    }
    return CODECS.get(index);
  }

  private static int next() {
    return WireFormat.FIRST_LISTED + CODECS.size();
  }

  private static <T> void scalar(Class<T> type, Scalar.Writer<T> writer, Scalar.Reader<T> reader) {
    CODECS.add(new Scalar<>(next(), type, writer, reader));
  }

  private static void scalars() {
    scalar(String.class, ValueOutput::writeString, ValueInput::readString);
    scalar(Boolean.class, ValueOutput::writeBoolean, ValueInput::readBoolean);
    scalar(Byte.class, ValueOutput::writeByte, ValueInput::readByte);
    scalar(Short.class, ValueOutput::writeShort, ValueInput::readShort);
    scalar(Character.class, ValueOutput::writeChar, ValueInput::readChar);
    scalar(Integer.class, ValueOutput::writeInt, ValueInput::readInt);
    scalar(Long.class, ValueOutput::writeLong, ValueInput::readLong);
    scalar(Float.class, ValueOutput::writeFloat, ValueInput::readFloat);
    scalar(Double.class, ValueOutput::writeDouble, ValueInput::readDouble);
  }

  private static void arrays() {
    CODECS.add(new Booleans(next()));
    for (NumberArray kind : NumberArray.values()) {
      CODECS.add(new PrimitiveArrayCodec(next(), kind));
    }
  }

  private static void collections() {
    CODECS.add(new Lists(next(), ArrayList.class, ArrayList::new));
    CODECS.add(new Lists(next(), LinkedList.class, n -> new LinkedList<>()));
    CODECS.add(
        new Maps(next(), HashMap.class, Extra.NONE, (n, order, access) -> HashMap.newHashMap(n)));
    CODECS.add(
        new Maps(
            next(),
            LinkedHashMap.class,
            Extra.ACCESS_ORDER,
            (n, order, access) -> new LinkedHashMap<>((int) (n / 0.75) + 1, 0.75f, access)));
    CODECS.add(
        new Maps(
            next(), TreeMap.class, Extra.COMPARATOR, (n, order, access) -> new TreeMap<>(order)));
    CODECS.add(
        new Maps(
            next(),
            ConcurrentHashMap.class,
            Extra.NONE,
            (n, order, access) -> new ConcurrentHashMap<>(n)));
    CODECS.add(Bags.of(next(), HashSet.class, HashSet::newHashSet));
    CODECS.add(Bags.of(next(), LinkedHashSet.class, LinkedHashSet::newLinkedHashSet));
    CODECS.add(new Bags(next(), TreeSet.class, Bags::orderOf, (n, order) -> new TreeSet<>(order)));
    CODECS.add(Bags.of(next(), ArrayDeque.class, ArrayDeque::new));
    CODECS.add(
        new Bags(
            next(),
            PriorityQueue.class,
            Bags::orderOf,
            (n, order) -> new PriorityQueue<>(Math.max(n, 1), order)));
    CODECS.add(new CopyOnWrite(next()));
    CODECS.add(new Unmodifiable(next(), List.of().getClass(), PlatformCodecs::list));
    CODECS.add(new Unmodifiable(next(), Set.of().getClass(), Set::of));
    CODECS.add(new Unmodifiable(next(), Map.of().getClass(), PlatformCodecs::map));
  }

  private static Object list(Object[] elements) {
    // Stream.toList() gives the one unmodifiable list that may hold nulls.
    return Arrays.asList(elements).contains(null)
        ? Arrays.stream(elements).toList()
        : List.of(elements);
  }

  private static Object map(Object[] keysAndValues) {
    if (keysAndValues.length % 2 != 0) {
      throw new CodecFailure("a map has a key without a value; the bytes are damaged");
    }
    Map.Entry<?, ?>[] entries = new Map.Entry<?, ?>[keysAndValues.length / 2];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = Map.entry(keysAndValues[2 * i], keysAndValues[2 * i + 1]);
    }
    return Map.ofEntries(entries);
  }

  private static Object entry(Object[] keyAndValue) {
    if (keyAndValue.length != 2) {
      throw new CodecFailure(
          "an entry has %d parts instead of 2; the bytes are damaged"
              .formatted(keyAndValue.length));
    }
    return Map.entry(keyAndValue[0], keyAndValue[1]);
  }

  private static void others() {
    CODECS.add(new Classes(next()));
    CODECS.add(new Optionals(next()));
    scalar(
        OptionalInt.class,
        (out, v) -> {
          out.writeBoolean(v.isPresent());
          v.ifPresent(out::writeInt);
        },
        in -> in.readBoolean() ? OptionalInt.of(in.readInt()) : OptionalInt.empty());
    scalar(
        OptionalLong.class,
        (out, v) -> {
          out.writeBoolean(v.isPresent());
          v.ifPresent(out::writeLong);
        },
        in -> in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty());
    scalar(
        OptionalDouble.class,
        (out, v) -> {
          out.writeBoolean(v.isPresent());
          v.ifPresent(out::writeDouble);
        },
        in -> in.readBoolean() ? OptionalDouble.of(in.readDouble()) : OptionalDouble.empty());
    scalar(
        UUID.class,
        (out, v) -> {
          out.bytes().writeLong(v.getMostSignificantBits());
          out.bytes().writeLong(v.getLeastSignificantBits());
        },
        in -> new UUID(in.bytes().readLong(), in.bytes().readLong()));
    scalar(BigInteger.class, (out, v) -> writeBig(out, v), PlatformCodecs::readBig);
    scalar(
        BigDecimal.class,
        (out, v) -> {
          out.writeInt(v.scale());
          writeBig(out, v.unscaledValue());
        },
        in -> {
          int scale = in.readInt();
          return new BigDecimal(readBig(in), scale);
        });
    scalar(LocalDate.class, PlatformCodecs::writeDate, PlatformCodecs::readDate);
    scalar(
        LocalTime.class,
        (out, v) -> out.writeLong(v.toNanoOfDay()),
        in -> LocalTime.ofNanoOfDay(in.readLong()));
    scalar(
        LocalDateTime.class,
        (out, v) -> {
          writeDate(out, v.toLocalDate());
          out.writeLong(v.toLocalTime().toNanoOfDay());
        },
        in -> LocalDateTime.of(readDate(in), LocalTime.ofNanoOfDay(in.readLong())));
    scalar(
        Instant.class,
        (out, v) -> {
          out.writeLong(v.getEpochSecond());
          out.writeInt(v.getNano());
        },
        in -> Instant.ofEpochSecond(in.readLong(), in.readInt()));
    scalar(
        Duration.class,
        (out, v) -> {
          out.writeLong(v.getSeconds());
          out.writeInt(v.getNano());
        },
        in -> Duration.ofSeconds(in.readLong(), in.readInt()));
    scalar(
        AtomicInteger.class,
        (out, v) -> out.writeInt(v.get()),
        in -> new AtomicInteger(in.readInt()));
    scalar(
        AtomicLong.class, (out, v) -> out.writeLong(v.get()), in -> new AtomicLong(in.readLong()));
    scalar(
        AtomicBoolean.class,
        (out, v) -> out.writeBoolean(v.get()),
        in -> new AtomicBoolean(in.readBoolean()));
    scalar(
        StringBuilder.class,
        (out, v) -> out.writeString(v.toString()),
        in -> new StringBuilder(in.readString()));
    scalar(
        StringBuffer.class,
        (out, v) -> out.writeString(v.toString()),
        in -> new StringBuffer(in.readString()));
    scalar(
        BitSet.class,
        (out, v) -> {
          long[] words = v.toLongArray();
          out.writeLength(words.length);
          for (long word : words) {
            out.bytes().writeLong(word);
          }
        },
        in -> {
          long[] words = new long[in.readLength(8)];
          for (int i = 0; i < words.length; i++) {
            words[i] = in.bytes().readLong();
          }
          return BitSet.valueOf(words);
        });
    CODECS.add(new AtomicReferences(next()));
    // A common lock of many classes.
    scalar(Object.class, (out, v) -> {}, in -> new Object());
    CODECS.add(new Unmodifiable(next(), Map.entry(1, 1).getClass(), PlatformCodecs::entry));
    // By its own hook it makes a table as small as the bytes say, whose keys collide.
    CODECS.add(
        new Maps(
            next(),
            Hashtable.class,
            Extra.NONE,
            (n, order, access) -> new Hashtable<>(HashingBudget.chains(n), 1)));
  }

  /** Writes year, month and day as they are kept; days since an epoch would take divisions. */
  private static void writeDate(ValueOutput out, LocalDate date) {
    out.writeLong((long) date.getYear() << 9 | date.getMonthValue() << 5 | date.getDayOfMonth());
  }

  private static LocalDate readDate(ValueInput in) {
    long date = in.readLong();
    return LocalDate.of(Math.toIntExact(date >> 9), (int) date >> 5 & 15, (int) date & 31);
  }

  private static void writeBig(ValueOutput out, BigInteger value) {
    out.bytes().writeBytes(value.toByteArray());
  }

  private static BigInteger readBig(ValueInput in) {
    byte[] bytes = new byte[in.readLength(1)];
    in.bytes().read(bytes, 0, bytes.length);
    return new BigInteger(bytes);
  }

  private static final class Booleans extends ListedCodec {

    Booleans(int tag) {
      super(tag, boolean[].class);
    }

    @Override
    public void write(Encoder out, Object value) {
      boolean[] array = (boolean[]) value;
      out.writeLength(array.length);
      for (boolean element : array) {
        out.writeBoolean(element);
      }
    }

    @Override
    public Object read(Decoder in, int handle) {
      boolean[] array = new boolean[in.readLength(1)];
      for (int i = 0; i < array.length; i++) {
        array[i] = in.readBoolean();
      }
      return array;
    }
  }

  /** Class objects, by name. */
  private static final class Classes extends ListedCodec {

    Classes(int tag) {
      super(tag, Class.class);
    }

    @Override
    public void write(Encoder out, Object value) {
      Class<?> type = (Class<?>) value;
      if (type.isHidden()) {
        throw new CodecFailure(
            "hidden class '%s' has no name that others could find; send what it stands for"
                .formatted(type.getName()));
      }
      out.writeString(type.getName());
    }

    @Override
    public Object read(Decoder in, int handle) {
      return in.classNamed(in.readString());
    }
  }

  private static final class CopyOnWrite extends ListedCodec {

    CopyOnWrite(int tag) {
      super(tag, CopyOnWriteArrayList.class);
    }

    @Override
    public void write(Encoder out, Object value) {
      Object[] elements = ((CopyOnWriteArrayList<?>) value).toArray();
      out.writeLength(elements.length);
      for (int i = 0; i < elements.length; i++) {
        out.writeSlot(elements[i], this, i);
      }
    }

    /** Reads all elements first, as adding them one by one would copy the list each time. */
    @Override
    public Object read(Decoder in, int handle) throws Throwable {
      Object[] elements = new Object[in.readLength(1)];
      CopyOnWriteArrayList<Object> list = new CopyOnWriteArrayList<>();
      in.register(handle, list);
      int unborn = in.forwardReferenceCount();
      for (int i = 0; i < elements.length; i++) {
        elements[i] = in.readSlot(this, elements, i);
      }
      if (in.forwardReferenceCount() == unborn) {
        list.addAll(Arrays.asList(elements));
      } else {
        in.defer(() -> list.addAll(Arrays.asList(elements)));
      }
      return list;
    }

    @Override
    public void fill(Object owner, int slot, Object value) {
      ((Object[]) owner)[slot] = value;
    }
  }

  private static final class Optionals extends ListedCodec {

    Optionals(int tag) {
      super(tag, Optional.class);
    }

    @Override
    public void write(Encoder out, Object value) {
      out.writeSlot(((Optional<?>) value).orElse(null), this, 0);
    }

    @Override
    public Object read(Decoder in, int handle) {
      return Optional.ofNullable(in.readSlot(this, null, 0));
    }

    @Override
    public boolean supportsCursor() {
      return true;
    }

    @Override
    public ReferenceCursor.Writing writing(Encoder out, Object value) {
      return new ReferenceCursor.Elements(this, new Object[] {((Optional<?>) value).orElse(null)});
    }

    @Override
    public ReferenceCursor.Reading reading(Decoder in, int handle) {
      return new ReferenceCursor.Array(this, handle, null, new Object[1]) {
        @Override
        public Object end(Decoder decoder) {
          return Optional.ofNullable(elements[0]);
        }
      };
    }

    @Override
    public String segment(int slot) {
      return ".get()";
    }
  }

  private static final class AtomicReferences extends ListedCodec {

    AtomicReferences(int tag) {
      super(tag, AtomicReference.class);
    }

    @Override
    public void write(Encoder out, Object value) {
      out.writeSlot(((AtomicReference<?>) value).get(), this, 0);
    }

    @Override
    public Object read(Decoder in, int handle) throws Throwable {
      AtomicReference<Object> reference = new AtomicReference<>();
      in.register(handle, reference);
      reference.set(in.readSlot(this, reference, 0));
      return reference;
    }

    @Override
    public String segment(int slot) {
      return ".get()";
    }

    @Override
    public void fill(Object owner, int slot, Object value) {
      @SuppressWarnings("unchecked") // made above
      var reference = (AtomicReference<Object>) owner;
      reference.set(value);
    }
  }
}
