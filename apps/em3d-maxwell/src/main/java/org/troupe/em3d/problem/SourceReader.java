package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.physics.BoundaryMap;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SourcePulse;
import org.troupe.em3d.physics.Vector3;

/**
 * Reads the sources of a problem file.
 *
 * @param query queries on the mesh; {@code null} if it could not be read
 */
record SourceReader(
    ProblemElement root, @Nullable MeshQuery query, BoundaryMap boundaries, MediumMap media) {

  /** A dipole of fewer cells excites waves that the mesh cannot resolve. */
  private static final int FEWEST_CELLS = 20;

  private static final double DEFAULT_RISE = 2;
  private static final double LEAST_WIDTHS = 4; // as in SourcePulse.Gaussian
  private static final double TOLERANCE = 1e-9;

  /** The permittivity of vacuum in farads per metre. */
  private static final double EPS0 = Physics.VACUUM_PERMITTIVITY;

  List<FieldSource> sources() {
    List<FieldSource> sources = new ArrayList<>();
    for (var entry : root.children("planeWave", "dipole")) {
      var pulse = pulse(entry);
      var source = entry.name().equals("dipole") ? dipole(entry, pulse) : wave(entry, pulse);
      source.ifPresent(sources::add);
    }
    return sources;
  }

  private Optional<FieldSource> wave(ProblemElement entry, Optional<SourcePulse> pulse) {
    var direction = entry.vector("direction", PhysicalDimension.NONE);
    var amplitude = entry.vector("amplitude", PhysicalDimension.FIELD);
    if (direction.isEmpty() || amplitude.isEmpty() || pulse.isEmpty()) {
      return Optional.empty();
    }
    var wave =
        entry.made(
            "direction",
            () -> new FieldSource.PlaneWave(direction.get(), amplitude.get(), pulse.get()));
    if (wave.isEmpty() || query == null) {
      return Optional.empty();
    }
    var arrival = query.firstArrival(wave.get(), boundaries);
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
    if (query.entersOutsideVacuum(wave.get(), boundaries, media)) {
      entry.error(
          "",
          "the plane wave, which is one in vacuum, would enter through an absorbing face of another medium",
          "use vacuum at these faces; or make the faces along the wave pec if they are normal to its E, pmc if they are normal to its H");
    }
    return Optional.of(wave.get());
  }

  private Optional<FieldSource> dipole(ProblemElement entry, Optional<SourcePulse> pulse) {
    var centre = entry.vector("at", PhysicalDimension.LENGTH);
    var moment = entry.vector("moment", PhysicalDimension.MOMENT);
    var radius = entry.positive("radius", PhysicalDimension.LENGTH);
    if (centre.isPresent() && radius.isPresent() && query != null) {
      checkBall(entry, query, centre.get(), radius.get());
    }
    if (centre.isEmpty() || moment.isEmpty() || radius.isEmpty() || pulse.isEmpty()) {
      return Optional.empty();
    }
    return entry.made(
        "moment",
        () ->
            new FieldSource.Dipole(
                centre.get(), moment.get().times(1 / EPS0), radius.get(), pulse.get()));
  }

  private static void checkBall(
      ProblemElement entry, MeshQuery query, Vector3 centre, double radius) {
    if (query.cellAt(centre).length == 0) {
      entry.error(
          "at",
          "the dipole at %s m is outside of the mesh".formatted(centre),
          "move it, or name the unit of its place");
    } else if (!query.containsBall(centre, radius)) {
      entry.error(
          "radius",
          "the dipole at %s m is too near to the surface of the mesh for a radius of %s m"
              .formatted(centre, radius),
          "move it, or make its radius smaller");
    } else if (query.cellsWithin(centre, radius).length < FEWEST_CELLS) {
      entry.error(
          "radius",
          "the dipole of radius %s m covers %d cells only"
              .formatted(radius, query.cellsWithin(centre, radius).length),
          "make its radius larger, or the mesh finer, so that it covers " + FEWEST_CELLS);
    }
  }

  private static Optional<SourcePulse> pulse(ProblemElement entry) {
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

  private static Optional<SourcePulse> gaussian(ProblemElement entry) {
    var peak = entry.positive("peak", PhysicalDimension.TIME);
    var width = entry.positive("width", PhysicalDimension.TIME);
    if (peak.isEmpty() || width.isEmpty()) {
      return Optional.empty();
    }
    if (peak.get() < LEAST_WIDTHS * width.get() * (1 - TOLERANCE)) {
      entry.error(
          "peak",
          "the pulse would start with a jump, as it peaks less than four widths after the start",
          "let it peak at %.4g ns or later".formatted(LEAST_WIDTHS * width.get() * 1e9));
      return Optional.empty();
    }
    var metres = width.get() * Physics.SPEED_OF_LIGHT;
    var latest = Math.max(peak.get() * Physics.SPEED_OF_LIGHT, LEAST_WIDTHS * metres);
    return Optional.of(new SourcePulse.Gaussian(latest, metres));
  }

  private static Optional<SourcePulse> steady(ProblemElement entry) {
    var frequency = entry.positive("frequency", PhysicalDimension.FREQUENCY);
    var rise = entry.positive("rise", PhysicalDimension.NONE).orElse(DEFAULT_RISE);
    var begin =
        entry
            .quantity("begin", PhysicalDimension.TIME, time -> time >= 0, "of 0 or more")
            .orElse(0.0);
    return frequency.map(
        hertz ->
            new SourcePulse.Wave(
                PhysicalDimension.omega(hertz), rise, begin * Physics.SPEED_OF_LIGHT));
  }

  private static double nanoseconds(double metres) {
    return metres / Physics.SPEED_OF_LIGHT * 1e9;
  }
}
