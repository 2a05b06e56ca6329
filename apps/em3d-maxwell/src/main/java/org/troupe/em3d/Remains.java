package org.troupe.em3d;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the launcher has of a run that did not come to its end.
 *
 * @param end why it ended
 * @param step that all sub-domains had passed
 * @param energies in normalised units
 */
record Remains(
    String mesh,
    int order,
    long cells,
    int step,
    int stepsAsked,
    double dtSeconds,
    String end,
    List<Report.Leg> legs,
    List<Point.Sample> energies,
    Readings readings) {

  /** What is known of the report of a whole run, as one JSON object. */
  String toJson() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("mesh", mesh);
    values.put("order", order);
    values.put("cells", cells);
    values.put("steps", step);
    values.put("stepsAsked", stepsAsked);
    values.put("dtSeconds", dtSeconds);
    values.put("end", end);
    values.put("legs", legs.stream().map(Report.Leg::values).toList());
    return Report.lines(values);
  }
}
