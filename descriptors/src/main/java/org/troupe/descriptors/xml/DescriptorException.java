package org.troupe.descriptors.xml;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.List;

/**
 * A descriptor, or another file that is read as they are, cannot be used. The message has one line
 * per problem, from the top of the file to its end, and needs no stack trace to act on.
 */
public final class DescriptorException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final Problem[] problems;

  DescriptorException(Collection<Problem> problems) {
    this(problems.stream().distinct().sorted(Problems.FROM_THE_TOP).toArray(Problem[]::new));
  }

  private DescriptorException(Problem[] sorted) {
    super(List.of(sorted).stream().map(Problem::toString).collect(joining("\n")));
    this.problems = sorted;
  }

  /** Everything that is wrong, sorted by place; never empty. */
  public List<Problem> problems() {
    return List.of(problems);
  }
}
