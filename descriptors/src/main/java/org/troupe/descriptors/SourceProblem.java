package org.troupe.descriptors;

import java.io.Serializable;
import java.util.Comparator;

/**
 * Something wrong, or probably wrong, in a descriptor or another file of its form.
 *
 * @param place the element or attribute it is about
 * @param what what is wrong, with its values; one line
 * @param remedy what to do about it; one line
 */
public record SourceProblem(SourcePosition place, String what, String remedy)
    implements Serializable {

  /** Orders problems from the top of a file to its end. */
  public static final Comparator<SourceProblem> FROM_THE_TOP =
      Comparator.comparing(SourceProblem::place);

  /** Returns {@code file:line:column: what; remedy}. */
  @Override
  public String toString() {
    return place + ": " + what + "; " + remedy;
  }
}
