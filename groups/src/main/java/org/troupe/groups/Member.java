package org.troupe.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.stubs.Stubs;

/** One member of a group, by the kind of object that calls go to. */
sealed interface Member<T> permits Member.Active, DeferredMember {

  /** Returns the object that users see: a stub, a future, a typed group or an ordinary object. */
  T object();

  /** Returns the object that is sent in its place: a stub, a typed group or a future. */
  T serializedForm();

  /** Describes its location, for messages. */
  String where();

  /** Returns a result that settles when it arrives. */
  FutureResult<T> result();

  /** Returns the member with a time limit on its calls, if its reference can apply one. */
  Member<T> within(Duration limit);

  /**
   * Returns whether it is the object of another stub, a future or an ordinary object; never waits.
   */
  boolean is(Object other);

  /**
   * An active object; calls go to it at once.
   *
   * @param object its stub
   */
  record Active<T>(T object, Ref<?> ref) implements Member<T> {

    @Override
    public T serializedForm() {
      return object;
    }

    @Override
    public String where() {
      return "node '" + ref.node().name() + "'";
    }

    @Override
    public FutureResult<T> result() {
      return here(object, where());
    }

    @Override
    @SuppressWarnings("unchecked") // it is another stub of the same object
    public Member<T> within(Duration limit) {
      var limited = ref.within(limit);
      return new Active<>((T) limited.stub(), limited);
    }

    @Override
    public boolean is(Object other) {
      return !Futures.isAwaited(other)
          && ActiveObjects.isStub(other)
          && ref.equals(ActiveObjects.ref(other));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Active<?> active && ref.equals(active.ref);
    }

    @Override
    public int hashCode() {
      return ref.hashCode();
    }
  }

  /** Makes an object a member; never waits. */
  static <T> Member<T> of(Class<T> type, T object) {
    var future = Futures.resultOf(object);
    if (future == null) {
      return ofValue(type, object);
    }
    if (!future.isAwaited()
        && future.await() instanceof Outcome.Success<?>(Object value)
        && value != null) {
      return ofValue(type, type.cast(value));
    }
    @SuppressWarnings("unchecked") // a future of type T stands for a T
    var result = (FutureResult<T>) future;
    return new DeferredMember<>(type, result, future::describe, true);
  }

  private static <T> Member<T> ofValue(Class<T> type, T value) {
    if (ActiveObjects.isStub(value)) {
      return new Active<>(value, ActiveObjects.ref(value));
    }
    var where = GroupStub.isGroupStub(value) ? value.toString() : "an object of this JVM";
    return new DeferredMember<>(type, here(value, where), () -> where, false);
  }

  private static <T> FutureResult<T> here(T value, String where) {
    FutureResult<T> result = Collectives.current().result(() -> where);
    result.settle(new Outcome.Success<>(value));
    return result;
  }

  /** Makes objects the members of a group, by rank; never waits. */
  static <T> List<Member<T>> allOf(Class<T> type, List<? extends T> objects) {
    var members = new ArrayList<Member<T>>(objects.size());
    for (Object object : objects) {
      members.add(of(type, members.size(), object));
    }
    return members;
  }

  /**
   * Makes an object the member of a rank; never waits.
   *
   * @throws IllegalArgumentException if it is not of the type, which unchecked casts permit
   */
  static <T> Member<T> of(Class<T> type, int rank, Object object) {
    if (!type.isInstance(object)) {
      throw new IllegalArgumentException(
          "member "
              + rank
              + " is "
              + (object == null ? "null" : IndefiniteArticle.before(nameOf(object)))
              + ", no "
              + type.getName());
    }
    return of(type, type.cast(object));
  }

  /** Describes an object in a user's terms, for messages: a stub by the class it stands for. */
  static String describe(Object object) {
    if (object == null) {
      return "null";
    }
    return ActiveObjects.isStub(object)
        ? ActiveObjects.ref(object).toString()
        : GroupStub.isGroupStub(object)
            ? object.toString()
            : IndefiniteArticle.before(nameOf(object));
  }

  private static String nameOf(Object object) {
    return (Stubs.handlerOf(object) == null ? object.getClass() : Stubs.typeOf(object)).getName();
  }
}
