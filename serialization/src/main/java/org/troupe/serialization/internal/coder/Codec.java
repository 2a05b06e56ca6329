package org.troupe.serialization.internal.coder;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.wire.NumberArray;

/** Encodes and decodes the objects of one class; immutable, shared between threads. */
public abstract class Codec {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Class<?> type;
  private boolean plain;
  private boolean tracked = true;
  private boolean simple;
  private boolean value;
  private @Nullable NumberArray numbers;
  private final int index = COUNT.getAndIncrement();

  protected Codec(Class<?> type) {
    this.type = type;
  }

  /**
   * Declares, during construction, that the codec is {@linkplain #isPlain plain}, and whether its
   * objects are looked up.
   */
  protected final void plain(boolean looksUp) {
    plain = true;
    tracked = looksUp;
  }

  /** Declares, during construction, whether the codec {@linkplain #readsSimply reads simply}. */
  protected final void readsSimply(boolean simply) {
    simple = simply;
  }

  /** Declares, during construction, that the objects are {@linkplain #isValue values}. */
  protected final void value() {
    value = true;
  }

  /**
   * Declares, during construction, that the objects are {@linkplain #numbers arrays of numbers}.
   */
  protected final void numbers(NumberArray kind) {
    numbers = kind;
  }

  /** Returns the kind of the arrays of numbers that the objects are, or null if they are none. */
  final @Nullable NumberArray numbers() {
    return numbers;
  }

  /**
   * Returns whether an object refers to no other, is as good when copied, and is not replaced by
   * itself, so that it has no number and needs no more than its tag and its content.
   */
  final boolean isValue() {
    return value;
  }

  /**
   * Returns whether an object is known while its content is read, is not replaced by itself then,
   * and counts as one whatever it holds.
   */
  final boolean readsSimply() {
    return simple;
  }

  /** Returns its number among the codecs of this JVM. */
  final int index() {
    return index;
  }

  public final Class<?> type() {
    return type;
  }

  /** Writes an object's content; its type and identity are already written. */
  public abstract void write(Encoder out, Object value) throws Throwable;

  /**
   * Reads an object's content.
   *
   * <p>An object that can be part of a cycle is passed to {@link Decoder#register} before its
   * content is read.
   *
   * @param handle its number in the decoder, or -1 if it is not shared
   */
  public abstract @Nullable Object read(Decoder in, int handle) throws Throwable;

  /**
   * Returns whether {@link #reading} returns a cursor, and no other object replaces the one read.
   */
  public boolean supportsCursor() {
    return false;
  }

  /**
   * Begins to write an object's content one reference at a time.
   *
   * @return null if it can only be written as a whole; then nothing is written yet
   */
  public ReferenceCursor.@Nullable Writing writing(Encoder out, Object value) throws Throwable {
    return null;
  }

  /**
   * Begins to read an object's content one reference at a time.
   *
   * @return null if it can only be read as a whole; then nothing is read yet
   */
  public ReferenceCursor.@Nullable Reading reading(Decoder in, int handle) throws Throwable {
    return null;
  }

  /** Prepares the codec for use after its registration. */
  public void rehearse() {}

  /**
   * Returns whether nothing of an object is replaced by itself, on either side, and it has an
   * identity: so that it needs no more than its tag and its content.
   */
  public final boolean isPlain() {
    return plain;
  }

  /** Returns whether an object may be referred to more than once in a graph. */
  final boolean isTracked() {
    return tracked;
  }

  /** Returns whether an object in a graph with this single root may be referred to twice. */
  public boolean mayShare() {
    return true;
  }

  /**
   * Returns the fields by which an object is written and read, or null if it is written otherwise.
   */
  public @Nullable ClassFields fields() {
    return null;
  }

  /** Returns the layout that both sides must agree on. */
  public abstract ClassLayout layout();

  /**
   * Returns the codec that reads objects in the layout of a sender; fails if the layouts are
   * incompatible.
   */
  public Codec readerOf(ClassLayout foreign) {
    if (!foreign.equals(layout())) {
      throw new CodecFailure(layout().difference(foreign));
    }
    return this;
  }

  /** Returns how messages name one slot of an object: {@code .field} or {@code [3]}. */
  public String segment(int slot) {
    return "[" + slot + "]";
  }

  /** Returns how messages name one slot that has a value. */
  public String segment(int slot, @Nullable Object value) {
    return segment(slot);
  }

  /** Returns the class of which the object in a slot must be an instance. */
  public Class<?> slotType(int slot) {
    return Object.class;
  }

  /** Fills a slot after its owner has been read, when the referenced object is complete. */
  public void fill(Object owner, int slot, Object value) throws Throwable {
    throw new AssertionError(type + " has no slots to fill late");
  }

  /** Returns the class's {@code writeReplace}, as {@code (Object)Object}, or {@code null}. */
  public @Nullable MethodHandle writeReplace() {
    return null;
  }

  /** Returns the class's {@code readResolve}, as {@code (Object)Object}, or {@code null}. */
  public @Nullable MethodHandle readResolve() {
    return null;
  }

  /** Returns the number that stands for the type on the wire, or 0 if it needs a definition. */
  public int tag() {
    return 0;
  }
}
