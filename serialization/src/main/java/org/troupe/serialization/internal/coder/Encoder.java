package org.troupe.serialization.internal.coder;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.classes.RefusalReasons;
import org.troupe.serialization.internal.resources.DeepStack;
import org.troupe.serialization.internal.resources.HandleTable;
import org.troupe.serialization.internal.wire.LargeArrays;
import org.troupe.serialization.internal.wire.NumberArray;
import org.troupe.serialization.internal.wire.ValueOutput;
import org.troupe.serialization.internal.wire.WireFormat;

/** One encoding: walks the graph once, in one thread at a time. */
public final class Encoder extends ValueOutput {

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

  private final EncodingContext context;
  private final int maxObjects;
  private final Substitution substitution;
  private final DeepStack stack;
  private final boolean untagged;
  private final boolean untracked;
  private HandleTable handles;
  private int nextHandle;
  private boolean tracks;

  private final EncodedStrings strings = new EncodedStrings();
  private final LargeArrays arrays;
  private final UsedTypes types = new UsedTypes();

  private boolean streams; // tokens travel in their places
  private @Nullable List<Object> side; // null while there is nothing aside
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
    super(context.limits, out);
    this.context = context;
    this.maxObjects = limits.maxObjects();
    this.substitution = context.substitution;
    this.untagged = context.uses(Specialisation.UNTAGGED);
    this.untracked = context.uses(Specialisation.UNTRACKED);
    this.handles = handles;
    this.arrays = new LargeArrays(limits.maxBytes());
    this.stack = new DeepStack(limits.maxDepth(), substitution::carried);
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
    strings.reset();
    arrays.reset();
    types.reset();
    side = null;
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

  /** Begins the arguments of a call, flat; the receiver knows the types of the places. */
  public void beginCall(boolean setsArraysApart, boolean shares) {
    begin(WireFormat.FLAT, setsArraysApart);
    tracks = shares || !untracked;
  }

  private void begin(int form, boolean setsArraysApart) {
    arrays.begin(setsArraysApart);
    tracks = true;
    out.writeByte(WireFormat.order() | form | (untagged ? WireFormat.UNTAGGED : 0));
  }

  private void writeRoots(Object[] roots) {
    out.writeVarInt(roots.length);
    if (untracked && roots.length == 1 && roots[0] != null) {
      EncodingContext.Local root = look(roots[0].getClass());
      tracks = root.isReplaceable() || root.codec(context).mayShare();
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
  public void writeElement(@Nullable Object value, Codec owner, int slot) {
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

  /** Returns what was written. */
  public EncodedGraph finish() {
    requireWhole();
    return new EncodedGraph(
        arrays.merge(out),
        types.toArray(),
        side == null ? List.of() : Collections.unmodifiableList(side),
        arrays.apart());
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
    return encoder.types.toArray();
  }

  /** Returns what was written, if it is not a message of its own. */
  public byte[] toByteArray() {
    return out.toByteArray();
  }

  /** Returns the first byte of graphs in a serializer's streams. */
  public static int form(EncodingContext context) {
    return WireFormat.order() | (context.uses(Specialisation.UNTAGGED) ? WireFormat.UNTAGGED : 0);
  }

  /** Writes the reference in one slot of an owner; called by generated codecs too. */
  public void writeSlot(@Nullable Object value, Codec owner, int slot) {
    if (value == null) {
      out.writeByte(WireFormat.NULL);
      return;
    }
    try {
      write(value);
    } catch (Throwable t) {
      throw CodecFailure.at(owner.segment(slot, value), t);
    }
  }

  /**
   * Writes an inner object's reference to its outer object. The inner object may read fields of the
   * outer one, which a token does not have, so no token may replace it.
   */
  public void writeOuterSlot(Object value, Codec owner, int slot) {
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
  public void writeSlot(Object value, Codec owner, int slot, Codec guess) {
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
      throw CodecFailure.at(owner.segment(slot, value), t);
    }
  }

  /** Writes a slot whose declared type is String. */
  public void writeStringSlot(Object value, Codec owner, int slot) {
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
      throw CodecFailure.at(owner.segment(slot, value), t);
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
      types.add(tag - WireFormat.FIRST_TYPE);
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
        Codec guess = value == null ? null : look(value.getClass()).codec(context);
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
  public boolean beginTail(Object value, Codec codec) throws Throwable {
    if (beginPlain(value, codec) == WRITTEN) {
      return false;
    }
    stack.enterTail();
    return true;
  }

  public void leaveTails(int steps) {
    stack.leaveTails(steps);
  }

  public void write(@Nullable Object value) throws Throwable {
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
    Codec codec = local.codec(context);
    if (codec.isPlain()) {
      if (isSeparate(value, codec)) {
        writeSeparate(value, codec);
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
  public boolean wroteUniform(Object[] elements, Codec owner) {
    if (elements.length < 2 || elements[0] == null) {
      return false;
    }
    Class<?> type = elements[0].getClass();
    EncodingContext.Local local = look(type);
    Codec codec = local.codec(context);
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
    if (isSeparate(value, local.codec(context))) {
      writeSeparate(value, local.codec(context));
    } else {
      writeReplacedOrNew(value, local);
    }
  }

  private boolean isSeparate(Object value, Codec codec) {
    NumberArray numbers = codec.numbers();
    return numbers != null && arrays.areApart() && numbers.isLarge(value);
  }

  private void writeReplacedOrNew(Object value, EncodingContext.Local local) throws Throwable {
    MethodHandle writeReplace = local.codec(context).writeReplace();
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
    Codec codec = local.codec(context);
    writeTag(local, codec);
    if (!codec.isValue()) {
      handles.put(value, takeHandle());
    }
    writeContent(codec, value);
  }

  private void writeTag(EncodingContext.Local local, Codec codec) {
    int tag = local.tag(context);
    if (tag == EncodingContext.REFUSED) {
      throw new CodecFailure(RefusalReasons.notAllowed(codec.type()));
    }
    out.writeVarInt(tag);
    if (tag >= WireFormat.FIRST_TYPE) {
      types.add(tag - WireFormat.FIRST_TYPE);
    }
  }

  private void writeSeparate(Object array, Codec codec) {
    int seen = handles.findOrPut(array, nextHandle);
    if (seen != HandleTable.NONE) {
      writeReference(seen);
      return;
    }
    out.writeByte(WireFormat.APART);
    takeHandle();
    checkLength(Array.getLength(array));
    NumberArray numbers = Objects.requireNonNull(codec.numbers(), "only these go apart");
    out.writeVarInt(arrays.setApart(array, numbers, out));
  }

  /** Defers a large array until all other bytes are written; returns whether it is deferred. */
  public boolean inserts(Object array, NumberArray kind) {
    return arrays.insert(array, kind, out);
  }

  private int takeHandle() {
    if (nextHandle == maxObjects) {
      throw new CodecFailure(
          "the graph has more than %d objects, which is the limit; send it in parts, or raise maxObjects"
              .formatted(maxObjects));
    }
    return nextHandle++;
  }

  /**
   * Writes a string, or that it has been met already.
   *
   * @param declared whether its place can hold nothing else, so that it needs no tag
   */
  private void writeString(String value, boolean declared) {
    int seen = strings.find(value);
    if (seen != EncodedStrings.NONE) {
      out.writeByte(WireFormat.BACK);
      out.writeVarInt(seen);
      return;
    }
    checkString(value);
    strings.put(value, takeHandle());
    if (declared) {
      out.writeString(value, WireFormat.STRING);
    } else {
      out.writeVarInt(WireFormat.STRING_TAG);
      out.writeString(value);
    }
  }
}
