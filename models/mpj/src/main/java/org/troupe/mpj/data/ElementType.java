package org.troupe.mpj.data;

import java.lang.reflect.Array;
import java.util.List;

/** A base type: the type of the elements of a message's array. */
public enum ElementType {
  BYTE(byte.class, 1),
  CHAR(char.class, 2),
  SHORT(short.class, 2),
  BOOLEAN(boolean.class, 1),
  INT(int.class, 4),
  LONG(long.class, 8),
  FLOAT(float.class, 4),
  DOUBLE(double.class, 8),
  /** Elements that are copied as graphs of objects. */
  OBJECT(Object.class, 8),
  /** Bytes that hold packed elements of other types. */
  PACKED(byte.class, 1);

  /** All types, by ordinal. */
  public static final List<ElementType> ALL = List.of(values());

  private final Class<?> component;
  private final int bytes;

  ElementType(Class<?> component, int bytes) {
    this.component = component;
    this.bytes = bytes;
  }

  /** Returns the size of an element; of an object nominally. */
  public int bytes() {
    return bytes;
  }

  /** Returns the component type of arrays with such elements. */
  public Class<?> component() {
    return component;
  }

  /** Returns whether the elements are numbers that a link carries without copying them. */
  public boolean isNumeric() {
    return this != OBJECT && this != BOOLEAN;
  }

  /** Returns whether an array has such elements. */
  public boolean fits(Object array) {
    return this == OBJECT
        ? array instanceof Object[]
        : array.getClass().componentType() == component;
  }

  /** Returns whether elements of another type may be received as elements of this type. */
  public boolean accepts(ElementType sent) {
    return this == sent || this == PACKED && sent == BYTE || this == BYTE && sent == PACKED;
  }

  /** Returns a new array. */
  public Object newArray(int length) {
    return Array.newInstance(component, length);
  }
}
