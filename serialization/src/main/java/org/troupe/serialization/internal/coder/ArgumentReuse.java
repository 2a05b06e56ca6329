package org.troupe.serialization.internal.coder;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** The decoding of a call into the objects of the previous one; {@link ReusableValues} says how. */
public final class ArgumentReuse {

  private static final Object[] NONE = {};

  private @Nullable ReusableValues previous; // null where no objects are reused

  /** The objects of the previous call, by handle. */
  private Object[] objects = NONE;

  /** The difference of the handles of that call from those of this one, in the current argument. */
  private int shift;

  /** The handle of that call after the last one in the current argument. */
  private int end;

  private int argument;
  private int argumentStart;
  private int count;

  /** Forgets all objects. */
  void reset() {
    previous = null;
    objects = NONE;
    shift = 0;
    end = 0;
    count = 0;
  }

  /** Returns the number of reused objects since the last reset. */
  int count() {
    return count;
  }

  void begin(ReusableValues values) {
    previous = values;
    objects = values.take();
    argument = -1;
  }

  /** Begins an argument of a call, whose objects are those of the previous call if it permits. */
  void beginArgument(int index, int nextHandle) {
    if (previous == null) {
      return;
    }
    endArgument(previous, nextHandle);
    argument = index;
    argumentStart = nextHandle;
    shift = previous.from(index) - nextHandle;
    end = objects.length == 0 ? 0 : previous.to(index);
  }

  private void endArgument(ReusableValues values, int nextHandle) {
    if (argument >= 0) {
      values.setRange(argument, argumentStart, nextHandle);
    }
  }

  /**
   * Ends a call, and keeps its objects for the next one if all of them may be overwritten.
   *
   * @param decoded its objects by handle, which this owns from now on if they are kept
   * @param shares whether something was met twice
   * @param hasForeignObjects whether a handle has an object that the decoder did not create
   * @return an array in exchange for that of the objects, or null if they are not kept
   */
  Object @Nullable [] exchange(
      Object[] decoded, int nextHandle, boolean shares, boolean hasForeignObjects) {
    if (previous == null) {
      return null;
    }
    endArgument(previous, nextHandle);
    if (hasForeignObjects || !previous.isOfAll() && shares) {
      return null;
    }
    previous.keep(decoded);
    return objects.length == 0 ? new Object[16] : objects;
  }

  /**
   * Returns the object of the previous call in the place of a new one, to be read into; null if
   * there is none of that class.
   */
  public @Nullable Object find(Class<?> type, int handle) {
    Object old = inPlace(type, handle);
    if (old != null) {
      count++;
    }
    return old;
  }

  /** Returns an array to be read into, as {@link #find} does, of the given length. */
  public @Nullable Object find(Class<?> type, int handle, int length) {
    Object old = inPlace(type, handle);
    if (old == null || Array.getLength(old) != length) {
      return null;
    }
    count++;
    return old;
  }

  private @Nullable Object inPlace(Class<?> type, int handle) {
    int index = handle + shift;
    if (index >= end) {
      return null;
    }
    Object old = objects[index];
    return old != null && old.getClass() == type ? old : null;
  }
}
