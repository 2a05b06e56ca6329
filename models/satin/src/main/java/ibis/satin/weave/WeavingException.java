package ibis.satin.weave;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** Thrown if classes cannot be woven, with all problems of all of them. */
public final class WeavingException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<WeavingProblem> problems;

  WeavingException(List<WeavingProblem> problems) {
    super(problems.stream().map(WeavingProblem::toString).collect(joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems, in the order of the classes and lines. */
  public List<WeavingProblem> problems() {
    return problems;
  }
}
