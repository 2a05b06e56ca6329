package org.troupe.activeobjects.internal.call;

import java.lang.reflect.Method;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.troupe.stubs.Reifiable;

/**
 * The rows of the call table: the effects of a call on a stub. The method alone determines its row.
 */
public enum CallKind {
  /** Returns at once without a result; failures go to the failure handler. */
  ONE_WAY("returns at once; a failure goes to the failure handler"),
  /** Returns a transparent future at once. */
  TRANSPARENT("returns at once, with a transparent future"),
  /** Returns the completable future at once. */
  COMPLETABLE("returns at once; the answer completes the future"),
  /** Waits for the answer. */
  WAITING("waits for the answer"),
  /** A default method of {@link Iterable}: runs at the caller, over a copy of the elements. */
  ITERATING("iterates a copy of the elements, which iterator() fetches"),
  /** Is answered by the stub, because it concerns the stub's own identity. */
  LOCAL("is answered by the stub itself, which stands for the object's identity");

  private final String description;

  CallKind(String description) {
    this.description = description;
  }

  /** Returns what a call does, as the end of a sentence that begins with the method. */
  public String description() {
    return description;
  }

  /** Returns the row of a method. */
  static CallKind of(Method method) {
    if (isIdentity(method)) {
      return LOCAL;
    }
    if (method.getDeclaringClass() == Iterable.class && method.isDefault()) {
      return ITERATING;
    }
    var result = method.getReturnType();
    if (result == CompletableFuture.class
        || result == CompletionStage.class
        || result == Future.class) {
      return COMPLETABLE;
    }
    if (declaresChecked(method)) {
      return WAITING;
    }
    if (result == void.class) {
      return ONE_WAY;
    }
    return isTransparent(method) ? TRANSPARENT : WAITING;
  }

  /** Returns the reason why a call of the method waits; {@code null} if it does not wait. */
  public static @Nullable String reasonToWait(Method method) {
    if (of(method) != WAITING) {
      return null;
    }
    var result = method.getReturnType();
    if (declaresChecked(method)) {
      return "it declares a checked exception, which must be thrown at the call";
    }
    if (result.isPrimitive()) {
      return result + " is primitive";
    }
    if (isVariable(method)) {
      return "its result is of a type variable, so of no class that is known";
    }
    var verdict = Reifiable.of(result);
    return result.getSimpleName() + " is not reifiable: " + verdict.problems().getFirst().what();
  }

  /**
   * Returns why the result of a method, although its type is an interface, cannot be sent to a
   * caller, and the remedy; {@code null} for other results and for methods of the platform, which
   * the program cannot change.
   */
  static @Nullable String doubt(Method method) {
    var loader = method.getDeclaringClass().getClassLoader();
    if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
      return null;
    }
    var result = method.getReturnType();
    if (result == Iterable.class) {
      return "an Iterable of the platform's classes can be sent if it is a collection, not if it is a"
          + " lambda; return a List";
    }
    var isCursor =
        Iterator.class.isAssignableFrom(result)
            || Enumeration.class.isAssignableFrom(result)
            || Spliterator.class.isAssignableFrom(result);
    if (BaseStream.class.isAssignableFrom(result)
        || isCursor && result.isInterface() && result.getModule() == Object.class.getModule()) {
      return "of the platform's classes no "
          + result.getSimpleName()
          + " travels, so calls fail; return a List";
    }
    return null;
  }

  private static boolean isTransparent(Method method) {
    return !isVariable(method) && Reifiable.canHaveStub(method.getReturnType());
  }

  private static boolean isVariable(Method method) {
    return method.getGenericReturnType() instanceof java.lang.reflect.TypeVariable<?>;
  }

  private static boolean declaresChecked(Method method) {
    for (var type : method.getExceptionTypes()) {
      if (!RuntimeException.class.isAssignableFrom(type) && !Error.class.isAssignableFrom(type)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isIdentity(Method method) {
    return switch (method.getName()) {
      case "equals" ->
          method.getParameterCount() == 1 && method.getParameterTypes()[0] == Object.class;
      case "hashCode", "toString" -> method.getParameterCount() == 0;
      default -> false;
    };
  }
}
