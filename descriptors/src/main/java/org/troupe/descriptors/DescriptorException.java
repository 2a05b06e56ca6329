package org.troupe.descriptors;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.List;

/**
 * A descriptor, or another file of this form, cannot be used. The message has one line per problem,
 * from the top of the file to its end, each with its remedy.
 */
public final class DescriptorException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final SourceProblem[] problems;

  public DescriptorException(Collection<SourceProblem> problems) {
    this(
        problems.stream()
            .distinct()
            .sorted(SourceProblem.FROM_THE_TOP)
            .toArray(SourceProblem[]::new));
  }

  private DescriptorException(SourceProblem[] sorted) {
    super(List.of(sorted).stream().map(SourceProblem::toString).collect(joining("\n")));
    this.problems = sorted;
  }

  /** Returns all problems, sorted by position; never empty. */
  public List<SourceProblem> problems() {
    return List.of(problems);
  }
}
