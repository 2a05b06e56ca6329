package org.troupe.classics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The report of a program about its run.
 *
 * @param timed the work on all nodes; of several rounds, that of median time
 * @param baseSeconds what the sequential version took, or {@code null} if there is none
 * @param checksum of the answer, the same for all numbers of nodes where the program is exact
 * @param checks what the answer was compared with
 * @param figures what else there is to say, by name, for the report; what is a Double, in the
 *     summary too
 */
public record RunResult(
    RunTiming timed,
    Double baseSeconds,
    String checksum,
    List<ResultCheck> checks,
    Map<String, Object> figures) {

  /** Copies. */
  public RunResult {
    checks = List.copyOf(checks);
    figures = new LinkedHashMap<>(figures);
  }

  /** Says whether the answer is right; one that was compared with nothing is not. */
  public boolean isVerified() {
    return !checks.isEmpty() && checks.stream().allMatch(ResultCheck::isMet);
  }

  /** The values of a report. */
  Map<String, Object> values(int nodes) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("seconds", timed.seconds());
    values.put("baseSeconds", baseSeconds);
    values.put("speedUp", baseSeconds == null ? null : baseSeconds / timed.seconds());
    values.put("efficiency", baseSeconds == null ? null : baseSeconds / timed.seconds() / nodes);
    values.put("cpuSeconds", timed.cpuSeconds());
    values.put("messages", timed.traffic().messages());
    values.put("bytes", timed.traffic().bytes());
    values.put("checksum", checksum);
    values.put("verified", isVerified());
    values.put("checks", checks);
    values.putAll(figures);
    return values;
  }

  private String figuresInWords() {
    return figures.entrySet().stream()
        .<String>mapMulti(
            (each, words) -> {
              if (each.getValue() instanceof Double value) {
                words.accept(String.format(Locale.ROOT, ", %s %,.1f", each.getKey(), value));
              }
            })
        .collect(Collectors.joining());
  }

  /** The same in part of a line. */
  String inWords() {
    var base =
        baseSeconds == null
            ? ""
            : String.format(
                Locale.ROOT,
                " (sequential %s, speed-up %.2f)",
                time(baseSeconds),
                baseSeconds / timed.seconds());
    return String.format(
        Locale.ROOT,
        "%s%s%s, %,d messages, %s, checksum %s, %s",
        time(timed.seconds()),
        base,
        figuresInWords(),
        timed.traffic().messages(),
        size(timed.traffic().bytes()),
        checksum,
        isVerified() ? "verified" : "WRONG");
  }

  private static String time(double seconds) {
    return seconds < 0.1
        ? String.format(Locale.ROOT, "%.3f ms", seconds * 1e3)
        : String.format(Locale.ROOT, "%.3f s", seconds);
  }

  private static String size(long bytes) {
    return bytes < 10_240
        ? String.format(Locale.ROOT, "%,d bytes", bytes)
        : String.format(Locale.ROOT, "%,d KiB", bytes >> 10);
  }
}
