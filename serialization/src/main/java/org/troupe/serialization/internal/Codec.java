package org.troupe.serialization.internal;

import java.lang.invoke.MethodHandle;

/** Writes and reads the objects of one class; immutable, shared between threads. */
public abstract class Codec {

  private final Class<?> type;

  Codec(Class<?> type) {
    this.type = type;
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
  abstract Object read(Decoder in, int handle) throws Throwable;

  /** Returns whether two references to one object stay references to one object. */
  boolean shared() {
    return true;
  }

  /** Returns the layout that both sides must agree on. */
  public abstract Layout layout();

  /** Returns the codec that reads what a sender with another layout wrote, or refuses it. */
  Codec readerOf(Layout foreign) {
    if (!foreign.equals(layout())) {
      throw new Failure(layout().difference(foreign));
    }
    return this;
  }

  /** Returns whether the hash of an object depends on that of the objects it refers to. */
  boolean hashesContent() {
    return false;
  }

  /** Returns how messages name one slot of an object: {@code .field} or {@code [3]}. */
  String segment(int slot) {
    return "[" + slot + "]";
  }

  /** Returns what an object in one slot must be an instance of. */
  Class<?> slotType(int slot) {
    return Object.class;
  }

  /** Fills a slot late, when its object is complete at last. */
  void fill(Object owner, int slot, Object value) throws Throwable {
    throw new AssertionError(type + " has no slots to fill late");
  }

  /** Returns the class's {@code writeReplace}, as {@code (Object)Object}, or {@code null}. */
  MethodHandle writeReplace() {
    return null;
  }

  /** Returns the class's {@code readResolve}, as {@code (Object)Object}, or {@code null}. */
  MethodHandle readResolve() {
    return null;
  }

  /** Returns the number that stands for the type on the wire, or 0 if it needs a definition. */
  int tag() {
    return 0;
  }
}
