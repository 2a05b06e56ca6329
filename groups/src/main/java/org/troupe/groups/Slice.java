package org.troupe.groups;

import java.lang.reflect.Array;
import java.util.Objects;

/**
 * A range of an array of numbers, for collective operations to read and fill. A view, not a copy;
 * as thread-safe as the array.
 *
 * @param <A> {@code double[]}, {@code float[]}, {@code int[]}, {@code long[]} or {@code byte[]}
 */
public final class Slice<A> {

  private final A array;
  private final int offset;
  private final int length;

  private Slice(A array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, Array.getLength(array));
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /** Returns a slice of a whole array, which is not copied. */
  public static Slice<double[]> of(double... array) {
    return new Slice<>(array, 0, array.length);
  }

  /** Returns a slice of a whole array, which is not copied. */
  public static Slice<float[]> of(float... array) {
    return new Slice<>(array, 0, array.length);
  }

  /** Returns a slice of a whole array, which is not copied. */
  public static Slice<int[]> of(int... array) {
    return new Slice<>(array, 0, array.length);
  }

  /** Returns a slice of a whole array, which is not copied. */
  public static Slice<long[]> of(long... array) {
    return new Slice<>(array, 0, array.length);
  }

  /** Returns a slice of a whole array, which is not copied. */
  public static Slice<byte[]> of(byte... array) {
    return new Slice<>(array, 0, array.length);
  }

  /** Returns a range of this slice. */
  public Slice<A> from(int start, int count) {
    Objects.checkFromIndexSize(start, count, length);
    return new Slice<>(array, offset + start, count);
  }

  /**
   * Returns the block of a member. The slice is divided into as many blocks as there are members,
   * as equal as possible, with the longer blocks first.
   */
  public Slice<A> block(int rank, int size) {
    return from(start(rank, size, length), length(rank, size, length));
  }

  /** Returns the index at which a block begins. */
  public static int start(int index, int count, int length) {
    return index * (length / count) + Math.min(index, length % count);
  }

  /** Returns the length of a block. */
  public static int length(int index, int count, int length) {
    return length / count + (index < length % count ? 1 : 0);
  }

  /** Returns the underlying array, not a copy. */
  public A array() {
    return array;
  }

  /** Returns the index of the first element in the underlying array. */
  public int offset() {
    return offset;
  }

  /** Returns the number of elements. */
  public int length() {
    return length;
  }

  /** Returns whether two slices share elements. */
  public boolean overlaps(Slice<?> other) {
    return array == other.array
        && offset < other.offset + other.length
        && other.offset < offset + length;
  }

  /** Returns the type of the elements. */
  public Class<?> element() {
    return array.getClass().componentType();
  }

  /** {@code double[3..7]}, for messages. */
  @Override
  public String toString() {
    return element() + "[" + offset + ".." + (offset + length) + "]";
  }
}
