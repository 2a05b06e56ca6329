package org.troupe.activeobjects.internal.relocation;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * The coordinator's table of the objects that have moved, or are made anew if they are lost. An
 * object is where its last grant says. Guarded by the lock that puts grants and deaths in one
 * order.
 *
 * @param <I> the identities of objects
 */
public final class PlaceDirectory<I> {

  private final Map<I, Place> places = new HashMap<>();

  /**
   * Grants the move of an object, if it is where the request says.
   *
   * @param from where the object is; at birth its epoch is 0
   * @return the new place, or {@code null} if the move is refused
   */
  public @Nullable Place grant(I object, Place from, NodeId to) {
    var known = places.getOrDefault(object, from);
    if (!known.equals(from)) {
      return null;
    }
    var next = new Place(to, from.epoch() + 1);
    places.put(object, next);
    return next;
  }

  /** Records an object that was created on a node; does nothing if it is known. */
  public void born(I object, NodeId node) {
    places.putIfAbsent(object, new Place(node, 0));
  }

  /** Records where an object of an earlier run was. */
  public void resumed(I object, Place last) {
    places.put(object, last);
  }

  /** Grants that a known object that was lost is made anew on a node; returns the new place. */
  public Place embody(I object, NodeId to) {
    var former = Objects.requireNonNull(places.get(object), "the place of a known object");
    var next = new Place(to, former.epoch() + 1);
    places.put(object, next);
    return next;
  }

  /** Returns where an object is; {@code null} if it is not known. */
  public @Nullable Place place(I object) {
    return places.get(object);
  }

  /** Returns whether any known object matches. */
  public boolean anyMatch(BiPredicate<I, Place> condition) {
    return places.entrySet().stream()
        .anyMatch(each -> condition.test(each.getKey(), each.getValue()));
  }

  /** Forgets an object that has ended. */
  public void forget(I object) {
    places.remove(object);
  }
}
