package org.troupe.descriptors;

import java.io.Serializable;
import java.util.Comparator;

/**
 * A mistake, or probable mistake, in a descriptor or another file of its form.
 *
 * @param place the position of the element or attribute
 * @param what the problem, with its values; one line
 * @param remedy the remedy; one line
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
