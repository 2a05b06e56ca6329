package org.troupe.descriptors.xml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong, so that all of it is reported at once. Confined to one reading. */
public final class Problems {

  /** Nobody reads on beyond this, and a file of nothing but errors should still end quickly. */
  private static final int MOST_ERRORS = 1000;

  public static final Comparator<Problem> FROM_THE_TOP = Comparator.comparing(Problem::place);

  private final List<Problem> errors = new ArrayList<>();
  private final List<Problem> warnings = new ArrayList<>();

  /** Begins with none. */
  public Problems() {}

  /** Notes something wrong; throws if nobody would read on. */
  public void error(SourcePosition place, String what, String remedy) {
    errors.add(new Problem(place, what, remedy));
    if (errors.size() >= MOST_ERRORS) {
      SourcePosition whole = new SourcePosition(place.file(), 0, 0);
      errors.add(
          new Problem(
              whole, "has " + MOST_ERRORS + " errors or more", "correct the first ones first"));
      throwIfAny();
    }
  }

  public void warning(SourcePosition place, String what, String remedy) {
    warnings.add(new Problem(place, what, remedy));
  }

  /**
   * Ends the reading if anything is wrong.
   *
   * @throws DescriptorException with all of it
   */
  public void throwIfAny() {
    if (!errors.isEmpty()) {
      throw new DescriptorException(errors);
    }
  }

  public List<Problem> warnings() {
    return warnings.stream().sorted(FROM_THE_TOP).toList();
  }
}
