package org.troupe.serialization.internal;

import java.io.ObjectInputValidation;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Resolver;

/** One decoding, in one thread at a time. Trusts nothing that it reads. */
public final class Decoder {

  /*
   * Three things need care beyond reading in the order of writing.
   *
   * Cycles through what must be complete before it exists (records, List.of, proxies): a slot that
   * refers to such an object too early stays empty and is filled when the object is born; where
   * even that is impossible, it is an error.
   *
   * Cycles through keys: a key that reaches back to an unfinished object may not know its hash yet.
   * Collections with such keys are filled when all else is read (`later`).
   *
   * Hashing bombs: sets of sets that share their elements have a hash that takes exponential time.
   * Each object's weight is the number of objects that its hash would visit, walking without
   * memory; the weights of all keys together are bounded. Classes of users count as one object,
   * because what their hashCode visits is unknown.
   */

  /** The meaning of names and numbers for this decoding. */
  public interface ForeignTypes {
    /** Returns the codec for an id of the sender. */
    Codec codec(int id);

    /** Returns a class by name, if it may be used. */
    Class<?> classNamed(String name);
  }

  /** The objects that a stream of graphs has given so far. */
  public static final class Memory {
    private Object[] objects = new Object[16];
    private long[] weights = new long[16];
    private int nextHandle;

    /** Forgets all objects. */
    public void forget() {
      objects = new Object[16];
      weights = new long[16];
      nextHandle = 0;
    }
  }

  private record Patch(Codec codec, Object owner, int slot) {}

  private record Validation(ObjectInputValidation object, int priority) {}

  interface Action {
    void run() throws Throwable;
  }

  private static final Object UNREAD = new Object();
  private static final long HASHING_FREE = 1 << 24;
  private static final long HASHING_PER_BYTE = 16;
  private static final int SMALL_TABLE = 64;
  private static final long TABLE_PER_BYTE = 4;

  private final ByteInput in;
  private final int size;
  private final ForeignTypes types;
  private final Limits limits;
  private final List<Object> tokens; // null in a stream: tokens come in their places
  private final Resolver resolver;
  private final Object[] sideObjects;
  private ByteOrder arrayOrder;

  /** The arrays that came beside the bytes and are not taken over yet. */
  private final Object[] apart;

  private Object[] objects = new Object[16];
  private long[] weights = new long[16];
  private int nextHandle;
  private final DeepStack stack;
  private long promised;
  private long hookPromised;
  private long weight;
  private long hashed;
  private int openReferences;
  private int unbornReferences;

  private Map<Integer, List<Patch>> patches;
  private final List<Action> later = new ArrayList<>();
  private final List<Validation> validations = new ArrayList<>();

  private Decoder(Encoded body, ForeignTypes types, Limits limits, Resolver resolver) {
    this(new ByteInput(body.bytes()), body.side(), body.arrays(), types, limits, resolver);
    this.arrayOrder = order(in.readByte());
  }

  private Decoder(
      ByteInput in,
      List<Object> tokens,
      List<Object> apart,
      ForeignTypes types,
      Limits limits,
      Resolver resolver) {
    this.types = types;
    this.limits = limits;
    this.resolver = resolver;
    this.tokens = tokens;
    this.sideObjects = new Object[tokens == null ? 0 : tokens.size()];
    Arrays.fill(sideObjects, UNREAD);
    this.apart = apart.toArray();
    this.size = in.remaining();
    long bytes = size;
    for (Object array : apart) {
      bytes += Primitives.checkedByteSize(array, limits);
    }
    if (bytes > limits.maxBytes()) {
      throw new Failure(
          "it has %d bytes, but the limit is %d; send it in parts, or raise maxBytes"
              .formatted(bytes, limits.maxBytes()));
    }
    this.stack = new DeepStack(limits.maxDepth());
    this.in = in;
  }

  private static ByteOrder order(int first) {
    return switch (first) {
      case Encoder.LITTLE_ENDIAN -> ByteOrder.LITTLE_ENDIAN;
      case Encoder.BIG_ENDIAN -> ByteOrder.BIG_ENDIAN;
      default ->
          throw new Failure(
              "the first byte is of no known version; sender and receiver must run the same release");
    };
  }

  /** Decodes all roots. */
  public static Object[] decode(
      Encoded body, ForeignTypes types, Limits limits, Resolver resolver) {
    try {
      Decoder decoder = new Decoder(body, types, limits, resolver);
      return decoder.readRoots(decoder.in.readLength(limits.maxArrayLength(), 1));
    } catch (Throwable t) {
      throw Failure.of(t);
    }
  }

  /**
   * Reads what {@link Encoder#write} wrote. After a failure the memory no longer agrees with that
   * of the sender.
   *
   * @param content all of one graph, and nothing else
   * @param order the first byte, which tells the sender's byte order
   */
  public static Object read(
      ByteInput content,
      int order,
      ForeignTypes types,
      Limits limits,
      Resolver resolver,
      Memory memory) {
    try {
      Decoder decoder = new Decoder(content, null, List.of(), types, limits, resolver);
      decoder.arrayOrder = order(order);
      decoder.objects = memory.objects;
      decoder.weights = memory.weights;
      decoder.nextHandle = memory.nextHandle;
      Object root = decoder.readRoots(1)[0];
      memory.objects = decoder.objects;
      memory.weights = decoder.weights;
      memory.nextHandle = decoder.nextHandle;
      return root;
    } catch (Throwable t) {
      throw Failure.of(t);
    }
  }

  /** Reads what {@link Encoder#rehearse} wrote. */
  static void rehearse(FieldCodec codec, Object empty, byte[] content) throws Throwable {
    byte[] bytes = new byte[content.length + 1];
    bytes[0] = Encoder.LITTLE_ENDIAN;
    System.arraycopy(content, 0, bytes, 1, content.length);
    Encoded body = new Encoded(bytes, new int[0], List.of());
    Decoder decoder = new Decoder(body, null, Limits.standard(), null);
    decoder.read();
    codec.readFields(decoder, empty);
  }

  private Object[] readRoots(int count) throws Throwable {
    Object[] roots = new Object[count];
    for (int i = 0; i < roots.length; i++) {
      roots[i] = readSlot(Root.CODEC, roots, i);
    }
    if (in.remaining() > 0) {
      throw new Failure(
          "%d bytes follow the last object; the bytes are damaged".formatted(in.remaining()));
    }
    for (Action action : later) {
      action.run();
    }
    validations.sort(Comparator.comparingInt(Validation::priority).reversed());
    for (Validation validation : validations) {
      validation.object.validateObject();
    }
    return roots;
  }

  /** The roots seen as slots, so that their paths begin with their class. */
  private static final class Root extends ObjectArrayCodec {
    static final Root CODEC = new Root();

    Root() {
      super(Object[].class);
    }

    @Override
    String segment(int slot) {
      return "";
    }
  }

  /** Reads the reference for one slot of an owner; called by generated codecs too. */
  Object readSlot(Codec codec, Object owner, int slot) {
    try {
      Object value = read(codec, owner, slot);
      Class<?> expected = codec.slotType(slot);
      if (value != null && expected != Object.class && !expected.isInstance(value)) {
        throw new Failure(
            "an object of type '%s' came for a place of type '%s'; sender and receiver must agree, and a resolver must return what fits"
                .formatted(value.getClass().getName(), expected.getName()));
      }
      return value;
    } catch (Throwable t) {
      throw Failure.at(codec.segment(slot), t);
    }
  }

  /** Reads a reference whose object must be there at once. */
  Object read() throws Throwable {
    return read(null, null, 0);
  }

  private Object read(Codec codec, Object owner, int slot) throws Throwable {
    int tag = in.readVarInt();
    return switch (tag) {
      case Encoder.NULL -> null;
      case Encoder.BACK -> reference(in.readVarInt(), codec, owner, slot);
      case Encoder.ASIDE -> tokens == null ? fromToken() : fromSide(in.readVarInt());
      case Encoder.APART -> fromApart(in.readVarInt());
      default -> {
        if (tag < 0) {
          throw new Failure(
              "a type has the impossible number '%d'; the bytes are damaged".formatted(tag));
        }
        Codec type =
            tag < Encoder.FIRST_TYPE ? Platform.listed(tag) : types.codec(tag - Encoder.FIRST_TYPE);
        try {
          yield readNew(type);
        } catch (Throwable t) {
          throw codec == Root.CODEC ? Failure.at(Encoder.rootName(type.type()), t) : t;
        }
      }
    };
  }

  private Object reference(int handle, Codec codec, Object owner, int slot) {
    if (handle < 0 || handle >= nextHandle) {
      throw new Failure(
          "a reference to object %d, of which only %d are known; the bytes are damaged"
              .formatted(handle, nextHandle));
    }
    Object object = objects[handle];
    long below = weights[handle];
    weight = saturated(weight + below);
    if (below == 0) {
      openReferences++;
    }
    if (object == null) {
      if (owner == null) {
        throw new Failure(
            "a cycle leads through a record, an immutable collection or a hook that needs it complete beforehand; "
                + "break the cycle, or use an ordinary class or list for one of its parts");
      }
      unbornReferences++;
      if (patches == null) {
        patches = new HashMap<>();
      }
      patches.computeIfAbsent(handle, h -> new ArrayList<>()).add(new Patch(codec, owner, slot));
    }
    return object;
  }

  private Object fromSide(int index) {
    if (index < 0 || index >= sideObjects.length) {
      throw new Failure(
          "a reference to element %d of a side table of %d; the bytes are damaged"
              .formatted(index, sideObjects.length));
    }
    if (sideObjects[index] == UNREAD) {
      sideObjects[index] = resolver.objectFor(tokens.get(index));
    }
    return sideObjects[index];
  }

  /** Takes over an array that came beside the bytes; each belongs to one place. */
  private Object fromApart(int index) throws Throwable {
    if (index < 0 || index >= apart.length || apart[index] == null) {
      throw new Failure(
          "array %d of %d that came apart is missing or used twice; the bytes are damaged"
              .formatted(index, apart.length));
    }
    Object array = apart[index];
    apart[index] = null;
    ((Primitives) Platform.codec(array.getClass())).adopt(array, arrayOrder);
    int handle = newHandle();
    weights[handle] = 1;
    weight = saturated(weight + 1);
    born(handle, array);
    return array;
  }

  /** A token that stands in the place of what it means. */
  private Object fromToken() throws Throwable {
    int handle = newHandle();
    Object object = resolver.objectFor(read());
    if (object == null) {
      throw new Failure("a resolver gave nothing for a token; in a stream it must give an object");
    }
    weights[handle] = 1;
    born(handle, object);
    return object;
  }

  private Object readNew(Codec codec) throws Throwable {
    int handle = codec.shared() ? newHandle() : -1;
    long outside = weight;
    weight = 1;
    Object object =
        stack.enter() ? stack.move(() -> codec.read(this, handle)) : codec.read(this, handle);
    stack.leave();
    MethodHandle readResolve = codec.readResolve();
    if (readResolve != null) {
      object = (Object) readResolve.invokeExact(object);
    }
    if (!codec.hashesContent()) {
      weight = 1;
    }
    if (handle >= 0) {
      weights[handle] = weight;
      if (objects[handle] != object) {
        born(handle, object);
      }
    }
    weight = saturated(outside + weight);
    return object;
  }

  private int newHandle() {
    if (nextHandle == limits.maxObjects()) {
      throw new Failure(
          "it has more than %d objects, which is the limit; raise maxObjects if that is meant"
              .formatted(limits.maxObjects()));
    }
    if (nextHandle == objects.length) {
      objects = Arrays.copyOf(objects, 2 * nextHandle);
      weights = Arrays.copyOf(weights, 2 * nextHandle);
    }
    return nextHandle++;
  }

  /** Makes an object known, so that what is read from now on can refer to it. */
  void born(int handle, Object object) throws Throwable {
    objects[handle] = object;
    List<Patch> waiting = patches == null ? null : patches.remove(handle);
    if (waiting == null || object == null) {
      return;
    }
    for (Patch patch : waiting) {
      if (!patch.codec.slotType(patch.slot).isInstance(object)) {
        throw new Failure(
            "an object of type '%s' came for '%s' of type '%s'; sender and receiver must agree"
                .formatted(
                    object.getClass().getName(),
                    patch.codec.segment(patch.slot),
                    patch.codec.slotType(patch.slot).getName()));
      }
      patch.codec.fill(patch.owner, patch.slot, object);
    }
  }

  private static long saturated(long sum) {
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /**
   * Reads one element that a collection will hash or compare, into an array of them; their hashes
   * are bounded in sum.
   *
   * @param owner the elements if they can be filled later, else null
   */
  void readKey(Codec codec, Object[] elements, Object owner, int slot) {
    long outside = weight;
    weight = 0;
    elements[slot] = readSlot(codec, owner, slot);
    hashed = saturated(hashed + weight);
    if (hashed > HASHING_FREE + HASHING_PER_BYTE * in.position()) {
      throw new Failure(
          "its keys share so many parts that hashing them would take too long; use smaller keys");
    }
    weight = saturated(outside + weight);
  }

  /** Reads an object for a hook; a collection may hash it. */
  Object readElement(HookedCodec codec) {
    if (!codec.hashesContent()) {
      return readSlot(codec, null, 0);
    }
    Object[] element = new Object[1];
    readKey(codec, element, null, 0);
    return element[0];
  }

  /** Returns how many references so far led to objects whose content is not read to its end. */
  int openReferences() {
    return openReferences;
  }

  /** Returns how many references so far led to objects that did not exist yet. */
  int unbornReferences() {
    return unbornReferences;
  }

  /** Runs something when all objects are read. */
  void later(Action action) {
    later.add(action);
  }

  void validateAtEnd(ObjectInputValidation object, int priority) {
    validations.add(new Validation(object, priority));
  }

  Class<?> classNamed(String name) {
    return types.classNamed(name);
  }

  boolean readBoolean() {
    return in.readBoolean();
  }

  byte readByte() {
    return in.readByte();
  }

  short readShort() {
    return in.readShort();
  }

  char readChar() {
    return in.readChar();
  }

  int readInt() {
    int value = in.readVarInt();
    return value >>> 1 ^ -(value & 1);
  }

  long readLong() {
    long value = in.readVarLong();
    return value >>> 1 ^ -(value & 1);
  }

  float readFloat() {
    return in.readFloat();
  }

  double readDouble() {
    return in.readDouble();
  }

  String readString() {
    return in.readString(limits.maxStringLength());
  }

  /**
   * Reads a number of elements.
   *
   * <p>Each element takes bytes of its own, so all lengths of a message together, however nested,
   * promise at most the message; what is allocated for them beforehand is bounded by that.
   */
  int readLength(int elementBytes) {
    int length = in.readLength(limits.maxArrayLength(), elementBytes);
    promised += (long) length * elementBytes;
    if (promised > size) {
      throw new Failure(
          "its lengths promise %d bytes, but it has only %d; the bytes are damaged"
              .formatted(promised, size));
    }
    return length;
  }

  /** Returns whether a hook of the platform may allocate an array, as large as its table needs. */
  boolean mayAllocate(long length) {
    if (length <= SMALL_TABLE) {
      return true;
    }
    hookPromised += length;
    return length <= limits.maxArrayLength() && hookPromised <= TABLE_PER_BYTE * size;
  }

  ByteInput bytes() {
    return in;
  }

  ByteOrder arrayOrder() {
    return arrayOrder;
  }
}
