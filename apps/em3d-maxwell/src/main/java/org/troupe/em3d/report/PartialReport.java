package org.troupe.em3d.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.em3d.state.MonitorSeries;
import org.troupe.em3d.state.RunPosition;

/**
 * What the launcher has of a run that did not come to its end.
 *
 * @param end why it ended
 * @param step that all sub-domains had passed
 * @param energies in normalised units
 */
public record PartialReport(
    String mesh,
    int order,
    long cells,
    int step,
    int stepsAsked,
    double dtSeconds,
    String end,
    List<RunReport.Leg> legs,
    List<RunPosition.Sample> energies,
    MonitorSeries readings) {

  /** What is known of the report of a whole run, as one JSON object. */
  public String toJson() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("mesh", mesh);
    values.put("order", order);
    values.put("cells", cells);
    values.put("steps", step);
    values.put("stepsAsked", stepsAsked);
    values.put("dtSeconds", dtSeconds);
    values.put("end", end);
    values.put("legs", legs.stream().map(RunReport.Leg::values).toList());
    return RunReport.lines(values);
  }
}
