package org.troupe.serialization.internal;

import org.jspecify.annotations.Nullable;

/**
 * Cursors over the references of objects that a loop writes or reads where recursion would be too
 * deep; each replaces a stack frame.
 */
final class ReferenceCursor {

  private ReferenceCursor() {}

  /** An object that is being written. */
  abstract static class Writing {
    final Codec codec;

    /** The object that refers to this one, or null. */
    @Nullable Writing parent;

    /** The slot of the next reference, or of the last one. */
    int slot = -1;

    Writing(Codec codec) {
      this.codec = codec;
    }

    /** Writes the data before the next reference; returns whether there is one. */
    abstract boolean advance(Encoder out) throws Throwable;

    /** Returns the object of the next reference. */
    abstract @Nullable Object next() throws Throwable;

    final String segment() {
      return slot < 0 ? "" : codec.segment(slot);
    }
  }

  /** The elements of an array or a collection, whose number has been written. */
  static final class Elements extends Writing {
    private final Object[] elements;

    Elements(Codec codec, Object[] elements) {
      super(codec);
      this.elements = elements;
    }

    @Override
    boolean advance(Encoder out) {
      return ++slot < elements.length;
    }

    @Override
    @Nullable Object next() {
      return elements[slot];
    }
  }

  /** The fields of an object; {@link CursorGenerator} makes the subclasses. */
  abstract static class FieldWriting extends Writing {
    final Object value;

    FieldWriting(Codec codec, Object value) {
      super(codec);
      this.value = value;
    }

    /** Returns a cursor of this class, before the first field. */
    abstract FieldWriting begin(Object value);
  }

  /** An object that is being read. */
  abstract static class Reading {
    final Codec codec;
    final int handle;

    /** The object whose slots can be filled later, or {@code null}. */
    final @Nullable Object owner;

    /** The object that refers to this one, or null. */
    @Nullable Reading parent;

    /** The slot of the next reference, or of the last one. */
    int slot = -1;

    Reading(Codec codec, int handle, @Nullable Object owner) {
      this.codec = codec;
      this.handle = handle;
      this.owner = owner;
    }

    /** Reads the data before the next reference; returns whether there is one. */
    abstract boolean advance(Decoder in) throws Throwable;

    /** Takes the object of the reference. */
    abstract void put(Decoder in, @Nullable Object value) throws Throwable;

    /** Returns the object, when all its references are read. */
    abstract @Nullable Object end(Decoder in) throws Throwable;

    final String segment() {
      return slot < 0 ? "" : codec.segment(slot);
    }
  }

  /** The fields of an object; {@link CursorGenerator} makes the subclasses. */
  abstract static class FieldReading extends Reading {
    FieldReading(Codec codec, int handle, @Nullable Object owner) {
      super(codec, handle, owner);
    }

    /** Returns a cursor of this class, before the first field. */
    abstract FieldReading begin(int handle, @Nullable Object owner);
  }

  /** Elements that are read into an array, which may be the object itself. */
  abstract static class Array extends Reading {
    final Object[] elements;

    Array(Codec codec, int handle, @Nullable Object owner, Object[] elements) {
      super(codec, handle, owner);
      this.elements = elements;
    }

    @Override
    boolean advance(Decoder in) {
      if (slot + 1 == elements.length) {
        return false;
      }
      slot++;
      return true;
    }

    @Override
    void put(Decoder in, @Nullable Object value) {
      elements[slot] = value;
    }
  }
}
