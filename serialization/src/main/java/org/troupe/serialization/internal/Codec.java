package org.troupe.serialization.internal;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;

/** Writes and reads the objects of one class; immutable, shared between threads. */
public abstract class Codec {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Class<?> type;
  private boolean plain;
  private boolean tracked = true;
  private boolean simple;
  private final int index = COUNT.getAndIncrement();

  Codec(Class<?> type) {
    this.type = type;
  }

  /** Says, while it is made, that it is plain, and whether its objects are looked up. */
  final void plain(boolean looksUp) {
    plain = true;
    tracked = looksUp;
  }

  /** Says, while it is made, whether it reads simply. */
  final void readsSimply(boolean simply) {
    simple = simply;
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

  final Class<?> type() {
    return type;
  }

  /** Writes an object's content; its type and identity are already written. */
  abstract void write(Encoder out, Object value) throws Throwable;

  /**
   * Reads an object's content.
   *
   * <p>An object that can be part of a cycle is handed to {@link Decoder#born} before its content
   * is read.
   *
   * @param handle its number in the decoder, or -1 if it is not shared
   */
  abstract @Nullable Object read(Decoder in, int handle) throws Throwable;

  /** Returns whether {@link #reading} gives something, and nothing replaces the object then. */
  boolean goesByParts() {
    return false;
  }

  /**
   * Begins to write an object's content one reference at a time.
   *
   * @return null if it can only be written as a whole; then nothing is written yet
   */
  ReferenceCursor.@Nullable Writing writing(Encoder out, Object value) throws Throwable {
    return null;
  }

  /**
   * Begins to read an object's content one reference at a time.
   *
   * @return null if it can only be read as a whole; then nothing is read yet
   */
  ReferenceCursor.@Nullable Reading reading(Decoder in, int handle) throws Throwable {
    return null;
  }

  /** Prepares it for use, once it can be found. */
  void rehearse() {}

  /** Returns whether two references to one object stay references to one object. */
  boolean shared() {
    return true;
  }

  /**
   * Returns whether nothing of an object is replaced by itself, on either side, and it has an
   * identity: so that it needs no more than its tag and its content.
   */
  final boolean isPlain() {
    return plain;
  }

  /** Returns whether an object may be referred to more than once in a graph. */
  final boolean isTracked() {
    return tracked;
  }

  /** Returns whether something in a graph with this root alone may be referred to twice. */
  boolean mayShare() {
    return true;
  }

  /** Returns the layout that both sides must agree on. */
  public abstract ClassLayout layout();

  /** Returns the codec that reads what a sender with another layout wrote, or refuses it. */
  Codec readerOf(ClassLayout foreign) {
    if (!foreign.equals(layout())) {
      throw new CodecFailure(layout().difference(foreign));
    }
    return this;
  }

  /** Returns how messages name one slot of an object: {@code .field} or {@code [3]}. */
  String segment(int slot) {
    return "[" + slot + "]";
  }

  /** Returns what an object in one slot must be an instance of. */
  Class<?> slotType(int slot) {
    return Object.class;
  }

  /** Returns what a slot of an object holds, or {@code null} if that is not known. */
  @Nullable Object slotValue(Object owner, int slot) throws Throwable {
    return null;
  }

  /** Fills a slot late, when its object is complete at last. */
  void fill(Object owner, int slot, Object value) throws Throwable {
    throw new AssertionError(type + " has no slots to fill late");
  }

  /** Returns the class's {@code writeReplace}, as {@code (Object)Object}, or {@code null}. */
  @Nullable MethodHandle writeReplace() {
    return null;
  }

  /** Returns the class's {@code readResolve}, as {@code (Object)Object}, or {@code null}. */
  @Nullable MethodHandle readResolve() {
    return null;
  }

  /** Returns the number that stands for the type on the wire, or 0 if it needs a definition. */
  int tag() {
    return 0;
  }
}
