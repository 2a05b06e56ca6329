package org.troupe.em3d.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.em3d.state.MonitorSeries;
import org.troupe.em3d.state.RunPosition;

/**
 * The report of a run that did not come to its end, from the data of the launcher.
 *
 * @param end the reason of the end
 * @param step a step that all sub-domains had passed
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
    List<RunReport.Segment> segments,
    List<RunPosition.Sample> energies,
    MonitorSeries readings) {

  /**
   * Returns the values that are known, as one JSON object with the names of a {@link RunReport}.
   */
  public String toJson() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("mesh", mesh);
    values.put("order", order);
    values.put("cells", cells);
    values.put("steps", step);
    values.put("stepsAsked", stepsAsked);
    values.put("dtSeconds", dtSeconds);
    values.put("end", end);
    values.put("legs", segments.stream().map(RunReport.Segment::values).toList());
    return RunReport.lines(values);
  }
}
