package org.troupe.serialization.internal;

import java.io.ObjectInputValidation;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.resources.DeepStack;
import org.troupe.serialization.internal.resources.SpareThreads;

/** One decoding, in one thread at a time. Trusts nothing that it reads. */
public final class Decoder {

  /*
   * Decoding reads in the order of writing. Three cases need more.
   *
   * Cycles through objects that are complete when created (records, List.of, proxies): a slot that
   * refers to such an object before its creation stays empty and is filled afterwards
   * (ForwardReferences); where that is impossible, the cycle is an error.
   *
   * Cycles through keys: the hash of a key that refers to an unfinished object may still change.
   * Collections with such keys are filled after everything else (DeferredActions).
   *
   * Hash-flooding attacks: hashing sets of sets that share their elements takes exponential time.
   * The cost of the keys of all collections is bounded before any key is hashed (HashingBudget).
   *
   * Length. The class is over 600 lines because it is one hot loop: the JIT inlines reads of tags,
   * handles and numbers into the generated codecs, and all of these share the state of a decoding
   * (handles, budgets, reused objects).
   */

  /** Resolves the type ids and class names of a sender. */
  public interface ForeignTypes {
    /** Returns the codec for an id of the sender. */
    Codec codec(int id);

    /** Returns a class by name, if it may be used. */
    Class<?> classNamed(String name);
  }

  /** The objects that a stream of graphs has decoded so far. */
  public static final class Memory {
    private Object[] objects = new Object[16];
    private boolean[] complete = new boolean[16];
    private int nextHandle;
    private @Nullable Map<Object, List<Object>> contents;

    /** Forgets all objects. */
    public void forget() {
      objects = new Object[16];
      complete = new boolean[16];
      nextHandle = 0;
      contents = null;
    }
  }

  private static final @Nullable Codec LONG = PlatformCodecs.codec(Long.class);
  private static final @Nullable Codec INTEGER = PlatformCodecs.codec(Integer.class);
  private static final byte[] NO_BYTES = {};
  private static final Object UNREAD = new Object();
  private static final int SMALL_TABLE = 64;
  private static final long TABLE_PER_BYTE = 4;

  private static final Object[] NONE = {};
  private static final int CODECS = 16;

  /** The number of switches to other threads above which a whole decoding is moved to one. */
  private static final int FEW_DEPARTURES = 4;

  /** The largest tables that are kept for the next decoding. */
  private static final int LARGEST_KEPT = 1 << 14;

  private final GraphLimits limits;
  private final ByteInput in;
  private int size;
  private @Nullable ForeignTypes types;
  private @Nullable List<Object> tokens; // null in a stream: tokens come in their places
  private @Nullable TokenResolver resolver;
  private Object[] sideObjects = NONE;
  private ByteOrder arrayOrder = ByteOrder.nativeOrder(); // of the sender, once it is known
  private boolean untagged;

  /** The separate arrays that the graph has not taken over yet. */
  private Object[] apart = NONE;

  private Object[] objects = new Object[16];

  /** Whether the content of an object has been read completely, by handle. */
  private boolean[] complete = new boolean[16];

  private int nextHandle;

  /** The handle up to which the tables suffice and the limit permits objects. */
  private int room;

  private final DeepStack stack;
  private long promised;
  private long hookPromised;
  private long bytes;
  private int openReferences;
  private int forwardReferenceCount;
  private int departures;

  /** The handles of list nodes that are being read by a loop. */
  private int[] tails = new int[8];

  private int tailCount;

  /** A direct-mapped cache of codecs by tag. */
  private final Codec[] codecs = new Codec[CODECS];

  private final int[] codecTags = new int[CODECS];
  private boolean looked;

  /** The codec found last, as the next object is most often of the same class. */
  private int lastTag;

  private @Nullable Codec lastCodec;

  /** The objects of the previous call, by handle; see {@link #reused}. */
  private Object[] reusable = NONE;

  /** The difference of the handles of that call from those of this one, in the current argument. */
  private int reusableShift;

  /** The handle of that call after the last one in the current argument. */
  private int reusableEnd;

  private @Nullable ReusableValues previous; // null where no objects are reused
  private int argument;
  private int argumentStart;
  private int objectsReused;
  private int tailTag;
  private boolean hasForeignObjects; // a handle has an object that was not made here
  private boolean hasBackReferences; // something was met twice

  /** A failure below a hook, which may have caught it; null if there was none. */
  private @Nullable CodecFailure broken;

  private @Nullable ForwardReferences forwardReferences; // null while there are none, as below
  private @Nullable DeferredActions deferred;
  private @Nullable Map<Object, List<Object>> contents;
  private @Nullable HashingBudget hashing;

  Decoder(GraphLimits limits, UnaryOperator<Runnable> carrier) {
    this(limits, carrier, new ByteInput(NO_BYTES));
  }

  private Decoder(GraphLimits limits, UnaryOperator<Runnable> carrier, ByteInput in) {
    this.limits = limits;
    this.stack = new DeepStack(limits.maxDepth(), carrier);
    this.in = in;
  }

  private void begin(EncodedGraph body, ForeignTypes types, TokenResolver resolver) {
    this.types = types;
    this.resolver = resolver;
    this.tokens = body.side();
    if (!tokens.isEmpty()) {
      sideObjects = new Object[tokens.size()];
      Arrays.fill(sideObjects, UNREAD);
    }
    size = body.bytes().length;
    bytes = size;
    if (!body.arrays().isEmpty()) {
      apart = body.arrays().toArray();
      for (Object array : apart) {
        bytes += PrimitiveArrayCodec.checkedByteSize(array, limits);
      }
    }
    checkSize(bytes);
    in.refill(body.bytes(), 0, size);
  }

  private void checkSize(long bytes) {
    if (bytes > limits.maxBytes()) {
      throw new CodecFailure(
          "it has %d bytes, but the limit is %d; send it in parts, or raise maxBytes"
              .formatted(bytes, limits.maxBytes()));
    }
  }

  /** Interprets the first byte; returns the flag of the form of the body. */
  private int begin(int first) {
    arrayOrder = WireFormat.order(first & ~(WireFormat.UNTAGGED | WireFormat.FLAT));
    untagged = (first & WireFormat.UNTAGGED) != 0;
    return first & WireFormat.FLAT;
  }

  /** Returns the number of reused objects since the last reset. */
  int objectsReused() {
    return objectsReused;
  }

  /** Forgets the decoded objects, but keeps the buffers. */
  void reset() {
    in.refill(NO_BYTES, 0, 0);
    types = null;
    tokens = null;
    resolver = null;
    sideObjects = NONE;
    apart = NONE;
    if (objects.length > LARGEST_KEPT) {
      objects = new Object[16];
      complete = new boolean[16];
      room = 0;
    } else {
      Arrays.fill(objects, 0, nextHandle, null);
    }
    nextHandle = 0;
    stack.reset();
    promised = 0;
    hookPromised = 0;
    contents = null;
    hashing = null;
    openReferences = 0;
    forwardReferenceCount = 0;
    departures = 0;
    tailCount = 0;
    hasForeignObjects = false;
    hasBackReferences = false;
    if (looked) {
      Arrays.fill(codecs, null);
      Arrays.fill(codecTags, 0);
      looked = false;
      lastTag = 0;
      lastCodec = null;
    }
    previous = null;
    reusable = NONE;
    reusableShift = 0;
    reusableEnd = 0;
    objectsReused = 0;
    broken = null;
    forwardReferences = null;
    deferred = null;
  }

  /** Decodes all roots. */
  static Object[] decode(
      DecodingContext context, EncodedGraph body, ForeignTypes types, TokenResolver resolver) {
    return using(
        context,
        decoder -> {
          decoder.begin(body, types, resolver);
          if (decoder.begin(decoder.in.readByte()) == WireFormat.FLAT) {
            throw new CodecFailure(
                "these are the arguments of a call, whose types only the CallCodec of its method knows; decode them by that");
          }
          return decoder.readRoots(decoder.in.readLength(decoder.limits.maxArrayLength(), 1));
        });
  }

  /**
   * Decodes the arguments of a call, flat or not.
   *
   * @param previous into which objects they may be read, or null
   */
  static Object[] decode(
      DecodingContext context,
      EncodedGraph body,
      ForeignTypes types,
      TokenResolver resolver,
      FieldCodec marshaller,
      int count,
      @Nullable ReusableValues previous,
      CallSite site) {
    return using(
        context,
        decoder -> {
          decoder.begin(body, types, resolver);
          boolean flat = decoder.begin(decoder.in.readByte()) == WireFormat.FLAT;
          Object[] roots = new Object[count];
          if (previous != null) {
            decoder.beginReuse(previous);
          }
          if (flat) {
            marshaller.readFields(decoder, roots);
            decoder.end();
            if (decoder.departures > FEW_DEPARTURES) {
              site.recordThreadSwitches();
            }
            if (previous != null) {
              decoder.endReuse(previous);
            }
            return roots;
          }
          int length = decoder.in.readLength(decoder.limits.maxArrayLength(), 1);
          if (length != count) {
            throw new CodecFailure(
                "there are %d arguments instead of %d; sender and receiver must run the same version"
                    .formatted(length, count));
          }
          return decoder.readRoots(roots); // rare, so nothing is kept of it
        });
  }

  private interface Decoding {
    Object[] by(Decoder decoder) throws Throwable;
  }

  private static Object[] using(DecodingContext context, Decoding decoding) {
    Decoder decoder = context.take();
    try {
      return decoding.by(decoder);
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    } finally {
      context.give(decoder);
    }
  }

  /**
   * Reads what {@link Encoder#write} wrote. After a failure the memory no longer agrees with that
   * of the sender.
   *
   * @param content all of one graph, and nothing else
   * @param first the first byte, which tells the form
   */
  public static Object read(
      ByteInput content,
      int first,
      ForeignTypes types,
      GraphLimits limits,
      TokenResolver resolver,
      Memory memory) {
    try {
      Decoder decoder = new Decoder(limits, UnaryOperator.identity(), content);
      decoder.types = types;
      decoder.resolver = resolver;
      decoder.size = content.remaining();
      decoder.bytes = decoder.size;
      decoder.checkSize(decoder.size);
      decoder.begin(first & ~WireFormat.FLAT);
      decoder.objects = memory.objects;
      decoder.complete = memory.complete;
      decoder.nextHandle = memory.nextHandle;
      decoder.contents = memory.contents;
      Object root = decoder.readRoots(1)[0];
      memory.objects = decoder.objects;
      memory.complete = decoder.complete;
      memory.nextHandle = decoder.nextHandle;
      memory.contents = decoder.contents;
      return root;
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  /** Reads what {@link Encoder#rehearse} wrote. */
  static void rehearse(FieldCodec codec, byte[] content) throws Throwable {
    Decoder decoder =
        new Decoder(GraphLimits.standard(), UnaryOperator.identity(), new ByteInput(content));
    decoder.size = content.length;
    decoder.begin(WireFormat.order() | WireFormat.UNTAGGED);
    decoder.read();
    codec.read(decoder, decoder.newHandle());
  }

  private Object[] readRoots(int count) throws Throwable {
    return readRoots(new Object[count]);
  }

  private Object[] readRoots(Object[] roots) throws Throwable {
    for (int i = 0; i < roots.length; i++) {
      roots[i] = readSlot(Root.CODEC, roots, i);
    }
    end();
    return roots;
  }

  void requireWhole() {
    if (broken != null) {
      throw broken;
    }
  }

  private void end() throws Throwable {
    requireWhole();
    if (in.remaining() > 0) {
      throw new CodecFailure(
          "%d bytes follow the last object; the bytes are damaged".formatted(in.remaining()));
    }
    if (deferred != null) {
      deferred.run(this::validate);
    }
  }

  private void validate(ObjectInputValidation object) throws Throwable {
    if (!isOnVirtualThread()) {
      object.validateObject();
      return;
    }
    onPlatformThread(
        object.getClass(),
        () -> {
          object.validateObject();
          return null;
        });
  }

  /** Treats the roots as slots, so that the paths in messages begin with their class. */
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
  @Nullable Object readSlot(Codec codec, @Nullable Object owner, int slot) {
    return readSlot(codec, owner, slot, null);
  }

  /**
   * Reads the reference for a slot whose declared class is most often the class of the object.
   *
   * @param guess the codec of the declared class, or null
   */
  @Nullable Object readSlot(Codec codec, @Nullable Object owner, int slot, @Nullable Codec guess) {
    try {
      int tag = in.readVarInt();
      if (tag == WireFormat.NULL) {
        return null;
      }
      if (tag >= WireFormat.FIRST_LISTED) {
        Codec type = codecOf(tag);
        return type == guess && type.readsSimply()
            ? readSimple(type)
            : fitting(readNew(type, codec), codec, slot);
      }
      return fitting(readReference(tag, codec, owner, slot), codec, slot);
    } catch (Throwable t) {
      throw CodecFailure.at(codec.segment(slot), t);
    }
  }

  private static @Nullable Object fitting(@Nullable Object value, Codec codec, int slot) {
    if (value == null) {
      return null;
    }
    Class<?> expected = codec.slotType(slot);
    // Mostly it is exactly that class, which takes less time to find than that it is a subclass.
    if (value.getClass() != expected && expected != Object.class && !expected.isInstance(value)) {
      throw new CodecFailure(
          "an object of type '%s' came for a place of type '%s'; sender and receiver must agree, and a resolver must return what fits"
              .formatted(value.getClass().getName(), expected.getName()));
    }
    return value;
  }

  /** Reads a slot whose declared type is String. */
  @Nullable Object readStringSlot(Codec codec, @Nullable Object owner, int slot) {
    if (!untagged) {
      return readSlot(codec, owner, slot);
    }
    try {
      long header = in.readVarLong();
      if (header >= WireFormat.STRING) {
        return registerString(in.readString(header - WireFormat.STRING, limits.maxStringLength()));
      }
      if (header == WireFormat.NULL) {
        return null;
      }
      Object value = header < 0 ? null : reference(in.readVarInt(), codec, owner, slot);
      if (value instanceof String) {
        return value;
      }
      throw new CodecFailure("a string has an impossible beginning; the bytes are damaged");
    } catch (Throwable t) {
      throw CodecFailure.at(codec.segment(slot), t);
    }
  }

  private String registerString(String string) {
    int handle = newHandle();
    objects[handle] = string;
    complete[handle] = true;
    return string;
  }

  private Codec codecOf(int tag) {
    if (tag == lastTag) {
      return Objects.requireNonNull(lastCodec, "set with lastTag");
    }
    int place = tag & CODECS - 1;
    return codecTags[place] == tag ? codecs[place] : codecOfNewTag(tag, place);
  }

  private ForeignTypes types() {
    return Objects.requireNonNull(types, "set while something is decoded");
  }

  private TokenResolver resolver() {
    return Objects.requireNonNull(resolver, "set while something is decoded");
  }

  private Codec codecOfNewTag(int tag, int place) {
    Codec codec =
        tag < WireFormat.FIRST_TYPE
            ? PlatformCodecs.listed(tag)
            : types().codec(tag - WireFormat.FIRST_TYPE);
    looked = true;
    codecs[place] = codec;
    codecTags[place] = tag;
    lastCodec = codec;
    lastTag = tag;
    return codec;
  }

  /** Reads a reference whose object must exist already or follow here. */
  @Nullable Object read() throws Throwable {
    int tag = in.readVarInt();
    return tag >= WireFormat.FIRST_LISTED
        ? readNew(codecOf(tag), null)
        : readReference(tag, null, null, 0);
  }

  private @Nullable Object readReference(
      int tag, @Nullable Codec codec, @Nullable Object owner, int slot) throws Throwable {
    return switch (tag) {
      case WireFormat.NULL -> null;
      case WireFormat.BACK -> {
        hasBackReferences = true;
        yield reference(in.readVarInt(), codec, owner, slot);
      }
      case WireFormat.ASIDE -> tokens == null ? fromToken() : fromSide(tokens, in.readVarInt());
      case WireFormat.APART -> takeSeparate(in.readVarInt());
      default ->
          throw new CodecFailure(
              "a type has the impossible number '%d'; the bytes are damaged".formatted(tag));
    };
  }

  private @Nullable Object readNew(Codec type, @Nullable Codec owner) throws Throwable {
    if (owner != Root.CODEC) {
      return readNew(type);
    }
    try {
      return readNew(type);
    } catch (Throwable t) {
      throw CodecFailure.at(ClassKinds.displayName(type.type()), t);
    }
  }

  private void beginReuse(ReusableValues values) {
    previous = values;
    reusable = values.take();
    argument = -1;
  }

  /** Begins an argument of a call, whose objects are those of the previous call if it permits. */
  void beginArgument(int index) {
    if (previous == null) {
      return;
    }
    endArgument(previous);
    argument = index;
    argumentStart = nextHandle;
    reusableShift = previous.from(index) - nextHandle;
    reusableEnd = reusable.length == 0 ? 0 : previous.to(index);
  }

  private void endArgument(ReusableValues values) {
    if (argument >= 0) {
      values.setRange(argument, argumentStart, nextHandle);
    }
  }

  /** Keeps the objects for the next call, if all of them may be overwritten. */
  private void endReuse(ReusableValues values) {
    endArgument(values);
    if (hasForeignObjects || !values.isOfAll() && hasBackReferences) {
      return;
    }
    values.keep(objects);
    objects = reusable.length == 0 ? new Object[16] : reusable;
    Arrays.fill(objects, null);
    complete = objects.length == complete.length ? complete : new boolean[objects.length];
    room = 0;
    nextHandle = 0;
  }

  /**
   * Returns the object of the previous call in the place of a new one, to be read into; null if
   * there is none of that class.
   */
  @Nullable Object reused(Codec codec, int handle) {
    Object old = inPlaceOf(codec, handle);
    if (old != null) {
      objectsReused++;
    }
    return old;
  }

  /** Returns an array to be read into, as {@link #reused(Codec, int)} does, of the given length. */
  @Nullable Object reused(Codec codec, int handle, int length) {
    Object old = inPlaceOf(codec, handle);
    if (old == null || Array.getLength(old) != length) {
      return null;
    }
    objectsReused++;
    return old;
  }

  private @Nullable Object inPlaceOf(Codec codec, int handle) {
    int index = handle + reusableShift;
    if (index >= reusableEnd) {
      return null;
    }
    Object old = reusable[index];
    return old != null && old.getClass() == codec.type() ? old : null;
  }

  /**
   * Reads the tag of the last reference of an object; if it leads to a new object of its own class,
   * that is read by a loop instead of a recursion.
   *
   * @return the handle of the new object, or -1: then {@link #readAfterTag} reads what is there
   */
  int beginTail(FieldCodec codec, Object owner, int slot) throws Throwable {
    int tag = in.readVarInt();
    if (tag < WireFormat.FIRST_LISTED || codecOf(tag) != codec) {
      tailTag = tag;
      return -1;
    }
    stack.enterTail();
    int handle = newHandle();
    if (tailCount == tails.length) {
      tails = Arrays.copyOf(tails, 2 * tailCount);
    }
    tails[tailCount++] = handle;
    return handle;
  }

  @Nullable Object readAfterTag(Codec codec, Object owner, int slot) throws Throwable {
    if (tailTag == WireFormat.NULL) {
      return null;
    }
    Object value =
        tailTag >= WireFormat.FIRST_LISTED
            ? readNew(codecOf(tailTag), codec)
            : readReference(tailTag, codec, owner, slot);
    return fitting(value, codec, slot);
  }

  /** Marks the last objects read by a loop as complete. */
  void leaveTails(int steps) {
    stack.leaveTails(steps);
    for (int i = steps; i > 0; i--) {
      complete[tails[--tailCount]] = true;
    }
  }

  private @Nullable Object reference(
      int handle, @Nullable Codec codec, @Nullable Object owner, int slot) {
    if (handle < 0 || handle >= nextHandle) {
      throw new CodecFailure(
          "a reference to object %d, of which only %d are known; the bytes are damaged"
              .formatted(handle, nextHandle));
    }
    Object object = objects[handle];
    if (!complete[handle]) {
      openReferences++;
    }
    if (object == null) {
      if (owner == null || codec == null) {
        throw new CodecFailure(
            "a cycle leads through a record, an immutable collection or a hook that needs it complete beforehand; "
                + "break the cycle, or use an ordinary class or list for one of its parts");
      }
      forwardReferenceCount++;
      if (forwardReferences == null) {
        forwardReferences = new ForwardReferences();
      }
      forwardReferences.add(handle, codec, owner, slot);
    }
    return object;
  }

  private @Nullable Object fromSide(List<Object> tokens, int index) {
    if (index < 0 || index >= sideObjects.length) {
      throw new CodecFailure(
          "a reference to element %d of a side table of %d; the bytes are damaged"
              .formatted(index, sideObjects.length));
    }
    if (sideObjects[index] == UNREAD) {
      sideObjects[index] = resolver().objectFor(tokens.get(index));
      if (hashing != null) {
        contents().put(sideObjects[index], List.of());
      }
    }
    return sideObjects[index];
  }

  /** Takes over a separate array, which belongs to one slot. */
  private Object takeSeparate(int index) throws Throwable {
    if (index < 0 || index >= apart.length || apart[index] == null) {
      throw new CodecFailure(
          "array %d of %d that came apart is missing or used twice; the bytes are damaged"
              .formatted(index, apart.length));
    }
    Object array = apart[index];
    apart[index] = null;
    int handle = newHandle();
    complete[handle] = true;
    register(handle, array);
    return array;
  }

  /** Reads a token of a stream, which precedes further objects like any other object. */
  private Object fromToken() throws Throwable {
    int handle = newHandle();
    Object object = resolver().objectFor(read());
    if (object == null) {
      throw new CodecFailure(
          "a resolver gave nothing for a token; in a stream it must give an object");
    }
    complete[handle] = true;
    register(handle, object);
    contents().put(object, List.of());
    return object;
  }

  /** Reads an object of a class whose codec {@linkplain Codec#readsSimply reads simply}. */
  private @Nullable Object readSimple(Codec codec) throws Throwable {
    int handle = newHandle();
    Object object = stack.enter() ? readDeep(codec, handle) : codec.read(this, handle);
    stack.leave();
    complete[handle] = true;
    return object;
  }

  private @Nullable Object readNew(Codec codec) throws Throwable {
    if (codec.isValue()) {
      return readValue(codec);
    }
    if (codec.readsSimply()) {
      return readSimple(codec);
    }
    int handle = newHandle();
    Object object = stack.enter() ? readDeep(codec, handle) : codec.read(this, handle);
    stack.leave();
    MethodHandle readResolve = codec.readResolve();
    if (readResolve != null) {
      hasForeignObjects = true;
      Object resolved = resolved(codec, readResolve, object);
      noteContent(resolved, object);
      object = resolved;
    }
    complete[handle] = true;
    if (objects[handle] != object) {
      register(handle, object);
    }
    return object;
  }

  /** Reads a value; the two most frequent classes without a call that the JIT cannot inline. */
  private @Nullable Object readValue(Codec codec) throws Throwable {
    if (codec == LONG) {
      return readLong();
    }
    if (codec == INTEGER) {
      return readInt();
    }
    return codec.read(this, -1);
  }

  /** Returns whether the elements of a collection, of this number, follow in the uniform form. */
  boolean isUniform(int length) {
    return length > 0 && in.getByte(in.position()) == WireFormat.UNIFORM;
  }

  /** Reads the elements of a collection in the uniform form; returns the array. */
  Object[] readUniform(Object[] elements, Codec owner) {
    in.skip(1);
    int i = 0;
    try {
      Codec codec = codecOf(in.readVarInt());
      if (!codec.isValue()) {
        throw new CodecFailure(
            "elements of type '%s' came in the form of values; the bytes are damaged"
                .formatted(codec.type().getName()));
      }
      if (codec == LONG) {
        for (; i < elements.length; i++) {
          elements[i] = readLong();
        }
      } else {
        for (; i < elements.length; i++) {
          elements[i] = codec.read(this, -1);
        }
      }
      return elements;
    } catch (Throwable t) {
      throw CodecFailure.at(owner.segment(i), t);
    }
  }

  private @Nullable Object resolved(Codec codec, MethodHandle readResolve, @Nullable Object object)
      throws Throwable {
    return isOnVirtualThread() && !ClassKinds.isPlatform(codec.type())
        ? onPlatformThread(codec.type(), () -> (Object) readResolve.invokeExact(object))
        : (Object) readResolve.invokeExact(object);
  }

  /** Returns whether code of a program must not run on the current thread, as on a carrier. */
  static boolean isOnVirtualThread() {
    return Thread.currentThread().isVirtual();
  }

  /** Runs user code on a thread where it delays no other message. */
  <T> @Nullable T onPlatformThread(Class<?> type, SpareThreads.Walk<T> walk) throws Throwable {
    departures++;
    return stack.onPlatformThread(type, walk);
  }

  /**
   * Hashes keys into a table, after their cost is known.
   *
   * @param fill returns the table
   */
  <T> @Nullable T hashed(
      Object[] keys, int stride, HashingBudget.Table table, SpareThreads.Walk<T> fill)
      throws Throwable {
    HashingBudget budget = hashing();
    int[] each = budget.chargeKeys(keys, stride);
    Class<?> foreign = budget.foreignCode();
    SpareThreads.Walk<T> rest =
        () -> {
          long collisions = budget.chargeCollisions(keys, stride, table, each);
          T filled = fill.run();
          budget.note(filled, collisions);
          return filled;
        };
    return foreign == null ? rest.run() : onPlatformThread(foreign, rest);
  }

  /** Sorts keys after charging for their comparisons. */
  <T> @Nullable T ordered(
      Object[] keys, int stride, @Nullable Object order, SpareThreads.Walk<T> fill)
      throws Throwable {
    HashingBudget budget = hashing();
    budget.chargeOrder(keys, stride, order);
    Class<?> foreign = budget.foreignCode();
    return foreign == null ? fill.run() : onPlatformThread(foreign, fill);
  }

  /** Continues without recursion, or on another stack where the codec needs recursion. */
  private @Nullable Object readDeep(Codec codec, int handle) throws Throwable {
    ReferenceCursor.Reading parts = codec.reading(this, handle);
    return parts == null
        ? stack.move(codec.type(), () -> codec.read(this, handle))
        : readParts(parts);
  }

  private @Nullable Object readParts(ReferenceCursor.Reading first) throws Throwable {
    ReferenceCursor.Reading top = first;
    try {
      while (true) {
        if (!top.advance(this)) {
          Object object = top.end(this);
          if (top.parent == null) {
            return object;
          }
          complete[top.handle] = true;
          if (objects[top.handle] != object) {
            register(top.handle, object);
          }
          stack.leaveTails(1);
          top = top.parent;
          top.put(this, fitting(object, top.codec, top.slot));
          continue;
        }
        int tag = in.readVarInt();
        if (tag < WireFormat.FIRST_LISTED) {
          Object known = readReference(tag, top.codec, top.owner, top.slot);
          top.put(this, fitting(known, top.codec, top.slot));
          continue;
        }
        Codec codec = codecOf(tag);
        if (!codec.supportsCursor()) {
          top.put(this, fitting(readNew(codec), top.codec, top.slot));
          continue;
        }
        stack.enterTail();
        ReferenceCursor.Reading below =
            Objects.requireNonNull(codec.reading(this, newHandle()), "it goes by parts");
        below.parent = top;
        top = below;
      }
    } catch (Throwable t) {
      CodecFailure failure = CodecFailure.of(t);
      for (ReferenceCursor.Reading each = top; each != null; each = each.parent) {
        failure = CodecFailure.at(each.segment(), failure);
      }
      throw failure;
    }
  }

  private Map<Object, List<Object>> contents() {
    if (contents == null) {
      contents = HashingBudget.noContents();
    }
    return contents;
  }

  /**
   * Returns a list for the objects that are read into one that cannot be looked into, or null if
   * nothing follows them when it is hashed.
   */
  @Nullable List<Object> content(Codec codec, Object value) {
    if (codec.readResolve() == null && !KeyClass.hasReferences(codec.type())) {
      return null;
    }
    List<Object> content = new ArrayList<>();
    contents().put(value, content);
    return content;
  }

  /** Records that an object was created from the content of another one. */
  private void noteContent(@Nullable Object resolved, @Nullable Object read) {
    if (contents == null || resolved == read) {
      return;
    }
    List<Object> content = contents.remove(read);
    if (content != null && resolved != null && KeyClass.hasReferences(resolved.getClass())) {
      contents.putIfAbsent(resolved, content);
    }
  }

  /** Returns the budget that bounds the time of hashing keys in this message. */
  HashingBudget hashing() {
    if (hashing == null) {
      for (Object object : sideObjects) {
        if (object != UNREAD && object != null) {
          contents().put(object, List.of()); // an object of ours
        }
      }
      hashing = new HashingBudget(bytes, () -> contents);
    }
    return hashing;
  }

  private int newHandle() {
    int handle = nextHandle;
    if (handle >= room) {
      growTables();
    }
    complete[handle] = false;
    nextHandle = handle + 1;
    return handle;
  }

  private void growTables() {
    if (nextHandle >= limits.maxObjects()) {
      throw new CodecFailure(
          "it has more than %d objects, which is the limit; raise maxObjects if that is meant"
              .formatted(limits.maxObjects()));
    }
    if (nextHandle == objects.length) {
      // The flags first: if there is no memory for both, every object still has one.
      complete = Arrays.copyOf(complete, 2 * nextHandle);
      objects = Arrays.copyOf(objects, 2 * nextHandle);
    }
    room = Math.min(objects.length, limits.maxObjects());
  }

  /** Registers an object, so that references read later can refer to it. */
  void register(int handle, @Nullable Object object) throws Throwable {
    objects[handle] = object;
    if (forwardReferences != null) {
      forwardReferences.fill(handle, object);
    }
  }

  /** Reads a slot for a hook. */
  @Nullable Object readField(Codec codec, int slot) {
    try {
      return readSlot(codec, null, slot);
    } catch (Throwable t) {
      throw broken(t);
    }
  }

  /**
   * Marks the decoding as failed, even if the hook catches the failure: the input is now in the
   * middle of an object.
   */
  private CodecFailure broken(Throwable thrown) {
    broken = CodecFailure.of(thrown);
    return broken;
  }

  /** Returns the number of references so far to objects whose content is incomplete. */
  int openReferences() {
    return openReferences;
  }

  /** Returns the number of references so far to objects that did not exist yet. */
  int forwardReferenceCount() {
    return forwardReferenceCount;
  }

  /**
   * Returns whether a collection waits to be filled. A collection that may have it as a key must
   * wait, too; otherwise it would keep the hash of an empty collection.
   */
  boolean hasUnfilledCollections() {
    return deferred != null && deferred.hasActions();
  }

  /** Runs an action when all objects have been read. */
  void defer(DeferredActions.Action action) {
    deferred().add(action);
  }

  /** Validates an object when all objects have been read. */
  void validateAtEnd(ObjectInputValidation object, int priority) {
    deferred().add(object, priority);
  }

  private DeferredActions deferred() {
    if (deferred == null) {
      deferred = new DeferredActions();
    }
    return deferred;
  }

  Class<?> classNamed(String name) {
    return types().classNamed(name);
  }

  /** Skips numbers of fixed width, which the generated code reads by index. */
  int reserve(int bytes) {
    return in.take(bytes);
  }

  boolean getBoolean(int at) {
    byte value = in.getByte(at);
    if ((value & ~1) != 0) {
      throw new CodecFailure(
          "a boolean is '%d', not 0 or 1; the bytes are damaged".formatted(value));
    }
    return value != 0;
  }

  byte getByte(int at) {
    return in.getByte(at);
  }

  short getShort(int at) {
    return in.getShort(at);
  }

  char getChar(int at) {
    return (char) in.getShort(at);
  }

  float getFloat(int at) {
    return Float.intBitsToFloat(in.getInt(at));
  }

  double getDouble(int at) {
    return Double.longBitsToDouble(in.getLong(at));
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
   * declare at most as many bytes as the message has, which bounds the memory allocated in advance.
   */
  int readLength(int elementBytes) {
    int length = in.readLength(limits.maxArrayLength(), elementBytes);
    promised += (long) length * elementBytes;
    if (promised > size) {
      throw new CodecFailure(
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
