package org.troupe.activeobjects.internal.call;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the elements of an iterator, for callers on other nodes: iterators of collections
 * cannot be serialized, and the underlying collection cannot be read from there.
 */
public final class IteratorCopy implements Iterator<Object> {

  /** The limit on the elements; a longer iterator is most likely an infinite stream. */
  static final int MOST_ELEMENTS = 1_000_000;

  private final List<Object> elements;
  private int next;

  private IteratorCopy(List<Object> elements) {
    this.elements = elements;
  }

  /**
   * Copies all elements of an iterator.
   *
   * @param method the method that returned the iterator, for messages
   * @return {@code null} if the iterator is {@code null}
   * @throws IllegalStateException if there are too many elements
   */
  public static @Nullable IteratorCopy of(@Nullable Iterator<?> iterator, CallMethod method) {
    if (iterator == null) {
      return null;
    }
    var elements = new ArrayList<>();
    while (iterator.hasNext()) {
      if (elements.size() == MOST_ELEMENTS) {
        throw new IllegalStateException(
            "%s gives more than %,d elements, which are copied for a caller on another node; add a method that returns a part of them as a List"
                .formatted(method, MOST_ELEMENTS));
      }
      elements.add(iterator.next());
    }
    return new IteratorCopy(elements);
  }

  @Override
  public boolean hasNext() {
    return next < elements.size();
  }

  @Override
  public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are " + elements.size() + " elements");
    }
    return elements.get(next++);
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException(
        "the iterator of an active object gives a copy of its elements, from which none can be"
            + " removed; call a method of the object that removes it");
  }
}
