package org.troupe.mpj.data;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/**
 * Which elements of an array one item of a datatype takes, counted in elements of the base type
 * from the item's place. Immutable, but for its commitment.
 */
public final class DataLayout {

  /*
   * A layout is a list of blocks in the order in which their elements travel. Neighbouring blocks are merged as they
   * are added, so a contiguous type of a million elements is one block. Blocks of equal length at equal distances
   * are recognized at the end, and copied by two loops over the array itself.
   */
  private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

  private final String name;
  private final @Nullable ElementType
      element; // null: a marker of a bound, or a type without blocks
  private final int[] starts;
  private final int[] lengths;
  private final int size;
  private final int lower;
  private final int upper;
  private final boolean isLowerSet; // by a marker, whose bound a type made of this one takes over
  private final boolean isUpperSet;
  private final int distance; // between equal blocks; 0 if they are not
  private final boolean isPair;
  private final int least;
  private final int greatest; // the last element + 1
  private volatile boolean isCommitted;
  private volatile boolean isFreed;
  private volatile int overlap = UNKNOWN; // of the items, see overlaps

  private static final int UNKNOWN = -1;

  private DataLayout(Builder from, boolean isPair, boolean isCommitted) {
    this.name = from.name;
    this.element = from.element;
    this.starts = Arrays.copyOf(from.starts, from.blocks);
    this.lengths = Arrays.copyOf(from.lengths, from.blocks);
    this.size = from.size;
    this.isLowerSet = from.lowerSet != null;
    this.isUpperSet = from.upperSet != null;
    this.lower = from.lowerSet != null ? from.lowerSet : from.hasBounds ? from.lower : 0;
    this.upper = from.upperSet != null ? from.upperSet : from.hasBounds ? from.upper : 0;
    this.isPair = isPair;
    this.isCommitted = isCommitted;
    var first = 0;
    var last = 0;
    for (var i = 0; i < starts.length; i++) {
      first = i == 0 ? starts[i] : Math.min(first, starts[i]);
      last = i == 0 ? starts[i] + lengths[i] : Math.max(last, starts[i] + lengths[i]);
    }
    this.least = first;
    this.greatest = last;
    this.distance = distance(starts, lengths);
  }

  private static int distance(int[] starts, int[] lengths) {
    if (starts.length < 2) {
      return 0;
    }
    var distance = starts[1] - starts[0];
    for (var i = 1; i < starts.length; i++) {
      if (lengths[i] != lengths[0] || starts[i] - starts[i - 1] != distance) {
        return 0;
      }
    }
    return distance;
  }

  // Making

  /** Returns a type of one element. */
  public static DataLayout of(ElementType element) {
    var made = new Builder(element.name());
    made.element = element;
    made.block(0, 1);
    made.bounds(0, 1);
    return new DataLayout(made, false, true);
  }

  /** Returns the type of a value and its index, for MAXLOC and MINLOC. */
  public static DataLayout pairOf(ElementType element) {
    var made = new Builder(element.name() + "2");
    made.element = element;
    made.block(0, 2);
    made.bounds(0, 2);
    return new DataLayout(made, true, true);
  }

  /** Returns the marker of a lower bound. */
  public static DataLayout lowerBound() {
    var made = new Builder("LB");
    made.lowerSet = 0;
    return new DataLayout(made, false, true);
  }

  /** Returns the marker of an upper bound. */
  public static DataLayout upperBound() {
    var made = new Builder("UB");
    made.upperSet = 0;
    return new DataLayout(made, false, true);
  }

  /** Returns the type of items in a row. */
  public static DataLayout contiguous(int count, DataLayout old) {
    checkCount("count", count);
    var made = new Builder("Contiguous(" + count + ", " + old.name + ")");
    made.add(0, count, old);
    return new DataLayout(made, false, false);
  }

  /** Returns the type of blocks at equal distances, in extents of the old type. */
  public static DataLayout vector(int count, int blockLength, int stride, DataLayout old) {
    return strided("Vector", count, blockLength, stride, (long) stride * old.extent(), old);
  }

  /** Returns the type of blocks at equal distances, in base elements. */
  public static DataLayout hvector(int count, int blockLength, int stride, DataLayout old) {
    return strided("Hvector", count, blockLength, stride, stride, old);
  }

  private static DataLayout strided(
      String kind, int count, int blockLength, int stride, long elements, DataLayout old) {
    checkCount("count", count);
    checkCount("block length", blockLength);
    var made =
        new Builder(
            kind + "(" + count + ", " + blockLength + ", " + stride + ", " + old.name + ")");
    for (var i = 0; i < count; i++) {
      made.add(i * elements, blockLength, old);
    }
    return new DataLayout(made, false, false);
  }

  /** Returns the type of blocks at places in extents of the old type. */
  public static DataLayout indexed(
      int @Nullable [] lengths, int @Nullable [] displacements, DataLayout old) {
    return placed("Indexed", lengths, displacements, old.extent(), old);
  }

  /** Returns the type of blocks at places in base elements. */
  public static DataLayout hindexed(
      int @Nullable [] lengths, int @Nullable [] displacements, DataLayout old) {
    return placed("Hindexed", lengths, displacements, 1, old);
  }

  private static DataLayout placed(
      String kind,
      int @Nullable [] lengths,
      int @Nullable [] displacements,
      int unit,
      DataLayout old) {
    if (lengths == null || displacements == null || lengths.length > displacements.length) {
      throw MessagingError.of(
          ErrorClass.ARG,
          kind + " needs a displacement for each block; give arrays of equal length");
    }
    var made = new Builder(kind + "(" + lengths.length + " blocks of " + old.name + ")");
    made.element = old.element;
    for (var i = 0; i < lengths.length; i++) {
      checkCount("block length " + i, lengths[i]);
      made.add((long) displacements[i] * unit, lengths[i], old);
    }
    return new DataLayout(made, false, false);
  }

  /** Returns the type of blocks of several types, at places in base elements. */
  public static DataLayout struct(
      int @Nullable [] lengths,
      int @Nullable [] displacements,
      @Nullable DataLayout @Nullable [] types) {
    if (lengths == null
        || displacements == null
        || types == null
        || lengths.length > displacements.length
        || lengths.length > types.length) {
      throw MessagingError.of(
          ErrorClass.ARG,
          "Struct needs a displacement and a type for each block; give arrays of equal length");
    }
    var made = new Builder("Struct(" + lengths.length + " blocks)");
    for (var i = 0; i < lengths.length; i++) {
      checkCount("block length " + i, lengths[i]);
      made.add(displacements[i], lengths[i], given(types[i]));
    }
    return new DataLayout(made, false, false);
  }

  /** Returns the type, unless it is missing or freed. */
  public static DataLayout given(@Nullable DataLayout type) {
    if (type == null) {
      throw MessagingError.of(ErrorClass.TYPE, "the datatype is null; give one such as MPI.INT");
    }
    if (type.isFreed) {
      throw MessagingError.of(
          ErrorClass.TYPE, "the datatype " + type + " has been freed; make and commit a new one");
    }
    return type;
  }

  private static void checkCount(String what, int count) {
    if (count < 0) {
      throw MessagingError.of(
          ErrorClass.COUNT,
          "the " + what + " of a datatype is " + count + "; it must not be negative");
    }
  }

  /** The blocks of a type that is being made. */
  private static final class Builder {
    private final String name;
    private @Nullable ElementType element;
    private int[] starts = new int[4];
    private int[] lengths = new int[4];
    private int blocks;
    private int size;
    private boolean hasBounds;
    private int lower;
    private int upper;
    private @Nullable Integer lowerSet;
    private @Nullable Integer upperSet;

    Builder(String name) {
      this.name = name;
    }

    void add(long place, int copies, DataLayout old) {
      if (copies == 0) {
        element = element == null ? old.element : element;
        return;
      }
      if (old.element != null) {
        if (element != null && element != old.element) {
          throw MessagingError.of(
              ErrorClass.TYPE,
              name
                  + " has parts of the base types "
                  + element
                  + " and "
                  + old.element
                  + "; all parts of a type must have one base type, since they lie in one array");
        }
        element = old.element;
      }
      var extent = old.extent();
      var last = place + (copies - 1L) * extent;
      check(place + old.lower);
      check(place + old.upper);
      check(last + old.upper);
      check(last + old.lower);
      if (old.starts.length == 1 && old.starts[0] == old.lower && old.lengths[0] == extent) {
        block(checked(place + old.starts[0]), checked((long) copies * extent));
      } else {
        for (var copy = 0; copy < copies; copy++) {
          var at = place + (long) copy * extent;
          for (var i = 0; i < old.starts.length; i++) {
            block(checked(at + old.starts[i]), old.lengths[i]);
          }
        }
      }
      var from = checked(Math.min(place, last));
      var to = checked(Math.max(place, last));
      if (old.isLowerSet) {
        var bound = from + old.lower;
        lowerSet = lowerSet == null ? bound : Math.min(lowerSet, bound);
      }
      if (old.isUpperSet) {
        var bound = to + old.upper;
        upperSet = upperSet == null ? bound : Math.max(upperSet, bound);
      }
      if (old.element != null) {
        bounds(from + old.lower, to + old.upper);
      }
    }

    private static void check(long place) {
      checked(place);
    }

    private static int checked(long place) {
      if (Math.abs(place) > MOST_ELEMENTS) {
        throw MessagingError.of(
            ErrorClass.ARG,
            "a datatype reaches to element "
                + place
                + ", beyond the end of any array; make it smaller");
      }
      return (int) place;
    }

    void bounds(int from, int to) {
      lower = hasBounds ? Math.min(lower, from) : from;
      upper = hasBounds ? Math.max(upper, to) : to;
      hasBounds = true;
    }

    void block(int start, int length) {
      if (length == 0) {
        return;
      }
      size = checked((long) size + length);
      if (blocks > 0 && starts[blocks - 1] + lengths[blocks - 1] == start) {
        lengths[blocks - 1] += length;
        return;
      }
      if (blocks == starts.length) {
        starts = Arrays.copyOf(starts, 2 * blocks);
        lengths = Arrays.copyOf(lengths, 2 * blocks);
      }
      starts[blocks] = start;
      lengths[blocks] = length;
      blocks++;
    }
  }

  // Facts

  /** Returns the base type; {@code null} for a marker of a bound. */
  public @Nullable ElementType element() {
    return element;
  }

  /** Returns the number of base elements. */
  public int size() {
    return size;
  }

  /** Returns the distance of two items in a row, in base elements. */
  public int extent() {
    return upper - lower;
  }

  /** Returns the lower bound. */
  public int lower() {
    return lower;
  }

  /** Returns the upper bound. */
  public int upper() {
    return upper;
  }

  /** Returns whether an item is a value and its index. */
  public boolean isPair() {
    return isPair;
  }

  /** Returns whether any number of items in a row is a range of the array. */
  public boolean isContiguous() {
    return size == extent() && starts.length == 1 && starts[0] == 0 || size == 0;
  }

  /** Returns the range of {@code count} items at a place: the first element, and the last + 1. */
  long[] range(int offset, int count) {
    var shift = (count - 1L) * extent();
    return new long[] {offset + least + Math.min(0, shift), offset + greatest + Math.max(0, shift)};
  }

  /** Permits the use of the type in messages. */
  public void commit() {
    given(this);
    isCommitted = true;
  }

  /** Forbids further use. Messages under way are completed. */
  public void free() {
    given(this);
    isFreed = true;
  }

  boolean isCommitted() {
    return isCommitted;
  }

  /** Returns whether an element of the array belongs to two places of so many items. */
  boolean overlaps(int count) {
    if (count == 0 || starts.length <= 1 && extent() >= size) {
      return false;
    }
    var found = overlap;
    if (found == UNKNOWN) {
      found = overlapOfItems();
      overlap = found;
    }
    return count >= found;
  }

  /** Returns from how many items on two of them overlap; 1 if one overlaps with itself. */
  private int overlapOfItems() {
    var taken = new BitSet();
    for (var i = 0; i < starts.length; i++) {
      var from = starts[i] - least;
      var next = taken.nextSetBit(from);
      if (next >= 0 && next < from + lengths[i]) {
        return 1;
      }
      taken.set(from, from + lengths[i]);
    }
    var step = Math.abs(extent());
    if (step == 0) {
      return size == 0 ? Integer.MAX_VALUE : 2;
    }
    var span = greatest - least;
    for (var k = 1; (long) k * step < span; k++) {
      var shift = k * step;
      for (var bit = taken.nextSetBit(shift); bit >= 0; bit = taken.nextSetBit(bit + 1)) {
        if (taken.get(bit - shift)) {
          return k + 1;
        }
      }
    }
    return Integer.MAX_VALUE;
  }

  // Copying

  /** Copies items from an array into a row of elements. */
  void gather(Object from, int offset, int count, Object into, int at) {
    if (isContiguous()) {
      System.arraycopy(from, offset, into, at, count * size);
      return;
    }
    for (var item = 0; item < count; item++) {
      var place = offset + item * extent();
      if (distance != 0 && lengths[0] == 1 && gatherEvenly(from, place + starts[0], into, at)) {
        at += size;
        continue;
      }
      for (var i = 0; i < starts.length; i++) {
        System.arraycopy(from, place + starts[i], into, at, lengths[i]);
        at += lengths[i];
      }
    }
  }

  /**
   * Copies a row of elements into items of an array, as many elements as there are.
   *
   * @param elements the number of elements, perhaps of a part of the last item
   */
  void scatter(Object from, int at, int elements, Object into, int offset) {
    if (isContiguous()) {
      System.arraycopy(from, at, into, offset, elements);
      return;
    }
    for (var item = 0; elements > 0; item++) {
      var place = offset + item * extent();
      if (distance != 0
          && lengths[0] == 1
          && elements >= size
          && scatterEvenly(from, at, into, place + starts[0])) {
        at += size;
        elements -= size;
        continue;
      }
      for (var i = 0; i < starts.length && elements > 0; i++) {
        var length = Math.min(lengths[i], elements);
        System.arraycopy(from, at, into, place + starts[i], length);
        at += length;
        elements -= length;
      }
    }
  }

  private boolean gatherEvenly(Object from, int place, Object into, int at) {
    switch (from) {
      case double[] numbers -> {
        var row = (double[]) into;
        for (var i = 0; i < starts.length; i++) {
          row[at + i] = numbers[place + i * distance];
        }
      }
      case int[] numbers -> {
        var row = (int[]) into;
        for (var i = 0; i < starts.length; i++) {
          row[at + i] = numbers[place + i * distance];
        }
      }
      case float[] numbers -> {
        var row = (float[]) into;
        for (var i = 0; i < starts.length; i++) {
          row[at + i] = numbers[place + i * distance];
        }
      }
      case long[] numbers -> {
        var row = (long[]) into;
        for (var i = 0; i < starts.length; i++) {
          row[at + i] = numbers[place + i * distance];
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean scatterEvenly(Object from, int at, Object into, int place) {
    switch (into) {
      case double[] numbers -> {
        var row = (double[]) from;
        for (var i = 0; i < starts.length; i++) {
          numbers[place + i * distance] = row[at + i];
        }
      }
      case int[] numbers -> {
        var row = (int[]) from;
        for (var i = 0; i < starts.length; i++) {
          numbers[place + i * distance] = row[at + i];
        }
      }
      case float[] numbers -> {
        var row = (float[]) from;
        for (var i = 0; i < starts.length; i++) {
          numbers[place + i * distance] = row[at + i];
        }
      }
      case long[] numbers -> {
        var row = (long[]) from;
        for (var i = 0; i < starts.length; i++) {
          numbers[place + i * distance] = row[at + i];
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return name;
  }
}
