package org.troupe.serialization.internal.fields;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.CodecFinder;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.ReferenceCursor;

/** Writes and reads objects field by field; {@link CodecGenerator} makes the methods that do it. */
public abstract class FieldCodec extends Codec {

  /*
   * Tails. The last field may be a tail: a reference that often leads to another object of the very same
   * class, as in a linked list. Such a chain is written and read by a loop, at any length; its encoding
   * is that of any other reference. A chain of records is only written by the loop, since each of them
   * can be created only after those that follow.
   *
   * Why fields are written, and read, at one place each. The JIT inlines the recursion of a tree as
   * often as there are call sites. A second call site used up its budget in the middle of a method, and
   * from there on even getters were called; the tree was slower for it (./troupe bench serialization,
   * row serialize-tree-1023, 85f4c1b, 2026-11-21).
   */

  /**
   * The parts of a generated codec that are not constants of its code.
   *
   * @param codecs finds the codecs of the guesses
   * @param guesses the classes that the objects in the fields most often are of
   * @param allocator makes an object without content, as {@code ()Object}; null for records and
   *     call arguments
   * @param tail the index of the last field if it may be a tail, else -1; of a record, when written
   * @param reusable whether an object can be read into again: all that it holds is written
   */
  public record Shape(
      Class<?> type,
      ClassLayout layout,
      ClassFields fields,
      Class<?>[] guesses,
      CodecFinder codecs,
      @Nullable MethodHandle allocator,
      @Nullable MethodHandle writeReplace,
      @Nullable MethodHandle readResolve,
      int tail,
      boolean reusable) {}

  /** The kind of a field that is declared as a string. */
  static final char STRING = 'T';

  /** The kind of another field that holds a reference. */
  static final char REFERENCE = 'L';

  private final Shape shape;
  private final ClassFields fields;
  private final int tail;
  private final boolean constructs;
  private final boolean reusable;
  private final boolean hasOuter;

  private volatile boolean rehearsed;

  /** Begin the cursors over objects too deep for recursion; {@code null} before the first. */
  private volatile ReferenceCursor.@Nullable FieldWriting writing;

  private volatile ReferenceCursor.@Nullable FieldReading reading;

  /** Unknown, no or yes; see {@link SharingAnalysis#mayShare}. */
  private volatile int mayShare;

  FieldCodec(Shape shape) {
    super(shape.type);
    this.shape = shape;
    this.fields = shape.fields;
    if (shape.writeReplace == null && shape.readResolve == null) {
      plain(!SharingAnalysis.isUntracked(shape.type, fields));
    }
    this.tail = shape.tail;
    this.constructs = shape.allocator == null;
    this.reusable = shape.reusable;
    this.hasOuter = Stream.of(fields.names()).anyMatch(name -> name.startsWith("this$"));
    readsSimply(!constructs && shape.readResolve == null);
  }

  /** Writes all fields but a tail. */
  public abstract void writeFields(Encoder out, Object value) throws Throwable;

  /** Reads all fields of an ordinary object but a tail. */
  public void readFields(Decoder in, Object value) throws Throwable {
    throw new AssertionError(type() + " is constructed from its fields");
  }

  /** Reads all components of a record and constructs it. */
  Object construct(Decoder in) throws Throwable {
    throw new AssertionError(type() + " is no record");
  }

  /** Makes an ordinary object without content. */
  Object allocate() throws Throwable {
    throw new AssertionError(type() + " has no allocator");
  }

  /** Returns the object that the tail refers to. */
  @Nullable Object tail(Object value) throws Throwable {
    throw new AssertionError(type() + " has no tail");
  }

  void setTail(Object value, @Nullable Object next) throws Throwable {
    throw new AssertionError(type() + " has no tail to set");
  }

  @Override
  public final void write(Encoder out, Object first) throws Throwable {
    Object value = first;
    int steps = 0;
    try {
      while (true) {
        writeFields(out, value);
        if (tail < 0) {
          return;
        }
        Object next = tail(value);
        if (next == null || next.getClass() != type()) {
          out.writeSlot(next, this, tail);
          break;
        }
        if (!out.beginTail(next, this)) {
          break;
        }
        steps++;
        value = next;
      }
    } catch (Throwable t) {
      throw along(steps, t);
    }
    out.leaveTails(steps);
  }

  @Override
  public final Object read(Decoder in, int handle) throws Throwable {
    if (constructs) {
      return construct(in);
    }
    Object first = make(in, handle);
    Object value = first;
    int steps = 0;
    try {
      while (true) {
        readFields(in, value);
        if (tail < 0) {
          return first;
        }
        int following = in.beginTail(this);
        if (following < 0) {
          break;
        }
        Object next = make(in, following);
        setTail(value, next);
        steps++;
        value = next;
      }
      setTail(value, in.readAfterTag(this, value, tail));
    } catch (Throwable t) {
      throw along(steps, t);
    }
    in.leaveTails(steps);
    return first;
  }

  /** Returns the descriptor of a primitive type, {@link #STRING}, or {@link #REFERENCE}. */
  static char kind(Class<?> declared) {
    if (declared.isPrimitive()) {
      return declared.descriptorString().charAt(0);
    }
    return declared == String.class ? STRING : REFERENCE;
  }

  /**
   * Reads a field of a {@link #kind}, and boxes it.
   *
   * @param codec the codec of the owner, for which the field is a slot
   */
  static @Nullable Object readBoxed(
      Decoder in, Codec codec, char kind, @Nullable Object owner, int slot) {
    return switch (kind) {
      case REFERENCE -> in.readSlot(codec, owner, slot);
      case STRING -> in.readStringSlot(codec, owner, slot);
      case 'Z' -> in.readBoolean();
      case 'B' -> in.readByte();
      case 'S' -> in.readShort();
      case 'C' -> in.readChar();
      case 'I' -> in.readInt();
      case 'J' -> in.readLong();
      case 'F' -> in.readFloat();
      case 'D' -> in.readDouble();
      default -> throw new CodecFailure("a field of type void; the bytes are damaged");
    };
  }

  @Override
  public final boolean supportsCursor() {
    return shape.readResolve == null;
  }

  @Override
  public final ReferenceCursor.@Nullable Writing writing(Encoder out, Object value) {
    if (hasOuter) {
      return null; // the outer object may not be replaced
    }
    ReferenceCursor.FieldWriting known = writing;
    if (known == null) {
      known = CursorGenerator.writing(this);
      writing = known;
    }
    return known.begin(value);
  }

  @Override
  public final ReferenceCursor.Reading reading(Decoder in, int handle) throws Throwable {
    ReferenceCursor.FieldReading known = reading;
    if (known == null) {
      known =
          CursorGenerator.reading(this, constructs ? ClassFields.recordConstructor(type()) : null);
      reading = known;
    }
    return known.begin(handle, constructs ? null : make(in, handle));
  }

  /** Creates an object to be read, or reuses one of the previous call. */
  private Object make(Decoder in, int handle) throws Throwable {
    Object value = reusable ? in.reuse().find(type(), handle) : null;
    if (value == null) {
      value = allocate();
    }
    in.register(handle, value);
    return value;
  }

  /** Adds to a failure's path the tails that a loop has followed. */
  private CodecFailure along(int steps, Throwable thrown) {
    CodecFailure failure = CodecFailure.of(thrown);
    for (int i = 0; i < steps; i++) {
      failure = CodecFailure.at(segment(tail), failure);
    }
    return failure;
  }

  /**
   * Writes and reads an empty object once; {@link Rehearsal} says why. It is done when the codec
   * can be found by others, because it looks for those of the classes of its fields.
   */
  @Override
  public final void rehearse() {
    if (rehearsed) {
      return;
    }
    rehearsed = true;
    if (shape.allocator == null || Modifier.isAbstract(type().getModifiers())) {
      return;
    }
    try {
      Object empty = shape.allocator.invokeExact();
      Rehearsal.of(this, empty);
    } catch (Throwable t) { // shows again, with a path, when an object is really written or read
      CodecFailure.of(t);
    }
  }

  @Override
  public final ClassLayout layout() {
    return shape.layout;
  }

  @Override
  public final ClassFields fields() {
    return fields;
  }

  Shape shape() {
    return shape;
  }

  @Override
  public final boolean mayShare() {
    if (mayShare == 0) {
      mayShare = SharingAnalysis.mayShare(type(), shape.codecs) ? 1 : -1;
    }
    return mayShare > 0;
  }

  @Override
  public final Codec readerOf(ClassLayout foreign) {
    if (foreign.equals(shape.layout)) {
      return this;
    }
    Codec evolved = EvolvedCodec.reader(shape, foreign);
    return evolved == null ? super.readerOf(foreign) : evolved;
  }

  @Override
  public final String segment(int slot) {
    // The arguments of a call are roots, whose paths begin with their class.
    return shape.type == Object[].class ? fields.names()[slot] : "." + fields.names()[slot];
  }

  @Override
  public final String segment(int slot, @Nullable Object value) {
    return shape.type == Object[].class && value != null
        ? ClassKinds.displayName(value.getClass()) // its parameter may be of a wider class
        : segment(slot);
  }

  @Override
  public final Class<?> slotType(int slot) {
    return fields.types()[slot];
  }

  @Override
  public void fill(Object owner, int slot, Object value) throws Throwable {
    fields.setters()[slot].invokeExact(owner, value);
  }

  @Override
  public final @Nullable MethodHandle writeReplace() {
    return shape.writeReplace;
  }

  @Override
  public final @Nullable MethodHandle readResolve() {
    return shape.readResolve;
  }
}
