package org.troupe.deployment.runs;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.troupe.deployment.process.OutputTail;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;

/**
 * The known state of a run at a moment: its rows, settings, and the output of its nodes. It becomes
 * text only when it is asked for.
 */
public final class RunSnapshot {

  /*
   * A report has at most 20 MB with the page in it. Rows come first, the short ones before those with lists and histories, and
   * output has what is left.
   */
  private static final int MOST_ROWS = 10 << 20; // characters
  private static final int MOST_BYTES = 15 << 20;
  private static final int LINES_OF_NODE = 500;
  private static final int STACKS = 2 << 20;

  private final WatchRecord.Begin begin;
  private final long startedMillis;
  private final long takenMillis = System.currentTimeMillis();
  private final List<WatchRecord> rows;
  private final GridSettings settings;
  private final Map<String, OutputTail> output;
  private final String stacks;

  RunSnapshot(
      WatchRecord.Begin begin,
      long startedMillis,
      List<WatchRecord> rows,
      GridSettings settings,
      Map<String, OutputTail> output,
      String stacks) {
    this.begin = begin;
    this.startedMillis = startedMillis;
    this.rows = List.copyOf(rows);
    this.settings = settings;
    this.output = Map.copyOf(output);
    this.stacks = stacks;
  }

  /** Returns the id of the run. */
  public String run() {
    return begin.run();
  }

  /** Returns the names of the nodes that were lost: that have left without having announced it. */
  public Set<String> lostNodes() {
    Set<String> announced = new HashSet<>();
    Set<String> lost = new HashSet<>();
    for (var row : rows) {
      if (row instanceof WatchRecord.Event event) {
        switch (event.event()) {
          case "leaving" -> announced.add(event.node());
          case "left" -> lost.add(event.node());
          default -> {
            // of another kind
          }
        }
      }
    }
    lost.removeAll(announced);
    return lost;
  }

  /**
   * Returns it as lines of the stream, with further records: {@code recording}, {@code settings},
   * {@code stacks} and {@code log}.
   *
   * @param reason for which it was taken, such as the failure of the program
   */
  public List<String> lines(String reason) {
    List<String> lines = new ArrayList<>();
    lines.add(WatchCodec.line(begin));
    var left = new Left(MOST_ROWS);
    var written = rows.stream().map(WatchCodec::line).toList();
    var kept = fitting(written, left);
    var dropped = written.size() - kept.cardinality();
    left.add(MOST_BYTES - MOST_ROWS);
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("startedMillis", startedMillis);
    about.put("takenMillis", takenMillis);
    about.put("reason", reason);
    about.put("leftOut", dropped);
    lines.add(record("recording", about));
    kept.stream().mapToObj(written::get).forEach(lines::add);
    lines.add(record("settings", Map.of("settings", settings)));
    if (!stacks.isEmpty()) {
      var text = stacks.substring(0, Math.min(STACKS, stacks.length()));
      lines.add(record("stacks", Map.of("text", text)));
    }
    output.forEach(
        (node, tail) -> {
          for (var each : tail.last(LINES_OF_NODE)) {
            var line = "{\"record\":\"log\"," + json(LogLine.of(node, each)).substring(1);
            if (left.takes(line.length())) {
              lines.add(line);
            }
          }
        });
    return lines;
  }

  /** Returns the places of the lines that fit, of which the shortest come first. */
  private static BitSet fitting(List<String> lines, Left left) {
    var fitting = new BitSet();
    IntStream.range(0, lines.size())
        .boxed()
        .sorted(Comparator.comparing(each -> lines.get(each).length()))
        .filter(each -> left.takes(lines.get(each).length()))
        .forEach(fitting::set);
    return fitting;
  }

  private static String record(String kind, Map<String, ?> fields) {
    return "{\"record\":\"" + kind + "\"," + json(fields).substring(1);
  }

  private static String json(Object value) {
    return ControlJson.MAPPER.writeValueAsString(value);
  }

  /** The characters that are left. */
  private static final class Left {
    private int left;

    Left(int left) {
      this.left = left;
    }

    void add(int more) {
      left += more;
    }

    boolean takes(int length) {
      if (length > left) {
        return false;
      }
      left -= length;
      return true;
    }
  }
}
