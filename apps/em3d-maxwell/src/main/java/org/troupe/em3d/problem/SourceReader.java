package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.em3d.maxwell.Boundaries;
import org.troupe.em3d.maxwell.Media;
import org.troupe.em3d.maxwell.Pulse;
import org.troupe.em3d.maxwell.Source;
import org.troupe.em3d.maxwell.Vector;
import org.troupe.em3d.report.Report;

/**
 * The sources of a problem file.
 *
 * @param survey of the mesh; {@code null} if there is none
 */
record SourceReader(ProblemElement root, MeshQuery survey, Boundaries boundaries, Media media) {

  /** A ball of fewer cells excites what the mesh cannot carry. */
  private static final int FEWEST_CELLS = 20;

  private static final double DEFAULT_RISE = 2;
  private static final double LEAST_WIDTHS = 4; // as in Pulse.Gaussian
  private static final double TOLERANCE = 1e-9;

  /** In farads per metre. */
  private static final double EPS0 = Report.VACUUM_PERMITTIVITY;

  List<Source> sources() {
    List<Source> sources = new ArrayList<>();
    for (var entry : root.children("planeWave", "dipole")) {
      var pulse = pulse(entry);
      var source = entry.name().equals("dipole") ? dipole(entry, pulse) : wave(entry, pulse);
      source.ifPresent(sources::add);
    }
    return sources;
  }

  private Optional<Source> wave(ProblemElement entry, Optional<Pulse> pulse) {
    var direction = entry.vector("direction", Dimension.NONE);
    var amplitude = entry.vector("amplitude", Dimension.FIELD);
    if (direction.isEmpty() || amplitude.isEmpty() || pulse.isEmpty()) {
      return Optional.empty();
    }
    var wave =
        entry.made(
            "direction", () -> new Source.PlaneWave(direction.get(), amplitude.get(), pulse.get()));
    if (wave.isEmpty() || survey == null) {
      return Optional.empty();
    }
    var arrival = survey.firstArrival(wave.get(), boundaries);
    if (arrival == Double.POSITIVE_INFINITY) {
      entry.error(
          "",
          "the plane wave cannot enter, as no outer face is absorbing",
          "add <boundary group=\"...\" is=\"absorbing\"/>");
    } else if (arrival < -TOLERANCE) {
      entry.error(
          "",
          "the plane wave would be at an absorbing face %.4g ns before the run begins"
              .formatted(nanoseconds(-arrival)),
          "let its pulse peak, or begin, at least so much later");
    }
    if (survey.letsInBesidesVacuum(wave.get(), boundaries, media)) {
      entry.error(
          "",
          "the plane wave, which is one of vacuum, would come in through an absorbing face of something else",
          "leave vacuum at these faces, or let those along the wave be pec where its E, pmc where its H stands upright on them");
    }
    return Optional.of(wave.get());
  }

  private Optional<Source> dipole(ProblemElement entry, Optional<Pulse> pulse) {
    var centre = entry.vector("at", Dimension.LENGTH);
    var moment = entry.vector("moment", Dimension.MOMENT);
    var radius = entry.positive("radius", Dimension.LENGTH);
    if (centre.isPresent() && radius.isPresent() && survey != null) {
      checkBall(entry, centre.get(), radius.get());
    }
    if (centre.isEmpty() || moment.isEmpty() || radius.isEmpty() || pulse.isEmpty()) {
      return Optional.empty();
    }
    return entry.made(
        "moment",
        () ->
            new Source.Dipole(
                centre.get(), moment.get().times(1 / EPS0), radius.get(), pulse.get()));
  }

  private void checkBall(ProblemElement entry, Vector centre, double radius) {
    if (survey.cellAt(centre).length == 0) {
      entry.error(
          "at",
          "the dipole at %s m is outside of the mesh".formatted(centre),
          "move it, or name the unit of its place");
    } else if (!survey.holds(centre, radius)) {
      entry.error(
          "radius",
          "the dipole at %s m is too near to the surface of the mesh for a radius of %s m"
              .formatted(centre, radius),
          "move it, or make its radius smaller");
    } else if (survey.cellsWithin(centre, radius).length < FEWEST_CELLS) {
      entry.error(
          "radius",
          "the dipole of radius %s m covers %d cells only"
              .formatted(radius, survey.cellsWithin(centre, radius).length),
          "make its radius larger, or the mesh finer, so that it covers " + FEWEST_CELLS);
    }
  }

  private static Optional<Pulse> pulse(ProblemElement entry) {
    if (entry.children().size() != 1) {
      entry.error(
          "",
          "'%s' needs exactly one pulse, and has %d"
              .formatted(entry.name(), entry.children().size()),
          "write one <gaussian .../> or <wave .../> in it");
      return Optional.empty();
    }
    var pulse = entry.children().getFirst();
    return pulse.name().equals("gaussian") ? gaussian(pulse) : steady(pulse);
  }

  private static Optional<Pulse> gaussian(ProblemElement entry) {
    var peak = entry.positive("peak", Dimension.TIME);
    var width = entry.positive("width", Dimension.TIME);
    if (peak.isEmpty() || width.isEmpty()) {
      return Optional.empty();
    }
    if (peak.get() < LEAST_WIDTHS * width.get() * (1 - TOLERANCE)) {
      entry.error(
          "peak",
          "the pulse would begin with a jump, as it peaks less than four widths after the beginning",
          "let it peak at %.4g ns or later".formatted(LEAST_WIDTHS * width.get() * 1e9));
      return Optional.empty();
    }
    var metres = width.get() * Report.SPEED_OF_LIGHT;
    var latest = Math.max(peak.get() * Report.SPEED_OF_LIGHT, LEAST_WIDTHS * metres);
    return Optional.of(new Pulse.Gaussian(latest, metres));
  }

  private static Optional<Pulse> steady(ProblemElement entry) {
    var frequency = entry.positive("frequency", Dimension.FREQUENCY);
    var rise = entry.positive("rise", Dimension.NONE).orElse(DEFAULT_RISE);
    var begin =
        entry.quantity("begin", Dimension.TIME, time -> time >= 0, "of 0 or more").orElse(0.0);
    return frequency.map(
        hertz -> new Pulse.Wave(Dimension.omega(hertz), rise, begin * Report.SPEED_OF_LIGHT));
  }

  private static double nanoseconds(double metres) {
    return metres / Report.SPEED_OF_LIGHT * 1e9;
  }
}
