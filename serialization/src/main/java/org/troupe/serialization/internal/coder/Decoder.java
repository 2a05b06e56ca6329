package org.troupe.serialization.internal.coder;

import java.io.ObjectInputValidation;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.keys.DecodedContents;
import org.troupe.serialization.internal.keys.KeyClasses;
import org.troupe.serialization.internal.keys.MessageKeys;
import org.troupe.serialization.internal.resources.DeepStack;
import org.troupe.serialization.internal.resources.SpareThreads;
import org.troupe.serialization.internal.wire.ValueInput;
import org.troupe.serialization.internal.wire.WireFormat;

/** One decoding, in one thread at a time. Trusts nothing that it reads. */
public final class Decoder extends ValueInput {

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
   * The cost of the keys of all collections is bounded before any key is hashed (MessageKeys).
   */

  /** The objects that a stream of graphs has decoded so far. */
  public static final class Memory {
    private final DecodedObjects objects;
    private final DecodedContents contents = new DecodedContents();

    /** Creates an empty memory, of at most as many objects as the limits permit. */
    public Memory(GraphLimits limits) {
      this.objects = new DecodedObjects(limits.maxObjects());
    }

    /** Forgets all objects. */
    public void forget() {
      objects.reset();
      contents.forget();
    }
  }

  private static final byte[] NO_BYTES = {};

  private final CodecCache codecs = new CodecCache();
  private boolean untagged;
  private final DeepStack stack;
  private final DecodedObjects objects;
  private final SideTable side = new SideTable();
  private final ArgumentReuse reuse = new ArgumentReuse();
  private final MessageKeys keys;

  /** The handles of list nodes that are being read by a loop. */
  private int[] tails = new int[8];

  private int tailCount;

  private int tailTag;
  private boolean hasForeignObjects; // a handle has an object that was not made here
  private boolean hasBackReferences; // something was met twice

  /** A failure below a hook, which may have caught it; null if there was none. */
  private @Nullable CodecFailure broken;

  private @Nullable DeferredActions deferred; // null while there are none

  Decoder(GraphLimits limits, UnaryOperator<Runnable> carrier, KeyClasses keyClasses) {
    this(
        limits,
        carrier,
        keyClasses,
        new DecodedObjects(limits.maxObjects()),
        new ByteInput(NO_BYTES));
  }

  private Decoder(
      GraphLimits limits,
      UnaryOperator<Runnable> carrier,
      KeyClasses keyClasses,
      DecodedObjects objects,
      ByteInput in) {
    super(limits, in);
    this.objects = objects;
    this.stack = new DeepStack(limits.maxDepth(), carrier);
    this.keys = new MessageKeys(keyClasses, stack, side::objects);
  }

  /**
   * Returns a decoder of the content of one graph, and nothing else.
   *
   * @param first the first byte, which tells the form
   * @param memory the objects of earlier graphs, to which this one may refer
   */
  public static Decoder of(
      ByteInput content,
      int first,
      ForeignTypes types,
      TokenResolver resolver,
      GraphLimits limits,
      KeyClasses keyClasses,
      Memory memory) {
    Decoder decoder =
        new Decoder(limits, UnaryOperator.identity(), keyClasses, memory.objects, content);
    decoder.codecs.begin(types);
    decoder.side.begin(resolver);
    decoder.beginMessage(content.remaining(), 0);
    decoder.keys.begin(content.remaining(), memory.contents);
    decoder.beginForm(first & ~WireFormat.FLAT);
    return decoder;
  }

  /** Begins a message; returns whether it consists of the arguments of a call, flat. */
  public boolean begin(EncodedGraph body, ForeignTypes types, TokenResolver resolver) {
    codecs.begin(types);
    int size = body.bytes().length;
    long arrays = side.begin(body, resolver, limits);
    beginMessage(size, arrays);
    keys.begin(size + arrays);
    in.refill(body.bytes(), 0, size);
    return beginForm(in.readByte());
  }

  /** Interprets the first byte; returns whether a body is flat. */
  private boolean beginForm(int first) {
    beginArrays(first & ~(WireFormat.UNTAGGED | WireFormat.FLAT));
    untagged = (first & WireFormat.UNTAGGED) != 0;
    return (first & WireFormat.FLAT) != 0;
  }

  /** Forgets the decoded objects, but keeps the buffers. */
  void reset() {
    in.refill(NO_BYTES, 0, 0);
    codecs.reset();
    stack.reset();
    objects.reset();
    side.reset();
    reuse.reset();
    keys.reset();
    tailCount = 0;
    hasForeignObjects = false;
    hasBackReferences = false;
    broken = null;
    deferred = null;
  }

  /**
   * Reads the graph that {@link Encoder#write} wrote. After a failure the memory no longer agrees
   * with that of the sender.
   */
  public Object readGraph() {
    try {
      return readRoots(new Object[1])[0];
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  /** Reads the roots of a message that is not flat. */
  Object[] readRoots() throws Throwable {
    return readRoots(new Object[readCount()]);
  }

  /** Reads the arguments of a call from a message that is not flat. */
  public Object[] readRoots(int expected) throws Throwable {
    int count = readCount();
    if (count != expected) {
      throw new CodecFailure(
          "there are %d arguments instead of %d; sender and receiver must run the same version"
              .formatted(count, expected));
    }
    return readRoots(new Object[count]);
  }

  private int readCount() {
    return in.readLength(limits.maxArrayLength(), 1);
  }

  private Object[] readRoots(Object[] roots) throws Throwable {
    for (int i = 0; i < roots.length; i++) {
      roots[i] = readSlot(Root.CODEC, roots, i);
    }
    end();
    return roots;
  }

  /** Fails if a hook has caught a failure of the decoding. */
  public void requireWhole() {
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
    if (!SpareThreads.areNeeded()) {
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
  private static final class Root extends Codec {
    static final Root CODEC = new Root();

    Root() {
      super(Object[].class);
    }

    @Override
    public void write(Encoder out, Object value) {
      throw new AssertionError("only names slots");
    }

    @Override
    public Object read(Decoder in, int handle) {
      throw new AssertionError("only names slots");
    }

    @Override
    public String segment(int slot) {
      return "";
    }

    @Override
    public void fill(Object owner, int slot, Object value) {
      ((Object[]) owner)[slot] = value;
    }

    @Override
    public ClassLayout layout() {
      throw new AssertionError("only names slots");
    }
  }

  /** Reads the reference for one slot of an owner; called by generated codecs too. */
  public @Nullable Object readSlot(Codec codec, @Nullable Object owner, int slot) {
    return readSlot(codec, owner, slot, null);
  }

  /**
   * Reads the reference for a slot whose declared class is most often the class of the object.
   *
   * @param guess the codec of the declared class, or null
   */
  public @Nullable Object readSlot(
      Codec codec, @Nullable Object owner, int slot, @Nullable Codec guess) {
    try {
      int tag = in.readVarInt();
      if (tag == WireFormat.NULL) {
        return null;
      }
      if (tag >= WireFormat.FIRST_LISTED) {
        Codec type = codecs.of(tag);
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
  public @Nullable Object readStringSlot(Codec codec, @Nullable Object owner, int slot) {
    if (!untagged) {
      return readSlot(codec, owner, slot);
    }
    try {
      long header = in.readVarLong();
      if (header >= WireFormat.STRING) {
        String string = in.readString(header - WireFormat.STRING, limits.maxStringLength());
        objects.add(string);
        return string;
      }
      if (header == WireFormat.NULL) {
        return null;
      }
      Object value = header < 0 ? null : objects.find(in.readVarInt(), codec, owner, slot);
      if (value instanceof String) {
        return value;
      }
      throw new CodecFailure("a string has an impossible beginning; the bytes are damaged");
    } catch (Throwable t) {
      throw CodecFailure.at(codec.segment(slot), t);
    }
  }

  /** Reads a reference whose object must exist already or follow here. */
  public @Nullable Object read() throws Throwable {
    int tag = in.readVarInt();
    return tag >= WireFormat.FIRST_LISTED
        ? readNew(codecs.of(tag), null)
        : readReference(tag, null, null, 0);
  }

  private @Nullable Object readReference(
      int tag, @Nullable Codec codec, @Nullable Object owner, int slot) throws Throwable {
    return switch (tag) {
      case WireFormat.NULL -> null;
      case WireFormat.BACK -> {
        hasBackReferences = true;
        yield objects.find(in.readVarInt(), codec, owner, slot);
      }
      case WireFormat.ASIDE -> side.hasTokensInPlace() ? fromToken() : fromSide(in.readVarInt());
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

  /** Begins the arguments of a call, to be read into objects of the previous one. */
  public void beginReuse(ReusableValues previous) {
    reuse.begin(previous);
  }

  /** Begins an argument of a call; called by generated codecs. */
  public void beginArgument(int index) {
    reuse.beginArgument(index, objects.nextHandle());
  }

  /** Ends a call, whose objects are kept for the next one if all of them may be overwritten. */
  public void endCall() throws Throwable {
    end();
    objects.keep(reuse, hasBackReferences, hasForeignObjects);
  }

  /** Returns the objects of the previous call, to be read into. */
  public ArgumentReuse reuse() {
    return reuse;
  }

  /** Returns the keys of the collections of the message. */
  public MessageKeys keys() {
    return keys;
  }

  /** Returns the number of times that user code ran on another thread. */
  public int departures() {
    return stack.departures();
  }

  /**
   * Reads the tag of the last reference of an object; if it leads to a new object of its own class,
   * that is read by a loop instead of a recursion.
   *
   * @return the handle of the new object, or -1: then {@link #readAfterTag} reads what is there
   */
  public int beginTail(Codec codec) {
    int tag = in.readVarInt();
    if (tag < WireFormat.FIRST_LISTED || codecs.of(tag) != codec) {
      tailTag = tag;
      return -1;
    }
    stack.enterTail();
    int handle = objects.newHandle();
    if (tailCount == tails.length) {
      tails = Arrays.copyOf(tails, 2 * tailCount);
    }
    tails[tailCount++] = handle;
    return handle;
  }

  public @Nullable Object readAfterTag(Codec codec, Object owner, int slot) throws Throwable {
    if (tailTag == WireFormat.NULL) {
      return null;
    }
    Object value =
        tailTag >= WireFormat.FIRST_LISTED
            ? readNew(codecs.of(tailTag), codec)
            : readReference(tailTag, codec, owner, slot);
    return fitting(value, codec, slot);
  }

  /** Marks the last objects read by a loop as complete. */
  public void leaveTails(int steps) {
    stack.leaveTails(steps);
    for (int i = steps; i > 0; i--) {
      objects.complete(tails[--tailCount]);
    }
  }

  private @Nullable Object fromSide(int index) {
    Object object = side.object(index);
    keys.meetOwn(object);
    return object;
  }

  /** Takes over a separate array, which belongs to one slot. */
  private Object takeSeparate(int index) throws Throwable {
    Object array = side.takeArray(index);
    int handle = objects.newHandle();
    objects.complete(handle, array);
    return array;
  }

  /** Reads a token of a stream, which precedes further objects like any other object. */
  private Object fromToken() throws Throwable {
    int handle = objects.newHandle();
    Object object = side.objectInPlace(read());
    objects.complete(handle, object);
    keys.addOwn(object);
    return object;
  }

  /** Reads an object of a class whose codec {@linkplain Codec#readsSimply reads simply}. */
  private @Nullable Object readSimple(Codec codec) throws Throwable {
    int handle = objects.newHandle();
    Object object = stack.enter() ? readDeep(codec, handle) : codec.read(this, handle);
    stack.leave();
    objects.complete(handle);
    return object;
  }

  private @Nullable Object readNew(Codec codec) throws Throwable {
    if (codec.isValue()) {
      return readValue(codec);
    }
    if (codec.readsSimply()) {
      return readSimple(codec);
    }
    int handle = objects.newHandle();
    Object object = stack.enter() ? readDeep(codec, handle) : codec.read(this, handle);
    stack.leave();
    MethodHandle readResolve = codec.readResolve();
    if (readResolve != null) {
      hasForeignObjects = true;
      Object resolved = resolved(codec, readResolve, object);
      keys.noteReplacement(resolved, object);
      object = resolved;
    }
    objects.complete(handle, object);
    return object;
  }

  /** Reads a value; the two most frequent classes without a call that the JIT cannot inline. */
  private @Nullable Object readValue(Codec codec) throws Throwable {
    if (codec.type() == Long.class) {
      return readLong();
    }
    if (codec.type() == Integer.class) {
      return readInt();
    }
    return codec.read(this, -1);
  }

  /** Returns whether the elements of a collection, of this number, follow in the uniform form. */
  public boolean isUniform(int length) {
    return length > 0 && in.getByte(in.position()) == WireFormat.UNIFORM;
  }

  /** Reads the elements of a collection in the uniform form; returns the array. */
  public Object[] readUniform(Object[] elements, Codec owner) {
    in.skip(1);
    int i = 0;
    try {
      Codec codec = codecs.of(in.readVarInt());
      if (!codec.isValue()) {
        throw new CodecFailure(
            "elements of type '%s' came in the form of values; the bytes are damaged"
                .formatted(codec.type().getName()));
      }
      if (codec.type() == Long.class) {
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
    return SpareThreads.areNeeded() && !ClassKinds.isPlatform(codec.type())
        ? onPlatformThread(codec.type(), () -> (Object) readResolve.invokeExact(object))
        : (Object) readResolve.invokeExact(object);
  }

  /** Runs user code on a thread where it delays no other message. */
  public <T> @Nullable T onPlatformThread(Class<?> type, SpareThreads.Walk<T> walk)
      throws Throwable {
    return stack.onPlatformThread(type, walk);
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
          objects.complete(top.handle, object);
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
        Codec codec = codecs.of(tag);
        if (!codec.supportsCursor()) {
          top.put(this, fitting(readNew(codec), top.codec, top.slot));
          continue;
        }
        stack.enterTail();
        ReferenceCursor.Reading below =
            Objects.requireNonNull(codec.reading(this, objects.newHandle()), "it goes by parts");
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

  /** Returns the handle of the next object. */
  public int newHandle() {
    return objects.newHandle();
  }

  /** Registers an object, so that references read later can refer to it. */
  public void register(int handle, @Nullable Object object) throws Throwable {
    objects.register(handle, object);
  }

  /** Reads a slot for a hook. */
  public @Nullable Object readField(Codec codec, int slot) {
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
  public int openReferences() {
    return objects.openReferences();
  }

  /** Returns the number of references so far to objects that did not exist yet. */
  public int forwardReferenceCount() {
    return objects.forwardReferenceCount();
  }

  /**
   * Returns whether a collection waits to be filled. A collection that may have it as a key must
   * wait, too; otherwise it would keep the hash of an empty collection.
   */
  public boolean hasUnfilledCollections() {
    return deferred != null && deferred.hasActions();
  }

  /** Runs an action when all objects have been read. */
  public void defer(DeferredActions.Action action) {
    deferred().add(action);
  }

  /** Validates an object when all objects have been read. */
  public void validateAtEnd(ObjectInputValidation object, int priority) {
    deferred().add(object, priority);
  }

  private DeferredActions deferred() {
    if (deferred == null) {
      deferred = new DeferredActions();
    }
    return deferred;
  }

  /** Returns a class that the sender names, if it may be used. */
  public Class<?> classNamed(String name) {
    return codecs.types().classNamed(name);
  }
}
