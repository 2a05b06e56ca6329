package org.troupe.groups.spmd;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.groups.Slice;

/** Copies slices to and from arrays that a collective operation sends and receives. */
final class SliceArrays {

  private SliceArrays() {}

  /** Returns the size of a slice in bytes. */
  static long bytes(Slice<?> slice) {
    var element = slice.element();
    return (long) slice.length()
        * (element == double.class || element == long.class
            ? Long.BYTES
            : element == byte.class ? 1 : Integer.BYTES);
  }

  /** Returns the size of an array of numbers, or of a number, in bytes; 0 for any other value. */
  static long bytesOf(@Nullable Object value) {
    return switch (value) {
      case double[] all -> (long) all.length * Double.BYTES;
      case float[] all -> (long) all.length * Float.BYTES;
      case int[] all -> (long) all.length * Integer.BYTES;
      case long[] all -> (long) all.length * Long.BYTES;
      case byte[] all -> all.length;
      case Number _ -> Long.BYTES;
      case null, default -> 0;
    };
  }

  /**
   * Returns a copy of the elements in an array of their own, which may come from the pool. A new
   * array is made without clearing it first.
   */
  static Object copyOf(Slice<?> slice) {
    var offset = slice.offset();
    var pooled = ArrayPool.take(slice.element(), slice.length());
    if (pooled != null) {
      System.arraycopy(slice.array(), offset, pooled, 0, slice.length());
      return pooled;
    }
    var end = offset + slice.length();
    return switch (slice.array()) {
      case double[] all -> Arrays.copyOfRange(all, offset, end);
      case float[] all -> Arrays.copyOfRange(all, offset, end);
      case int[] all -> Arrays.copyOfRange(all, offset, end);
      case long[] all -> Arrays.copyOfRange(all, offset, end);
      case byte[] all -> Arrays.copyOfRange(all, offset, end);
      default -> throw new AssertionError(slice.array().getClass());
    };
  }

  /** Returns a new array with the element type of a slice. */
  static Object newArray(Slice<?> like, int length) {
    return Array.newInstance(like.element(), length);
  }

  /** Returns a slice of a whole array, whose type is that of another slice. */
  @SuppressWarnings(
      "unchecked") // members send arrays of the type of their slices; another fails when copied
  static <A> Slice<A> wrap(Slice<A> like, Object array) {
    return (Slice<A>)
        switch (array) {
          case double[] all -> Slice.of(all);
          case float[] all -> Slice.of(all);
          case int[] all -> Slice.of(all);
          case long[] all -> Slice.of(all);
          case byte[] all -> Slice.of(all);
          default -> // sent by another member
              throw new IllegalArgumentException(array.getClass() + " is no array of numbers");
        };
  }

  /** Fills a slice from the beginning of an array. */
  static void fill(Slice<?> slice, Object from) {
    fill(slice, from, 0);
  }

  /** Fills a slice from an array. */
  static void fill(Slice<?> slice, Object from, int start) {
    System.arraycopy(from, start, slice.array(), slice.offset(), slice.length());
  }

  /** Returns the memory of a slice. */
  static MemorySegment segment(Slice<?> slice) {
    var all =
        switch (slice.array()) {
          case double[] array -> MemorySegment.ofArray(array);
          case float[] array -> MemorySegment.ofArray(array);
          case int[] array -> MemorySegment.ofArray(array);
          case long[] array -> MemorySegment.ofArray(array);
          case byte[] array -> MemorySegment.ofArray(array);
          default -> throw new AssertionError(slice.array().getClass());
        };
    if (slice.length() == 0) {
      return all.asSlice(0, 0);
    }
    var bytes = bytes(slice);
    return all.asSlice(bytes / slice.length() * slice.offset(), bytes);
  }
}
