package org.troupe.stubs;

import static java.util.stream.Collectors.joining;

import java.lang.invoke.MethodHandles.Lookup;
import java.lang.ref.SoftReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates objects by the constructor that overload resolution of Java would choose. */
public final class ObjectConstruction {

  /*
   * Not cached. The constructor is chosen anew for each object: for the usual one or two candidates
   * this takes a few type checks, no more than a cache look-up by the classes of the arguments, and
   * keeps no class alive.
   */

  /**
   * Soft references, because a class of the JDK must not keep the class loader of this library
   * alive.
   */
  private static final ClassValue<SoftReference<ObjectConstruction>[]> KNOWN =
      new ClassValue<>() {
        @Override
        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generics
        protected SoftReference<ObjectConstruction>[] computeValue(Class<?> type) {
          return new SoftReference[1];
        }
      };

  private static final String REMEDY =
      "\nMake the object with 'new', for which a cast picks the constructor, and make that active"
          + " (turnActive)";
  private static final String REMEDY_FOR_NULL =
      "\nA null has no type here, not even by a cast; pass a value instead." + REMEDY;

  private final Class<?> type;
  private final List<ConstructorCandidate> candidates = new ArrayList<>();

  private ObjectConstruction(Class<?> type) {
    this.type = type;
    Lookup lookup = ModuleAccess.lookupIn(type);
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      candidates.add(new ConstructorCandidate(constructor, lookup, false));
      if (constructor.isVarArgs()) {
        candidates.add(new ConstructorCandidate(constructor, lookup, true));
      }
    }
  }

  /**
   * Creates an object of a class with the one constructor that accepts the arguments, regardless of
   * its visibility.
   *
   * <p>The rules are those of a call in Java: arguments are unboxed and widened, {@code null} fits
   * every reference, the most specific constructor is taken, and one with variable arity only if no
   * other fits. A box cannot be told from a primitive here; where both fit, the primitive is taken.
   *
   * @param arguments the arguments; for an inner class, the outer object first
   * @throws IllegalArgumentException if the class has no objects of its own, or if no constructor
   *     or more than one fits; the message lists the constructors
   * @throws Throwable what the constructor throws, unchanged
   */
  public static Object construct(Class<?> type, @Nullable Object... arguments) throws Throwable {
    requireArguments(arguments);
    SoftReference<ObjectConstruction>[] cell = KNOWN.get(type);
    ObjectConstruction known = cell[0] == null ? null : cell[0].get();
    if (known == null) {
      requireConstructible(type);
      known = new ObjectConstruction(type);
      cell[0] = new SoftReference<>(known);
    }
    return known.pick(arguments).construct(arguments);
  }

  /**
   * Refuses the one {@code null} that is passed as all arguments instead of as one of them.
   *
   * @throws IllegalArgumentException if the array is {@code null}
   */
  public static void requireArguments(@Nullable Object @Nullable [] arguments) {
    if (arguments == null) {
      throw new IllegalArgumentException(
          "the arguments of a constructor are null; leave them out for none, or say (Object) null"
              + " for one that is null");
    }
  }

  private static void requireConstructible(Class<?> type) {
    String why =
        type.isPrimitive() || type.isArray()
            ? "it is a primitive type or an array, which has no constructor"
            : type.isInterface()
                ? "it is an interface; name a class that implements it"
                : type.isEnum()
                    ? "it is an enum, whose constants are all there are"
                    : Modifier.isAbstract(type.getModifiers())
                        ? "it is abstract; name a class that extends it"
                        : null;
    if (why != null) {
      throw new IllegalArgumentException(
          "cannot make an object of " + type.getTypeName() + ": " + why);
    }
  }

  private ConstructorCandidate pick(@Nullable Object[] arguments) {
    ConstructorCandidate best = pick(arguments, false);
    if (best == null) {
      best = pick(arguments, true);
    }
    if (best == null) {
      var declared = candidates.stream().filter(c -> !c.isVariable()).toList();
      throw failure("has no constructor for ", arguments, declared, "");
    }
    return best;
  }

  private @Nullable ConstructorCandidate pick(@Nullable Object[] arguments, boolean variable) {
    ConstructorCandidate only = null;
    List<ConstructorCandidate> several = null;
    for (ConstructorCandidate candidate : candidates) {
      if (candidate.isVariable() == variable && candidate.accepts(arguments)) {
        if (only == null) {
          only = candidate;
        } else {
          if (several == null) {
            several = new ArrayList<>(List.of(only));
          }
          several.add(candidate);
        }
      }
    }
    return several == null ? only : mostSpecific(several, arguments);
  }

  private ConstructorCandidate mostSpecific(
      List<ConstructorCandidate> several, @Nullable Object[] arguments) {
    for (ConstructorCandidate candidate : several) {
      if (several.stream()
          .allMatch(c -> c == candidate || candidate.isAsSpecificAs(c, arguments.length))) {
        return candidate;
      }
    }
    boolean hasNull = Arrays.asList(arguments).contains(null);
    throw failure(
        "has more than one constructor for ",
        arguments,
        several,
        hasNull ? REMEDY_FOR_NULL : REMEDY);
  }

  private IllegalArgumentException failure(
      String what,
      @Nullable Object[] arguments,
      List<ConstructorCandidate> candidates,
      String remedy) {
    String given =
        Arrays.stream(arguments)
            .map(a -> a == null ? "null" : a.getClass().getTypeName())
            .collect(joining(", ", "(", ")"));
    String there =
        candidates.stream()
            .map(ConstructorCandidate::toString)
            .sorted()
            .collect(joining("\n  - ", "\n  - ", ""));
    return new IllegalArgumentException(
        type.getTypeName() + " " + what + given + ":" + there + remedy);
  }
}
