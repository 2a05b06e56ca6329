package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.FreeField;
import org.troupe.em3d.physics.Physics;

/**
 * Reads the expected results of a problem file.
 *
 * @param isKnown whether the exact solution is known
 * @param omega the angular frequency of the initial fields, if they have one (1/m)
 */
record ExpectedResultReader(
    ProblemElement root,
    List<FieldMonitor> monitors,
    Physics physics,
    boolean isKnown,
    OptionalDouble omega) {

  List<ExpectedResult> expectations() {
    List<ExpectedResult> expectations = new ArrayList<>();
    for (var entry :
        root.children("expect").stream().flatMap(e -> e.children().stream()).toList()) {
      expectation(entry).ifPresent(expectations::add);
    }
    return expectations;
  }

  private Optional<? extends ExpectedResult> expectation(ProblemElement entry) {
    var limit =
        entry.positive(entry.has("atMost") ? "atMost" : "within", PhysicalDimension.FRACTION);
    return switch (entry.name()) {
      case "energyDrift" -> limit.map(ExpectedResult.EnergyDrift::new);
      case "energyLeft" -> limit.map(ExpectedResult.EnergyLeft::new);
      case "errorOfE" -> errorOfE(entry, limit);
      case "openSpace" -> openSpace(entry, limit);
      default -> frequency(entry, limit);
    };
  }

  private Optional<ExpectedResult> errorOfE(ProblemElement entry, Optional<Double> atMost) {
    if (!isKnown) {
      entry.error(
          "",
          "no exact solution of this problem is known, so there is no error of E",
          "leave it out, or begin with a cavityMode of the closed unit cube, with one material"
              + " without losses and no sources");
      return Optional.empty();
    }
    return atMost.map(ExpectedResult.ErrorOfE::new);
  }

  private Optional<ExpectedResult> openSpace(ProblemElement entry, Optional<Double> within) {
    if (monitors.stream().noneMatch(FieldMonitor.Probe.class::isInstance)
        || physics.sources().isEmpty()) {
      entry.error(
          "",
          "the field of the sources is to be compared, but there is no source, or no probe",
          "add them, or leave this out");
      return Optional.empty();
    }
    return within.map(
        limit -> new ExpectedResult.OpenSpace(new FreeField(physics.sources()), limit));
  }

  private Optional<ExpectedResult> frequency(ProblemElement entry, Optional<Double> within) {
    var names =
        monitors.stream()
            .filter(FieldMonitor.Probe.class::isInstance)
            .map(FieldMonitor::name)
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    var probe = entry.choice("probe", names, "probe");
    var component = OutputReader.component(entry);
    var known = entry.positive("is", PhysicalDimension.FREQUENCY).map(PhysicalDimension::omega);
    if (!entry.has("is") && omega.isEmpty()) {
      entry.error(
          "",
          "neither this nor the start of the problem says which frequency is expected",
          "add is=\"... MHz\"");
    }
    if (known.isEmpty() && omega.isPresent()) {
      known = Optional.of(omega.getAsDouble());
    }
    if (probe.isEmpty() || component < 0 || known.isEmpty() || within.isEmpty()) {
      return Optional.empty();
    }
    var monitor = monitors.stream().map(FieldMonitor::name).toList().indexOf(probe.get());
    return Optional.of(new ExpectedResult.Frequency(monitor, component, known.get(), within.get()));
  }
}
