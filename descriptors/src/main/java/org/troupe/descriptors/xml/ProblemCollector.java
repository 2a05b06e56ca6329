package org.troupe.descriptors.xml;

import java.util.ArrayList;
import java.util.List;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SourceProblem;

/**
 * Collects the errors and warnings of one reading, so that all errors are reported at once.
 * Confined to one thread.
 */
public final class ProblemCollector {

  /** Limits the time and memory that a file of nothing but errors takes. */
  private static final int MOST_ERRORS = 1000;

  private final List<SourceProblem> errors = new ArrayList<>();
  private final List<SourceProblem> warnings = new ArrayList<>();

  /** Creates a collector without problems. */
  public ProblemCollector() {}

  /**
   * Adds an error.
   *
   * @throws DescriptorException with all errors so far, if these are too many to go on
   */
  public void error(SourcePosition place, String what, String remedy) {
    errors.add(new SourceProblem(place, what, remedy));
    if (errors.size() >= MOST_ERRORS) {
      SourcePosition whole = new SourcePosition(place.file(), 0, 0);
      errors.add(
          new SourceProblem(
              whole, "has " + MOST_ERRORS + " errors or more", "correct the first ones first"));
      throwIfAny();
    }
  }

  /** Adds a warning. */
  public void warning(SourcePosition place, String what, String remedy) {
    warnings.add(new SourceProblem(place, what, remedy));
  }

  /**
   * Throws if there is an error.
   *
   * @throws DescriptorException with all errors
   */
  public void throwIfAny() {
    if (!errors.isEmpty()) {
      throw new DescriptorException(errors);
    }
  }

  /** Returns the warnings, sorted by position. */
  public List<SourceProblem> warnings() {
    return warnings.stream().sorted(SourceProblem.FROM_THE_TOP).toList();
  }
}
