package org.troupe.mpj.data;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.error.MessagingError.Failure;

/**
 * Items of a datatype in a user's array: the content of a message that is sent, or the destination
 * of one that is received.
 *
 * @param array the user's array; not null
 * @param offset the place of the first item
 * @param count the number of items
 * @param layout the datatype, which is committed and fits the array
 * @param element its base type
 */
public record MessageBuffer(
    Object array, int offset, int count, DataLayout layout, ElementType element) {

  private static final long NOMINAL_BYTES = 256; // of an object

  /** Returns what is to be sent, if it is right. */
  public static MessageBuffer sent(
      @Nullable Object array, int offset, int count, @Nullable DataLayout type) {
    if (count < 0) {
      throw MessagingError.of(
          ErrorClass.COUNT, "the count is " + count + "; give the number of items, at least 0");
    }
    var layout = DataLayout.given(type);
    var element = layout.element();
    if (element == null) {
      throw MessagingError.of(
          ErrorClass.TYPE, layout + " only marks a bound, and has no elements to send or receive");
    }
    if (!layout.isCommitted()) {
      throw MessagingError.of(
          ErrorClass.TYPE, "the datatype " + layout + " is not committed; call its Commit() first");
    }
    if (array == null) {
      if (count == 0 || layout.size() == 0) {
        return new MessageBuffer(element.newArray(0), 0, 0, layout, element);
      }
      throw MessagingError.of(
          ErrorClass.BUFFER,
          "the buffer is null; give an array for " + count + " items of " + layout);
    }
    if (!array.getClass().isArray()) {
      throw MessagingError.of(
          ErrorClass.BUFFER,
          "the buffer is "
              + IndefiniteArticle.before(array.getClass().getName())
              + ", not an array; put a single value into an array of length 1");
    }
    if (!element.fits(array)) {
      throw MessagingError.of(
          ErrorClass.TYPE,
          "the buffer is "
              + IndefiniteArticle.before(array.getClass().getSimpleName())
              + ", but the datatype "
              + layout
              + " needs "
              + IndefiniteArticle.before(element.component().getSimpleName() + "[]"));
    }
    if (count > 0 && layout.size() > 0) {
      var range = layout.range(offset, count);
      if (range[0] < 0
          || range[1] > Array.getLength(array)
          || (long) count * layout.size() > Integer.MAX_VALUE) {
        throw MessagingError.of(
            ErrorClass.BUFFER,
            count
                + " items of "
                + layout
                + " at offset "
                + offset
                + " take the elements "
                + range[0]
                + " to "
                + (range[1] - 1)
                + ", but the array has "
                + Array.getLength(array)
                + "; make it longer, or the count smaller");
      }
    }
    return new MessageBuffer(array, offset, count, layout, element);
  }

  /** Returns the place of a message that is to be received, if it is right. */
  public static MessageBuffer received(
      @Nullable Object array, int offset, int count, @Nullable DataLayout type) {
    var buffer = sent(array, offset, count, type);
    if (buffer.layout.overlaps(count)) {
      throw MessagingError.of(
          ErrorClass.TYPE,
          count
              + " items of "
              + buffer.layout
              + " overlap, so what is received in one place would be overwritten; receive into a type"
              + " without overlap");
    }
    return buffer;
  }

  /** Returns a range of an array of a base type. */
  public static MessageBuffer range(ElementType element, Object array, int offset, int count) {
    return new MessageBuffer(array, offset, count, BASE[element.ordinal()], element);
  }

  private static final DataLayout[] BASE =
      ElementType.ALL.stream().map(DataLayout::of).toArray(DataLayout[]::new);

  /** Returns the memory of a range of an array of numbers. */
  public static MemorySegment memory(ElementType element, Object array, int from, int count) {
    var all =
        switch (element) {
          case BYTE, PACKED -> MemorySegment.ofArray((byte[]) array);
          case CHAR -> MemorySegment.ofArray((char[]) array);
          case SHORT -> MemorySegment.ofArray((short[]) array);
          case INT -> MemorySegment.ofArray((int[]) array);
          case LONG -> MemorySegment.ofArray((long[]) array);
          case FLOAT -> MemorySegment.ofArray((float[]) array);
          case DOUBLE -> MemorySegment.ofArray((double[]) array);
          case BOOLEAN, OBJECT -> throw new IllegalArgumentException(element + " is no number");
        };
    return all.asSlice((long) from * element.bytes(), (long) count * element.bytes());
  }

  /** Returns the number of base elements. */
  public int elements() {
    return count * layout.size();
  }

  /** Returns whether the elements are a range of the array, from {@link #offset} on. */
  public boolean isContiguous() {
    return layout.isContiguous();
  }

  /** Returns the size in bytes; of objects an estimate, which is the same for a copy. */
  public long bytes() {
    if (element != ElementType.OBJECT) {
      return (long) elements() * element.bytes();
    }
    return bytes(isContiguous() ? array : packed(), isContiguous() ? offset : 0, elements());
  }

  /** Returns an estimate of the size of the objects in an array. */
  public static long bytes(Object objects, int from, int count) {
    var all = (Object[]) objects;
    var bytes = 0L;
    for (var i = from; i < from + count; i++) {
      bytes +=
          switch (all[i]) {
            case null -> 1;
            case String text -> text.length();
            case Object[] several -> several.length * NOMINAL_BYTES;
            case byte[] each -> each.length;
            case boolean[] each -> each.length;
            case char[] each -> 2L * each.length;
            case short[] each -> 2L * each.length;
            case int[] each -> 4L * each.length;
            case float[] each -> 4L * each.length;
            case long[] each -> 8L * each.length;
            case double[] each -> 8L * each.length;
            default -> NOMINAL_BYTES;
          };
    }
    return bytes;
  }

  /** Returns a new array of the elements in a row. */
  public Object packed() {
    var row = element.newArray(elements());
    layout.gather(array, offset, count, row, 0);
    return row;
  }

  /** Copies the elements into a row. */
  public void gather(Object into, int at) {
    layout.gather(array, offset, count, into, at);
  }

  /** Copies so many elements of a row into the items. */
  public void scatter(Object row, int at, int elements) {
    var failure = store(row, at, elements);
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  private @Nullable Failure store(Object row, int at, int elements) {
    try {
      layout.scatter(row, at, elements, array, offset);
      return null;
    } catch (ArrayStoreException e) {
      return new Failure(
          ErrorClass.TYPE,
          "an object that was received does not fit into a "
              + array.getClass().getSimpleName()
              + ": "
              + e.getMessage()
              + "; receive into an Object[]",
          e);
    }
  }

  /**
   * Fills the items with the elements that were sent.
   *
   * @return the failure, or {@code null}
   */
  public @Nullable Failure fill(ElementType sent, Object row, int at, int elements) {
    if (!element.accepts(sent)) {
      return wrongType(sent);
    }
    var room = elements();
    Failure unfit;
    try {
      unfit = store(row, at, Math.min(room, elements));
    } catch (IndexOutOfBoundsException e) {
      return new Failure(ErrorClass.BUFFER, "the array became shorter: " + e.getMessage(), e);
    }
    return unfit == null && elements > room ? tooLong(elements) : unfit;
  }

  /** Returns the failure of receiving another base type. */
  public Failure wrongType(ElementType sent) {
    return new Failure(
        ErrorClass.TYPE,
        "the message has elements of type "
            + sent
            + ", but the receive names "
            + layout
            + (layout.toString().equals(element.name()) ? "" : " of base type " + element)
            + "; both sides must name the same base type");
  }

  private Failure tooLong(int elements) {
    return new Failure(
        ErrorClass.TRUNCATE,
        "the message has "
            + elements
            + " elements, but the receive has room for "
            + elements()
            + " ("
            + count
            + " items of "
            + layout
            + "); the first "
            + elements()
            + " were received, the rest is dropped; probe for the length, or post a longer receive");
  }
}
