package org.troupe.activeobjects.internal.call;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * What an iterator gives, for callers elsewhere: iterators of collections cannot travel, nor can
 * what they iterate be read from there.
 */
public final class IteratorCopy implements Iterator<Object> {

  /** More would be a stream without an end, most often. */
  static final int MOST_ELEMENTS = 1_000_000;

  private final List<Object> elements;
  private int next;

  private IteratorCopy(List<Object> elements) {
    this.elements = elements;
  }

  /**
   * Takes all elements from an iterator.
   *
   * @param method that has returned it, for messages
   * @return {@code null} for {@code null}
   * @throws IllegalStateException if there are too many
   */
  public static IteratorCopy of(Iterator<?> iterator, CallMethod method) {
    if (iterator == null) {
      return null;
    }
    var elements = new ArrayList<>();
    while (iterator.hasNext()) {
      if (elements.size() == MOST_ELEMENTS) {
        throw new IllegalStateException(
            "%s gives more than %,d elements, which are copied for a caller elsewhere; add a method that returns a part of them as a List"
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
