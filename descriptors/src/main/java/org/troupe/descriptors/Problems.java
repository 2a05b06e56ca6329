package org.troupe.descriptors;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong, so that all of it is reported at once. Confined to one reading. */
final class Problems {

  static final Comparator<Problem> FROM_THE_TOP = Comparator.comparing(Problem::place);

  private final List<Problem> errors = new ArrayList<>();
  private final List<Problem> warnings = new ArrayList<>();

  void error(Place place, String what, String remedy) {
    errors.add(new Problem(place, what, remedy));
  }

  void warning(Place place, String what, String remedy) {
    warnings.add(new Problem(place, what, remedy));
  }

  void throwIfAny() {
    if (!errors.isEmpty()) {
      throw new DescriptorException(errors);
    }
  }

  List<Problem> warnings() {
    return warnings.stream().sorted(FROM_THE_TOP).toList();
  }
}
