package org.troupe.serialization.internal;

import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Substitution;

/** One encoding: walks the graph once, in one thread at a time. */
public final class Encoder {

  /*
   * Wire form. A body is one byte (version and byte order), the number of roots, the roots. A
   * reference is a number: NULL; BACK and a handle; ASIDE and an index into the side table; APART
   * and an index into the arrays set apart; the tag of a listed platform type; or FIRST_TYPE plus a
   * type id; and, for the last two, the object's content. Handles are given to shared objects in the order in which their content begins, on
   * both sides alike, so they are never written.
   */

  static final int NULL = 0;
  static final int BACK = 1;
  static final int ASIDE = 2;
  static final int APART = 3;
  static final int FIRST_LISTED = 4;
  static final int FIRST_TYPE = 64;

  static final int LITTLE_ENDIAN = 0x10;
  static final int BIG_ENDIAN = 0x11;

  /** The ids of classes in this JVM. */
  public interface LocalTypes {
    /** Returns the codec of a class and the number that stands for it on the wire. */
    Local of(Class<?> type);

    /** A codec and the number that stands for it on the wire. */
    record Local(Codec codec, int tag) {}
  }

  /** The objects that a stream of graphs has written so far, so that others can refer to them. */
  public static final class Memory {
    private Handles handles = new Handles();
    private int nextHandle;

    /** Forgets all objects. */
    public void forget() {
      if (nextHandle > 0) {
        handles = new Handles();
        nextHandle = 0;
      }
    }
  }

  private final ByteOutput out;
  private final Limits limits;
  private final LocalTypes types;
  private final Substitution substitution;
  private final Handles handles;
  private final DeepStack stack;
  private int nextHandle;

  private final List<Object> side; // null in a stream: tokens travel in their places
  private final List<Object> arrays; // null where large ones stay in the bytes
  private long arrayBytes;
  private long[] usedTypes = new long[1];
  private int[] typeIds = new int[4];
  private int typeCount;

  private Encoder(LocalTypes types, Limits limits, Substitution substitution, List<Object> arrays) {
    this(
        types,
        limits,
        substitution,
        new Handles(),
        new ArrayList<>(),
        arrays,
        new ByteOutput(128, limits.maxBytes()));
  }

  private Encoder(
      LocalTypes types,
      Limits limits,
      Substitution substitution,
      Handles handles,
      List<Object> side,
      List<Object> arrays,
      ByteOutput out) {
    this.types = types;
    this.limits = limits;
    this.substitution = substitution;
    this.handles = handles;
    this.side = side;
    this.arrays = arrays;
    this.stack = new DeepStack(limits.maxDepth());
    this.out = out;
  }

  /**
   * Encodes roots with what they share.
   *
   * @param setsArraysApart whether large primitive arrays stay out of the bytes, uncopied
   */
  public static Encoded encode(
      LocalTypes types,
      Limits limits,
      Substitution substitution,
      boolean setsArraysApart,
      Object... roots) {
    Encoder encoder =
        new Encoder(types, limits, substitution, setsArraysApart ? new ArrayList<>() : null);
    encoder.out.writeByte(order());
    encoder.out.writeVarInt(roots.length);
    for (Object root : roots) {
      try {
        encoder.write(root);
      } catch (Throwable t) {
        throw Failure.at(root == null ? "" : rootName(root.getClass()), t);
      }
    }
    return new Encoded(
        encoder.out.toByteArray(),
        Arrays.copyOf(encoder.typeIds, encoder.typeCount),
        Collections.unmodifiableList(encoder.side),
        setsArraysApart ? Collections.unmodifiableList(encoder.arrays) : List.of());
  }

  /**
   * Writes the content of one graph of a stream; after a failure the memory is what it was before.
   *
   * @return the ids of the types in it, each once
   */
  public static int[] write(
      LocalTypes types,
      Limits limits,
      Substitution substitution,
      Memory memory,
      ByteOutput out,
      Object root) {
    Encoder encoder = new Encoder(types, limits, substitution, memory.handles, null, null, out);
    encoder.nextHandle = memory.nextHandle;
    try {
      encoder.write(root);
    } catch (Throwable t) {
      memory.handles.forgetFrom(memory.nextHandle);
      throw Failure.at(root == null ? "" : rootName(root.getClass()), t);
    }
    memory.nextHandle = encoder.nextHandle;
    return Arrays.copyOf(encoder.typeIds, encoder.typeCount);
  }

  /** Writes an empty object of a class, and a list in a list; see {@link FieldCodec#rehearse}. */
  static byte[] rehearse(FieldCodec codec, Object empty) throws Throwable {
    LocalTypes listed =
        type -> new LocalTypes.Local(Platform.codec(type), Platform.codec(type).tag());
    Encoder encoder = new Encoder(listed, Limits.standard(), value -> null, null);
    encoder.write(new ArrayList<>(List.of(new ArrayList<>())));
    codec.writeFields(encoder, empty);
    return encoder.out.toByteArray();
  }

  /** Returns the first byte of what is encoded here: the version, and the byte order of arrays. */
  public static int order() {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN;
  }

  static String rootName(Class<?> type) {
    if (Codecs.isLambda(type)) {
      String name = type.getName();
      return "lambda of " + name.substring(name.lastIndexOf('.') + 1, name.indexOf("$$Lambda"));
    }
    String simple = type.getSimpleName();
    return simple.isEmpty() ? type.getName() : simple;
  }

  /** Writes the reference in one slot of an owner; called by generated codecs too. */
  void writeSlot(Object value, Codec owner, int slot) {
    if (value == null) {
      out.writeByte(NULL);
      return;
    }
    try {
      write(value);
    } catch (Throwable t) {
      throw Failure.at(owner.segment(slot), t);
    }
  }

  /**
   * The same for an inner object's reference to its outer one, whose fields it may read: what
   * stands in for another object has none that could be read.
   */
  void writeOuterSlot(Object value, Codec owner, int slot) {
    if (value != null && substitution.tokenFor(value) != null) {
      throw new Failure(
          "an object of the inner class '%s' cannot travel without its outer object, and a stub would go in its place, whose fields it would read as 0; make the class static, or give it what it needs"
              .formatted(owner.type().getName()));
    }
    writeSlot(value, owner, slot);
  }

  void write(Object value) throws Throwable {
    if (value == null) {
      out.writeByte(NULL);
      return;
    }
    Class<?> type = value.getClass();
    boolean platformValue = Values.isPlatformValue(type);
    if (!platformValue && (wroteReference(value) || wroteToken(value))) {
      return;
    }
    var local = types.of(type);
    if (platformValue && local.codec().shared() && wroteReference(value)) {
      return;
    }
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

  private boolean wroteReference(Object value) {
    int seen = handles.find(value);
    if (seen == Handles.NONE) {
      return false;
    }
    if (seen >= 0) {
      out.writeByte(BACK);
      out.writeVarInt(seen);
    } else {
      out.writeByte(ASIDE);
      out.writeVarInt(~seen);
    }
    return true;
  }

  private boolean wroteToken(Object value) throws Throwable {
    Object token = substitution.tokenFor(value);
    if (token == null) {
      return false;
    }
    if (side == null) {
      out.writeByte(ASIDE);
      handles.put(value, takeHandle());
      writeToken(token);
      return true;
    }
    handles.put(value, ~side.size());
    out.writeByte(ASIDE);
    out.writeVarInt(side.size());
    side.add(token);
    return true;
  }

  /** A token is not itself replaced, or a substitution that wraps things would never end. */
  private void writeToken(Object token) throws Throwable {
    if (!wroteReference(token)) {
      writeNew(types.of(token.getClass()), token);
    }
  }

  /** Both the replaced object and its replacement are known by the handle of the replacement. */
  private void writeReplacement(Object original, Object replacement) throws Throwable {
    write(replacement);
    int number = replacement == null ? Handles.NONE : handles.find(replacement);
    // A replacement that has no identity, such as an enum constant, is asked for and written each
    // time.
    if (number != Handles.NONE) {
      handles.put(original, number);
    }
  }

  private void writeNew(LocalTypes.Local local, Object value) throws Throwable {
    Codec codec = local.codec();
    if (codec instanceof RefusedCodec refused) {
      throw refused.refusal();
    }
    boolean apart = arrays != null && codec instanceof Primitives large && large.isLarge(value);
    out.writeVarInt(apart ? APART : local.tag());
    if (local.tag() >= FIRST_TYPE) {
      use(local.tag() - FIRST_TYPE);
    }
    if (codec.shared()) {
      handles.put(value, takeHandle());
    }
    if (apart) {
      setApart((Primitives) codec, value);
      return;
    }
    if (stack.enter()) {
      stack.move(
          () -> {
            codec.write(this, value);
            return null;
          });
    } else {
      codec.write(this, value);
    }
    stack.leave();
  }

  private void setApart(Primitives codec, Object array) {
    codec.checkLength(this, array);
    arrayBytes += codec.byteSize(array);
    if (arrayBytes > limits.maxBytes()) {
      throw new Failure(
          "its large arrays need more than %d bytes, which is the limit; send it in parts, or raise maxBytes"
              .formatted(limits.maxBytes()));
    }
    out.writeVarInt(arrays.size());
    arrays.add(array);
  }

  private int takeHandle() {
    if (nextHandle == limits.maxObjects()) {
      throw new Failure(
          "the graph has more than %d objects, which is the limit; send it in parts, or raise maxObjects"
              .formatted(limits.maxObjects()));
    }
    return nextHandle++;
  }

  private void use(int typeId) {
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

  /** Small numbers of either sign are what int fields hold: one byte for -64..63. */
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

  void writeString(String value) {
    if (value.length() > limits.maxStringLength()) {
      throw new Failure(
          "a string has %d characters, but the limit is %d; send it in parts, or raise maxStringLength"
              .formatted(value.length(), limits.maxStringLength()));
    }
    out.writeString(value);
  }

  /** Writes the number of elements of an array or collection. */
  void writeLength(int length) {
    checkLength(length);
    out.writeVarInt(length);
  }

  void checkLength(int length) {
    if (length > limits.maxArrayLength()) {
      throw new Failure(
          "it has %d elements, but the limit is %d; send it in parts, or raise maxArrayLength"
              .formatted(length, limits.maxArrayLength()));
    }
  }

  ByteOutput bytes() {
    return out;
  }
}
