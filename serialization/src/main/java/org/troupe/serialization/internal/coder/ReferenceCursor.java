package org.troupe.serialization.internal.coder;

import org.jspecify.annotations.Nullable;

/**
 * Cursors over the references of objects that a loop writes or reads where recursion would be too
 * deep; each replaces a stack frame.
 */
public final class ReferenceCursor {

  private ReferenceCursor() {}

  /** An object that is being written. */
  public abstract static class Writing {
    protected final Codec codec;

    /** The object that refers to this one, or null. */
    @Nullable Writing parent;

    /** The slot of the next reference, or of the last one. */
    public int slot = -1;

    protected Writing(Codec codec) {
      this.codec = codec;
    }

    /** Writes the data before the next reference; returns whether there is one. */
    public abstract boolean advance(Encoder out) throws Throwable;

    /** Returns the object of the next reference. */
    public abstract @Nullable Object next() throws Throwable;

    final String segment() {
      return slot < 0 ? "" : codec.segment(slot);
    }
  }

  /** The elements of an array or a collection, whose number has been written. */
  public static final class Elements extends Writing {
    private final Object[] elements;

    public Elements(Codec codec, Object[] elements) {
      super(codec);
      this.elements = elements;
    }

    @Override
    public boolean advance(Encoder out) {
      return ++slot < elements.length;
    }

    @Override
    public @Nullable Object next() {
      return elements[slot];
    }
  }

  /** The fields of an object; subclasses are generated. */
  public abstract static class FieldWriting extends Writing {
    protected final Object value;

    protected FieldWriting(Codec codec, Object value) {
      super(codec);
      this.value = value;
    }

    /** Returns a cursor of this class, before the first field. */
    public abstract FieldWriting begin(Object value);
  }

  /** An object that is being read. */
  public abstract static class Reading {
    protected final Codec codec;
    final int handle;

    /** The object whose slots can be filled later, or {@code null}. */
    public final @Nullable Object owner;

    /** The object that refers to this one, or null. */
    @Nullable Reading parent;

    /** The slot of the next reference, or of the last one. */
    public int slot = -1;

    protected Reading(Codec codec, int handle, @Nullable Object owner) {
      this.codec = codec;
      this.handle = handle;
      this.owner = owner;
    }

    /** Reads the data before the next reference; returns whether there is one. */
    public abstract boolean advance(Decoder in) throws Throwable;

    /** Takes the object of the reference. */
    public abstract void put(Decoder in, @Nullable Object value) throws Throwable;

    /** Returns the object, when all its references are read. */
    public abstract @Nullable Object end(Decoder in) throws Throwable;

    final String segment() {
      return slot < 0 ? "" : codec.segment(slot);
    }
  }

  /** The fields of an object; subclasses are generated. */
  public abstract static class FieldReading extends Reading {
    protected FieldReading(Codec codec, int handle, @Nullable Object owner) {
      super(codec, handle, owner);
    }

    /** Returns a cursor of this class, before the first field. */
    public abstract FieldReading begin(int handle, @Nullable Object owner);
  }

  /** Elements that are read into an array, which may be the object itself. */
  public abstract static class Array extends Reading {
    protected final Object[] elements;

    protected Array(Codec codec, int handle, @Nullable Object owner, Object[] elements) {
      super(codec, handle, owner);
      this.elements = elements;
    }

    @Override
    public boolean advance(Decoder in) {
      if (slot + 1 == elements.length) {
        return false;
      }
      slot++;
      return true;
    }

    @Override
    public void put(Decoder in, @Nullable Object value) {
      elements[slot] = value;
    }
  }
}
