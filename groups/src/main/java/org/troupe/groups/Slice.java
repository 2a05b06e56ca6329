package org.troupe.groups;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import org.troupe.activeobjects.transport.ArrayPool;

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

  public static Slice<double[]> of(double... array) {
    return new Slice<>(array, 0, array.length);
  }

  public static Slice<float[]> of(float... array) {
    return new Slice<>(array, 0, array.length);
  }

  public static Slice<int[]> of(int... array) {
    return new Slice<>(array, 0, array.length);
  }

  public static Slice<long[]> of(long... array) {
    return new Slice<>(array, 0, array.length);
  }

  public static Slice<byte[]> of(byte... array) {
    return new Slice<>(array, 0, array.length);
  }

  /** Returns a range of this slice. */
  public Slice<A> from(int start, int count) {
    Objects.checkFromIndexSize(start, count, length);
    return new Slice<>(array, offset + start, count);
  }

  /**
   * Returns the part of a member: the slice is cut into as many parts as there are members, as
   * equal as possible, with the longer parts first.
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

  /** Returns the index of its first element in the array. */
  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  /** Says whether the two share elements. */
  public boolean overlaps(Slice<?> other) {
    return array == other.array
        && offset < other.offset + other.length
        && other.offset < offset + length;
  }

  public Class<?> element() {
    return array.getClass().componentType();
  }

  /** Returns a slice of a whole array of the same type. */
  @SuppressWarnings("unchecked") // it came from a slice of the same kind
  public Slice<A> over(Object all) {
    return new Slice<>((A) all, 0, Array.getLength(all));
  }

  /** Returns the size in bytes. */
  public long bytes() {
    var element = element();
    return (long) length
        * (element == double.class || element == long.class
            ? Long.BYTES
            : element == byte.class ? 1 : Integer.BYTES);
  }

  /** Returns a copy that may be handed over, made without clearing the array first. */
  @SuppressWarnings("unchecked") // of the same class
  public A copy() {
    var spare = (A) ArrayPool.take(element(), length);
    if (spare != null) {
      System.arraycopy(array, offset, spare, 0, length);
      return spare;
    }
    var end = offset + length;
    return (A)
        switch (array) {
          case double[] all -> Arrays.copyOfRange(all, offset, end);
          case float[] all -> Arrays.copyOfRange(all, offset, end);
          case int[] all -> Arrays.copyOfRange(all, offset, end);
          case long[] all -> Arrays.copyOfRange(all, offset, end);
          case byte[] all -> Arrays.copyOfRange(all, offset, end);
          default -> throw new AssertionError(array.getClass());
        };
  }

  @SuppressWarnings("unchecked") // of the same class
  public A empty(int count) {
    return (A) Array.newInstance(element(), count);
  }

  /** Fills this slice from the beginning of an array. */
  public void fill(Object from) {
    fill(from, 0);
  }

  public void fill(Object from, int start) {
    System.arraycopy(from, start, array, offset, length);
  }

  /** {@code double[3..7]}, for messages. */
  @Override
  public String toString() {
    return element() + "[" + offset + ".." + (offset + length) + "]";
  }
}
