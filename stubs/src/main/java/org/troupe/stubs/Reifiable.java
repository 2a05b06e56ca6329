package org.troupe.stubs;

import java.lang.ref.SoftReference;
import java.util.List;

/**
 * The verdict on whether a stub can represent a type without ever giving a wrong answer, with every
 * reason if it cannot.
 *
 * <p>A stub is an object whose fields are empty and whose methods call elsewhere. So nothing may
 * read the fields or run the code it inherits: no final methods, no visible fields, and no byte
 * code that reaches into a second instance. Reflection and native code are not looked into.
 *
 * <p>The byte code is read through {@link Class#getResourceAsStream}; a class with private state
 * whose loader does not give it is refused.
 *
 * @param type the class or interface in question
 * @param problems what stands in the way, in a fixed order: class, methods, fields, byte code
 */
public record Reifiable(Class<?> type, List<Problem> problems) {

  /**
   * Soft references, because a class of the JDK must not keep the class loader of this library
   * alive.
   */
  private static final ClassValue<SoftReference<Reifiable>[]> KNOWN =
      new ClassValue<>() {
        @Override
        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generics
        protected SoftReference<Reifiable>[] computeValue(Class<?> type) {
          return new SoftReference[1];
        }
      };

  /** Keeps an immutable copy of the problems. */
  public Reifiable {
    problems = List.copyOf(problems);
  }

  /** Returns the verdict on a type; the first call reads its byte code, later ones remember. */
  public static Reifiable of(Class<?> type) {
    SoftReference<Reifiable>[] cell = KNOWN.get(type);
    Reifiable known = cell[0] == null ? null : cell[0].get();
    if (known == null) {
      known = new Reifiable(type, ReifiabilityCheck.problems(type));
      cell[0] = new SoftReference<>(known);
    }
    return known;
  }

  /**
   * Returns whether a type can have a stub, without looking for every reason if it cannot: the kind
   * of a type excludes most types that methods return, and their byte code need not be read.
   */
  public static boolean canHaveStub(Class<?> type) {
    return !ReifiabilityCheck.isOfUnsuitableKind(type) && of(type).isReifiable();
  }

  /** Returns whether the type can have a stub. */
  public boolean isReifiable() {
    return problems.isEmpty();
  }

  /**
   * Returns the verdict in words: one line if the type can have a stub, else a line per problem.
   */
  public String describe() {
    if (isReifiable()) {
      return type.getTypeName() + " can have a stub";
    }
    var text = new StringBuilder(type.getTypeName()).append(" cannot have a stub:");
    for (Problem problem : problems) {
      text.append("\n  - ").append(problem);
    }
    return text.toString();
  }

  /**
   * One reason why a type cannot have a stub.
   *
   * @param what the problem and its consequence, with the place
   * @param where file and line, such as {@code Worker.java:31}, only the file where the line is not
   *     known, or empty
   * @param remedy what to do
   */
  public record Problem(String what, String where, String remedy) {

    /** Returns what and remedy, in one line. */
    @Override
    public String toString() {
      return what + "; " + remedy;
    }
  }
}
