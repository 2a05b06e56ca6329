package org.troupe.classics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a program's run.
 *
 * @param timed the cost of the work on all nodes; the round of median duration if there are several
 * @param baseSeconds the seconds of the sequential version, or {@code null} if there is none
 * @param checksum a checksum of the answer; independent of the number of nodes if the program is
 *     exact
 * @param checks the comparisons of the answer
 * @param figures further figures for the report, by name; the summary prints those of type {@code
 *     Double}
 */
public record RunResult(
    RunTiming timed,
    @Nullable Double baseSeconds,
    String checksum,
    List<ResultCheck> checks,
    Map<String, Object> figures) {

  /** Copies the collections. */
  public RunResult {
    checks = List.copyOf(checks);
    figures = new LinkedHashMap<>(figures);
  }

  /** Returns whether the answer is right; an answer without checks is not. */
  boolean isVerified() {
    return !checks.isEmpty() && checks.stream().allMatch(ResultCheck::isMet);
  }

  /** Returns the values for the report file. */
  Map<String, @Nullable Object> values(int nodes) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
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

  /** Returns the values for the summary, as the end of a line. */
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
