package org.troupe.groups;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.futures.Futures;
import org.troupe.stubs.Reifiable;
import org.troupe.stubs.Stubs;

/** Handles the calls on the stub of a typed group: each is a call on all members. */
final class GroupStub<T> implements CompositeStub {

  private final Group<T> group;

  GroupStub(Group<T> group) {
    this.group = group;
  }

  /** Returns whether an object is a typed group; does not wait for a future that may become one. */
  static boolean isGroupStub(@Nullable Object object) {
    return Stubs.handlerOf(object) instanceof GroupStub;
  }

  /** Returns the group behind a stub, or {@code null}; waits for a future. */
  static @Nullable Group<?> groupOf(@Nullable Object object) {
    var value = object == null ? null : Futures.value(object);
    return Stubs.handlerOf(value) instanceof GroupStub<?> view ? view.group : null;
  }

  @Override
  public List<?> parts() {
    return group.serializedForm();
  }

  @Override
  public @Nullable Object call(int index, @Nullable Object[] arguments) {
    var call = Collectives.current().call(group.type(), index, arguments);
    if (call.kind() == GroupCall.Kind.LOCAL) {
      return switch (call.method().getName()) {
        case "equals" -> group.equals(groupOf(arguments[0]));
        case "hashCode" -> group.hashCode();
        default -> group.toString();
      };
    }
    return answer(call);
  }

  /** Makes a call on all members and returns the result of the stub's method. */
  @Nullable Object answer(GroupCall call) {
    return switch (call.kind()) {
      case LOCAL -> throw new AssertionError(call);
      case ONE_WAY -> {
        new GroupInvocation<T, Void>(group, call).discard();
        yield null;
      }
      case TRANSPARENT -> new GroupInvocation<T, Object>(group, call).gather().all();
      case COMPLETABLE -> throw refusal(call, "a completable future stands for one result only");
      case WAITING -> awaited(call);
    };
  }

  /** Makes a call for a group of which this group is a member; does not wait. */
  CompletableFuture<?> answered(GroupCall call) {
    if (call.kind() != GroupCall.Kind.WAITING) {
      return CompletableFuture.completedFuture(answer(call));
    }
    if (!throwsChecked(call) || !canBeGroup(call)) {
      throw new IllegalStateException(
          call
              + " gives "
              + group.size()
              + " results on a member that is a group, and "
              + whyAwaited(call)
              + "; combine them with group.each(m -> m."
              + call.method().getName()
              + "(..)).combine(..), or ask that group itself");
    }
    var results = new GroupInvocation<T, Object>(group, call).gather();
    return results.whenAll(values -> results.all());
  }

  /** Waits for a method that declares checked exceptions, which are thrown at the call. */
  private @Nullable Object awaited(GroupCall call) {
    if (!throwsChecked(call)) {
      throw refusal(call, whyAwaited(call));
    }
    if (call.method().getReturnType() == void.class) {
      new GroupInvocation<T, Void>(group, call).served().toList();
      return null;
    }
    if (!canBeGroup(call)) {
      throw refusal(call, whyAwaited(call));
    }
    var results = new GroupInvocation<T, Object>(group, call).gather();
    results.toList();
    return results.all();
  }

  private static boolean throwsChecked(GroupCall call) {
    for (var type : call.method().getExceptionTypes()) {
      if (!RuntimeException.class.isAssignableFrom(type) && !Error.class.isAssignableFrom(type)) {
        return true;
      }
    }
    return false;
  }

  private static boolean canBeGroup(GroupCall call) {
    return call.method().getGenericReturnType() instanceof java.lang.reflect.TypeVariable<?>
        ? false
        : Reifiable.of(call.method().getReturnType()).isReifiable();
  }

  private static String whyAwaited(GroupCall call) {
    return "no stub can stand for " + call.method().getGenericReturnType().getTypeName();
  }

  private IllegalStateException refusal(GroupCall call, String why) {
    return new IllegalStateException(
        call
            + " gives "
            + group.size()
            + " results, and "
            + why
            + "; get them as Results from Group.of(x).ask(m -> m."
            + call.method().getName()
            + "(..))");
  }
}
