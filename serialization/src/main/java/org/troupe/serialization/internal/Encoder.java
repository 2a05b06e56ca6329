package org.troupe.serialization.internal;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.classes.RefusalReasons;
import org.troupe.serialization.internal.resources.DeepStack;
import org.troupe.serialization.internal.resources.HandleTable;

/** One encoding: walks the graph once, in one thread at a time. */
public final class Encoder {

  /*
   * Length. The class is over 600 lines because it is one hot loop, which the JIT inlines into the
   * generated codecs: references, handles, strings and numbers, with the limits checked on the way.
   * WireFormat has the encoded form.
   */

  private static final int STRING_TAG =
      Objects.requireNonNull(PlatformCodecs.codec(String.class), "listed").tag();
  private static final int[] NO_TYPES = {};

  /** The objects that a stream of graphs has written so far, so that others can refer to them. */
  public static final class Memory {
    private HandleTable handles = new HandleTable();
    private int nextHandle;

    /** Forgets all objects. */
    public void forget() {
      if (nextHandle > 0) {
        handles = new HandleTable();
        nextHandle = 0;
      }
    }
  }

  private static final int CAPACITY = 256;

  /** The largest buffer that is kept for the next encoding. */
  private static final int LARGEST_KEPT = 1 << 18;

  /** A result in place of a class number: nothing remains to be written. */
  private static final int WRITTEN = -1;

  private static final int FEW_STRINGS = 8;
  private static final int MANY_STRINGS = 1024;

  private final EncodingContext context;
  private final GraphLimits limits;
  private final int maxObjects;
  private final Substitution substitution;
  private final DeepStack stack;
  private final boolean untagged;
  private final boolean untracked;
  private ByteOutput out;
  private HandleTable handles;
  private int nextHandle;
  private boolean tracks;

  /** A direct-mapped table of encoded strings by hash; see writeString. */
  private String[] strings = new String[FEW_STRINGS];

  private int[] stringHandles = new int[FEW_STRINGS];
  private int stringCount;

  private boolean streams; // tokens travel in their places
  private @Nullable List<Object> side; // null while there is nothing aside
  private @Nullable List<Object> apart; // null where large arrays stay in the bytes
  private @Nullable DeferredArrays inserts; // null where they are written at once
  private long arrayBytes;
  private long[] usedTypes = new long[1];
  private int[] typeIds = new int[4];
  private int typeCount;
  private int lastUsed = -1;
  private @Nullable Class<?> lastType;
  private EncodingContext.@Nullable Local lastLocal;

  /** The class before, as objects of two classes often alternate. */
  private @Nullable Class<?> secondType;

  private EncodingContext.@Nullable Local secondLocal;

  /** A failure below a hook, which may have caught it; null if there was none. */
  private @Nullable CodecFailure broken;

  Encoder(EncodingContext context) {
    this(context, new HandleTable(), new ByteOutput(CAPACITY, context.limits.maxBytes()));
  }

  private Encoder(EncodingContext context, HandleTable handles, ByteOutput out) {
    this.context = context;
    this.limits = context.limits;
    this.maxObjects = limits.maxObjects();
    this.substitution = context.substitution;
    this.untagged = context.uses(Specialisation.UNTAGGED);
    this.untracked = context.uses(Specialisation.UNTRACKED);
    this.handles = handles;
    this.stack = new DeepStack(limits.maxDepth(), substitution::carried);
    this.out = out;
  }

  /** Returns the number of look-ups since the last reset. */
  int lookUps() {
    return handles.lookUps();
  }

  /** Forgets the encoded objects, but keeps the buffers. */
  void reset() {
    if (out.size() > LARGEST_KEPT) {
      out = new ByteOutput(CAPACITY, limits.maxBytes());
    } else {
      out.clear();
    }
    handles.clear();
    nextHandle = 0;
    if (stringCount > 0) {
      Arrays.fill(strings, null);
      stringCount = 0;
    }
    side = null;
    apart = null;
    inserts = null;
    arrayBytes = 0;
    Arrays.fill(usedTypes, 0);
    typeCount = 0;
    lastUsed = -1;
    lastType = null;
    lastLocal = null;
    secondType = null;
    secondLocal = null;
    broken = null;
    stack.reset();
  }

  /**
   * Encodes roots; objects that they share are encoded once.
   *
   * @param setsArraysApart whether large primitive arrays stay out of the bytes, uncopied
   */
  public static EncodedGraph encode(
      EncodingContext context, boolean setsArraysApart, Object... roots) {
    Encoder encoder = context.take();
    try {
      encoder.begin(0, setsArraysApart);
      encoder.writeRoots(roots);
      return encoder.finish();
    } finally {
      context.give(encoder);
    }
  }

  /** Encodes the arguments of a call, flat; the receiver knows the types of the places. */
  static EncodedGraph encode(
      EncodingContext context,
      boolean setsArraysApart,
      FieldCodec marshaller,
      boolean shares,
      Object[] arguments) {
    Encoder encoder = context.take();
    try {
      encoder.begin(WireFormat.FLAT, setsArraysApart);
      encoder.tracks = shares || !encoder.untracked;
      marshaller.writeFields(encoder, arguments);
      return encoder.finish();
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    } finally {
      context.give(encoder);
    }
  }

  private void begin(int form, boolean setsArraysApart) {
    if (setsArraysApart) {
      apart = new ArrayList<>(0);
    } else {
      inserts = new DeferredArrays();
    }
    tracks = true;
    out.writeByte(WireFormat.order() | form | (untagged ? WireFormat.UNTAGGED : 0));
  }

  private void writeRoots(Object[] roots) {
    out.writeVarInt(roots.length);
    if (untracked && roots.length == 1 && roots[0] != null) {
      EncodingContext.Local root = look(roots[0].getClass());
      tracks = root.isReplaceable() || root.codec().mayShare();
    }
    for (Object root : roots) {
      try {
        write(root);
      } catch (Throwable t) {
        throw CodecFailure.at(root == null ? "" : ClassKinds.displayName(root.getClass()), t);
      }
    }
  }

  /**
   * Writes an object for a hook. A failure leaves half of the object in the output, so the encoding
   * has failed even if the hook catches the failure.
   */
  void writeElement(@Nullable Object value, Codec owner, int slot) {
    try {
      writeSlot(value, owner, slot);
    } catch (Throwable t) {
      broken = CodecFailure.of(t);
      throw broken;
    }
  }

  private void requireWhole() {
    if (broken != null) {
      throw broken;
    }
  }

  private EncodedGraph finish() {
    requireWhole();
    byte[] bytes = inserts == null || inserts.isEmpty() ? out.toByteArray() : inserts.merge(out);
    return new EncodedGraph(
        bytes,
        typeCount == 0 ? NO_TYPES : Arrays.copyOf(typeIds, typeCount),
        side == null ? List.of() : Collections.unmodifiableList(side),
        apart == null || apart.isEmpty() ? List.of() : Collections.unmodifiableList(apart));
  }

  /**
   * Writes the content of one graph of a stream; a failure leaves the memory unchanged.
   *
   * @return the ids of the types in it, each once
   */
  public static int[] write(EncodingContext context, Memory memory, ByteOutput out, Object root) {
    Encoder encoder = new Encoder(context, memory.handles, out);
    encoder.streams = true;
    encoder.tracks = true;
    encoder.nextHandle = memory.nextHandle;
    try {
      encoder.write(root);
      encoder.requireWhole();
    } catch (Throwable t) {
      memory.handles.removeFrom(memory.nextHandle);
      throw CodecFailure.at(root == null ? "" : ClassKinds.displayName(root.getClass()), t);
    }
    memory.nextHandle = encoder.nextHandle;
    return Arrays.copyOf(encoder.typeIds, encoder.typeCount);
  }

  /** Writes an empty object of a class, and a list in a list; see {@link FieldCodec#rehearse}. */
  static byte[] rehearse(FieldCodec codec, Object empty) throws Throwable {
    EncodingContext listed =
        new EncodingContext(
            GraphLimits.standard(),
            EncodingContext.NOTHING,
            false,
            EnumSet.allOf(Specialisation.class),
            null,
            (t, c) -> c.tag());
    Encoder encoder = new Encoder(listed);
    encoder.write(new ArrayList<>(List.of(new ArrayList<>())));
    codec.write(encoder, empty);
    return encoder.out.toByteArray();
  }

  /** Returns the first byte of graphs in a serializer's streams. */
  public static int form(EncodingContext context) {
    return WireFormat.order() | (context.uses(Specialisation.UNTAGGED) ? WireFormat.UNTAGGED : 0);
  }

  /** Writes the reference in one slot of an owner; called by generated codecs too. */
  void writeSlot(@Nullable Object value, Codec owner, int slot) {
    if (value == null) {
      out.writeByte(WireFormat.NULL);
      return;
    }
    try {
      write(value);
    } catch (Throwable t) {
      throw CodecFailure.at(owner.segment(slot), t);
    }
  }

  /**
   * Writes an inner object's reference to its outer object. The inner object may read fields of the
   * outer one, which a token does not have, so no token may replace it.
   */
  void writeOuterSlot(Object value, Codec owner, int slot) {
    if (value != null && substitution.tokenFor(value) != null) {
      throw new CodecFailure(
          "an object of the inner class '%s' cannot travel without its outer object, and a stub would go in its place, whose fields it would read as 0; make the class static, or give it what it needs"
              .formatted(owner.type().getName()));
    }
    writeSlot(value, owner, slot);
  }

  /**
   * Writes the reference in a slot whose declared class is most often the class of the object;
   * called by generated codecs.
   *
   * @param guess the codec of the declared class
   */
  void writeSlot(Object value, Codec owner, int slot, Codec guess) {
    if (value == null) {
      out.writeByte(WireFormat.NULL);
      return;
    }
    try {
      if (value.getClass() == guess.type() && guess.isPlain() && !isSeparate(value, guess)) {
        writePlain(value, guess);
      } else {
        write(value);
      }
    } catch (Throwable t) {
      throw CodecFailure.at(owner.segment(slot), t);
    }
  }

  /** Writes a slot whose declared type is String. */
  void writeStringSlot(Object value, Codec owner, int slot) {
    if (!untagged) {
      writeSlot(value, owner, slot);
      return;
    }
    try {
      if (value == null) {
        out.writeByte(WireFormat.NULL);
      } else {
        writeString((String) value, true);
      }
    } catch (Throwable t) {
      throw CodecFailure.at(owner.segment(slot), t);
    }
  }

  private void writePlain(Object value, Codec codec) throws Throwable {
    int known = beginPlain(value, codec);
    if (known == WRITTEN) {
      return;
    }
    if (EncodingContext.isReplaceable(known) && context.own(codec) != codec) {
      writeOwnContent(codec, value);
      return;
    }
    writeContent(codec, value);
  }

  /**
   * Writes the content with another codec; a separate method, so that the JIT knows the usual
   * codec.
   */
  private void writeOwnContent(Codec codec, Object value) throws Throwable {
    writeContent(context.own(codec), value);
  }

  /**
   * Writes what comes before the content of an object.
   *
   * @return the number of its class, or {@link #WRITTEN} if a reference or a token was written
   */
  private int beginPlain(Object value, Codec codec) throws Throwable {
    int known = context.tagOf(codec);
    if (tracks && (codec.isTracked() || !untracked)) {
      int seen = handles.findOrPut(value, nextHandle);
      if (seen != HandleTable.NONE) {
        writeReference(seen);
        return WRITTEN;
      }
      if (EncodingContext.isReplaceable(known)) {
        Object token = substitution.tokenFor(value);
        if (token != null) {
          writeToken(value, token);
          return WRITTEN;
        }
      }
    } else if (EncodingContext.isReplaceable(known)) {
      Object token = substitution.tokenFor(value);
      if (token != null) {
        if (handles.findOrPut(value, nextHandle) != HandleTable.NONE) {
          writeReference(handles.find(value)); // it is not looked up for its own sake
        } else {
          writeToken(value, token);
        }
        return WRITTEN;
      }
    }
    int tag = known >> 1;
    out.writeVarInt(tag);
    if (tag >= WireFormat.FIRST_TYPE) {
      use(tag - WireFormat.FIRST_TYPE);
    }
    takeHandle();
    return known;
  }

  private void writeContent(Codec codec, Object value) throws Throwable {
    if (stack.enter()) {
      writeDeep(codec, value);
    } else {
      codec.write(this, value);
    }
    stack.leave();
  }

  /** Continues without recursion, or on another stack where the codec needs recursion. */
  private void writeDeep(Codec codec, Object value) throws Throwable {
    ReferenceCursor.Writing parts = codec.writing(this, value);
    if (parts != null) {
      writeParts(parts);
      return;
    }
    stack.move(
        codec.type(),
        () -> {
          codec.write(this, value);
          return null;
        });
  }

  private void writeParts(ReferenceCursor.Writing first) throws Throwable {
    ReferenceCursor.Writing top = first;
    try {
      while (true) {
        if (!top.advance(this)) {
          if (top.parent == null) {
            return;
          }
          stack.leaveTails(1);
          top = top.parent;
          continue;
        }
        Object value = top.next();
        Codec guess = value == null ? null : look(value.getClass()).codec();
        if (value == null || guess == null || !guess.isPlain() || isSeparate(value, guess)) {
          write(value);
          continue;
        }
        int known = beginPlain(value, guess);
        if (known == WRITTEN) {
          continue;
        }
        Codec codec = EncodingContext.isReplaceable(known) ? context.own(guess) : guess;
        ReferenceCursor.Writing below = codec.supportsCursor() ? codec.writing(this, value) : null;
        if (below == null) {
          writeContent(codec, value);
          continue;
        }
        stack.enterTail();
        below.parent = top;
        top = below;
      }
    } catch (Throwable t) {
      CodecFailure failure = CodecFailure.of(t);
      for (ReferenceCursor.Writing each = top; each != null; each = each.parent) {
        failure = CodecFailure.at(each.segment(), failure);
      }
      throw failure;
    }
  }

  /**
   * Writes what comes before the content of the last reference of an object, to one of its own
   * class, which a loop then writes instead of a recursion.
   *
   * @return whether its content must follow; otherwise a reference or a token was written
   */
  boolean beginTail(Object value, FieldCodec codec) throws Throwable {
    if (beginPlain(value, codec) == WRITTEN) {
      return false;
    }
    stack.enterTail();
    return true;
  }

  void leaveTails(int steps) {
    stack.leaveTails(steps);
  }

  void write(@Nullable Object value) throws Throwable {
    if (value == null) {
      out.writeByte(WireFormat.NULL);
      return;
    }
    Class<?> type = value.getClass();
    if (type == String.class) {
      writeString((String) value, false);
      return;
    }
    EncodingContext.Local local = look(type);
    if (local.isReplaceable()) {
      writeReplaceable(value, local);
      return;
    }
    Codec codec = local.codec();
    if (codec.isPlain()) {
      if (isSeparate(value, codec)) {
        writeSeparate(value, (PrimitiveArrayCodec) codec);
      } else {
        writePlain(value, codec);
      }
    } else if (codec.isValue()) {
      writeValue(value, local, codec);
    } else if (!wroteReference(value)) {
      writeReplacedOrNew(value, local);
    }
  }

  /** Writes a value; the two most frequent classes without a call that the JIT cannot inline. */
  private void writeValue(Object value, EncodingContext.Local local, Codec codec) throws Throwable {
    writeTag(local, codec);
    if (value instanceof Long number) {
      writeLong(number);
    } else if (value instanceof Integer number) {
      writeInt(number);
    } else {
      codec.write(this, value);
    }
  }

  /**
   * Writes the elements of a collection, after their number, in the uniform form if they are values
   * of one class.
   *
   * @return whether they are; otherwise nothing was written
   */
  boolean wroteUniform(Object[] elements, Codec owner) {
    if (elements.length < 2 || elements[0] == null) {
      return false;
    }
    Class<?> type = elements[0].getClass();
    EncodingContext.Local local = look(type);
    Codec codec = local.codec();
    if (!codec.isValue() || local.isReplaceable() || !areOf(type, elements)) {
      return false;
    }
    out.writeByte(WireFormat.UNIFORM);
    int i = 0;
    try {
      writeTag(local, codec);
      if (type == Long.class) {
        for (; i < elements.length; i++) {
          writeLong((Long) elements[i]);
        }
      } else {
        for (; i < elements.length; i++) {
          codec.write(this, elements[i]);
        }
      }
      return true;
    } catch (Throwable t) {
      throw CodecFailure.at(owner.segment(i), t);
    }
  }

  private static boolean areOf(Class<?> type, Object[] elements) {
    for (Object element : elements) {
      if (element == null || element.getClass() != type) {
        return false;
      }
    }
    return true;
  }

  /** Writes an object that a token may replace. */
  private void writeReplaceable(Object value, EncodingContext.Local local) throws Throwable {
    if (wroteReference(value)) {
      return;
    }
    Object token = substitution.tokenFor(value);
    if (token != null) {
      handles.put(value, nextHandle);
      writeToken(value, token);
      return;
    }
    if (isSeparate(value, local.codec())) {
      writeSeparate(value, (PrimitiveArrayCodec) local.codec());
    } else {
      writeReplacedOrNew(value, local);
    }
  }

  private boolean isSeparate(Object value, Codec codec) {
    return apart != null && codec instanceof PrimitiveArrayCodec numbers && numbers.isLarge(value);
  }

  private void writeReplacedOrNew(Object value, EncodingContext.Local local) throws Throwable {
    MethodHandle writeReplace = local.codec().writeReplace();
    if (writeReplace != null) {
      Object replacement = (Object) writeReplace.invokeExact(value);
      if (replacement != value) {
        writeReplacement(value, replacement);
        return;
      }
    }
    writeNew(local, value);
  }

  private EncodingContext.Local look(Class<?> type) {
    if (type == lastType) {
      return Objects.requireNonNull(lastLocal, "set with lastType");
    }
    if (type == secondType) {
      return Objects.requireNonNull(secondLocal, "set with secondType");
    }
    EncodingContext.Local local = context.of(type);
    secondType = lastType;
    secondLocal = lastLocal;
    lastType = type;
    lastLocal = local;
    return local;
  }

  private boolean wroteReference(Object value) {
    int seen = handles.find(value);
    if (seen == HandleTable.NONE) {
      return false;
    }
    writeReference(seen);
    return true;
  }

  private void writeReference(int seen) {
    if (seen >= 0) {
      out.writeByte(WireFormat.BACK);
      out.writeVarInt(seen);
    } else {
      out.writeByte(WireFormat.ASIDE);
      out.writeVarInt(~seen);
    }
  }

  /** Writes the token of an object, to which the next handle was assigned. */
  private void writeToken(Object value, Object token) throws Throwable {
    out.writeByte(WireFormat.ASIDE);
    if (streams) {
      takeHandle();
      writeToken(token);
      return;
    }
    if (side == null) {
      side = new ArrayList<>();
    }
    handles.renumber(value, ~side.size());
    out.writeVarInt(side.size());
    side.add(token);
  }

  /**
   * Writes a token, which is never replaced itself; otherwise a substitution that wraps objects
   * would not end.
   */
  private void writeToken(Object token) throws Throwable {
    if (!wroteReference(token)) {
      writeNew(context.of(token.getClass()), token);
    }
  }

  /** Writes the replacement of an object; both get the handle of the replacement. */
  private void writeReplacement(Object original, Object replacement) throws Throwable {
    write(replacement);
    int number = replacement == null ? HandleTable.NONE : handles.find(replacement);
    // A replacement that has no identity, such as an enum constant, is asked for and written each
    // time.
    if (number != HandleTable.NONE) {
      handles.put(original, number);
    }
  }

  private void writeNew(EncodingContext.Local local, Object value) throws Throwable {
    Codec codec = local.codec();
    if (codec instanceof RefusedCodec refused) {
      throw refused.refusal();
    }
    writeTag(local, codec);
    if (!codec.isValue()) {
      handles.put(value, takeHandle());
    }
    writeContent(codec, value);
  }

  private void writeTag(EncodingContext.Local local, Codec codec) {
    int tag = local.tag();
    if (tag == EncodingContext.REFUSED) {
      throw new CodecFailure(RefusalReasons.notAllowed(codec.type()));
    }
    out.writeVarInt(tag);
    if (tag >= WireFormat.FIRST_TYPE) {
      use(tag - WireFormat.FIRST_TYPE);
    }
  }

  private void writeSeparate(Object array, PrimitiveArrayCodec codec) {
    int seen = handles.findOrPut(array, nextHandle);
    if (seen != HandleTable.NONE) {
      writeReference(seen);
      return;
    }
    out.writeByte(WireFormat.APART);
    takeHandle();
    codec.checkLength(this, array);
    countArray(codec.byteSize(array));
    List<Object> beside = Objects.requireNonNull(apart, "arrays may go apart here");
    out.writeVarInt(beside.size());
    beside.add(array);
  }

  /** Defers a large array until all other bytes are written; returns whether it is deferred. */
  boolean inserts(Object array, PrimitiveArrayCodec codec) {
    if (inserts == null || !codec.isLarge(array)) {
      return false;
    }
    countArray(codec.byteSize(array));
    inserts.add(array, codec, out.size());
    return true;
  }

  private void countArray(long bytes) {
    arrayBytes += bytes;
    if (arrayBytes + out.size() > limits.maxBytes()) {
      throw new CodecFailure(
          "the encoded form needs more than %d bytes, which is the limit; send it in parts, or raise the limit"
              .formatted(limits.maxBytes()));
    }
  }

  private int takeHandle() {
    if (nextHandle == maxObjects) {
      throw new CodecFailure(
          "the graph has more than %d objects, which is the limit; send it in parts, or raise maxObjects"
              .formatted(maxObjects));
    }
    return nextHandle++;
  }

  private void use(int typeId) {
    if (typeId == lastUsed) {
      return;
    }
    lastUsed = typeId;
    int word = typeId >>> 6;
    if (word >= usedTypes.length) {
      usedTypes = Arrays.copyOf(usedTypes, 2 * word);
    }
    if ((usedTypes[word] & 1L << typeId) != 0) {
      return;
    }
    usedTypes[word] |= 1L << typeId;
    if (typeCount == typeIds.length) {
      typeIds = Arrays.copyOf(typeIds, 2 * typeCount);
    }
    typeIds[typeCount++] = typeId;
  }

  /** Reserves bytes for numbers of fixed width, which the generated code writes by index. */
  int reserve(int bytes) {
    return out.reserve(bytes);
  }

  void putBoolean(int at, boolean value) {
    out.putByte(at, value ? 1 : 0);
  }

  void putByte(int at, byte value) {
    out.putByte(at, value);
  }

  void putShort(int at, short value) {
    out.putShort(at, value);
  }

  void putChar(int at, char value) {
    out.putShort(at, value);
  }

  void putFloat(int at, float value) {
    out.putInt(at, Float.floatToRawIntBits(value));
  }

  void putDouble(int at, double value) {
    out.putLong(at, Double.doubleToRawLongBits(value));
  }

  void writeBoolean(boolean value) {
    out.writeByte(value ? 1 : 0);
  }

  void writeByte(byte value) {
    out.writeByte(value);
  }

  void writeShort(short value) {
    out.writeShort(value);
  }

  void writeChar(char value) {
    out.writeChar(value);
  }

  /**
   * Writes an int in zigzag encoding, as int fields mostly hold small numbers: one byte for
   * -64..63.
   */
  void writeInt(int value) {
    out.writeVarInt(value << 1 ^ value >> 31);
  }

  void writeLong(long value) {
    out.writeVarLong(value << 1 ^ value >> 63);
  }

  void writeFloat(float value) {
    out.writeFloat(value);
  }

  void writeDouble(double value) {
    out.writeDouble(value);
  }

  /** Writes the characters of a string without looking it up. */
  void writeString(String value) {
    checkString(value);
    out.writeString(value);
  }

  /**
   * Writes a string, or that it has been met already.
   *
   * <p>A string is a value, so it is enough to find most of those that come again: each has one
   * place, from which the next string drives it out.
   *
   * @param declared whether its place can hold nothing else, so that it needs no tag
   */
  private void writeString(String value, boolean declared) {
    int place = value.hashCode() & strings.length - 1;
    if (strings[place] == value) {
      out.writeByte(WireFormat.BACK);
      out.writeVarInt(stringHandles[place]);
      return;
    }
    checkString(value);
    if (stringCount == strings.length && stringCount < MANY_STRINGS) {
      strings = new String[4 * stringCount];
      stringHandles = new int[strings.length];
      place = value.hashCode() & strings.length - 1;
    }
    strings[place] = value;
    stringHandles[place] = takeHandle();
    stringCount++;
    if (declared) {
      out.writeString(value, WireFormat.STRING);
    } else {
      out.writeVarInt(STRING_TAG);
      out.writeString(value);
    }
  }

  private void checkString(String value) {
    if (value.length() > limits.maxStringLength()) {
      throw new CodecFailure(
          "a string has %d characters, but the limit is %d; send it in parts, or raise maxStringLength"
              .formatted(value.length(), limits.maxStringLength()));
    }
  }

  /** Writes the number of elements of an array or collection. */
  void writeLength(int length) {
    checkLength(length);
    out.writeVarInt(length);
  }

  void checkLength(int length) {
    if (length > limits.maxArrayLength()) {
      throw new CodecFailure(
          "it has %d elements, but the limit is %d; send it in parts, or raise maxArrayLength"
              .formatted(length, limits.maxArrayLength()));
    }
  }

  ByteOutput bytes() {
    return out;
  }
}
