package org.troupe.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.troupe.deployment.runs.ActionResult;
import org.troupe.deployment.runs.GridIdentity;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunAction;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.pages.PageAnswer;
import tools.jackson.databind.json.JsonMapper;

/** A run whose program answers at its control socket. */
final class LiveRun implements ShownRun {

  private static final String JOBS = "jobs";

  private static final JsonMapper JSON = new JsonMapper();

  private final RunningGrid grid;
  private final GridIdentity identity;
  private final WatchCost cost;

  LiveRun(RunningGrid grid, GridIdentity identity, WatchCost cost) {
    this.grid = grid;
    this.identity = identity;
    this.cost = cost;
  }

  @Override
  public RunEntry entry() {
    return new RunEntry(identity.run(), identity.program(), identity.startedMillis(), true, "");
  }

  @Override
  public void watch(
      int intervalSeconds, String rows, String cursor, boolean isPoll, PageAnswer.LineSink sink)
      throws IOException {
    grid.watch(
        Duration.ofSeconds(intervalSeconds),
        rows,
        cursor,
        line -> {
          var isEnd = RecordLines.isEndOfRound(line);
          if (isEnd) {
            cost.addRound(line);
          }
          return sink.send(line) && (!isEnd || sink.flush() && !isPoll);
        });
  }

  @Override
  public String status() throws IOException {
    return JSON.writeValueAsString(grid.status());
  }

  @Override
  public String stacks(String node) throws IOException {
    return grid.stack(node);
  }

  @Override
  public void logs(String node, boolean follow, PageAnswer.LineSink sink) throws IOException {
    grid.lines(node, follow, line -> sink.send(line) && (!follow || sink.flush()));
  }

  @Override
  public String jobs() throws IOException {
    List<String> jobs = new ArrayList<>();
    try {
      grid.watch(
          Duration.ofSeconds(1),
          JOBS,
          "",
          line -> {
            if (RecordLines.isOf(RecordLines.JOB, line)) {
              jobs.add(line);
            }
            return !RecordLines.isEndOfRound(line);
          });
    } catch (RefusedRequestException e) {
      return "[]"; // a program of a version without such records
    }
    return "[" + String.join(",", jobs) + "]";
  }

  @Override
  public void trace(int seconds, int most, PageAnswer.LineSink sink) throws IOException {
    grid.trace(Duration.ofSeconds(seconds), most, sink::send);
  }

  @Override
  public void profile(int seconds, PageAnswer.LineSink sink) throws IOException {
    RunProfile.write(grid, Duration.ofSeconds(seconds), sink);
  }

  @Override
  public String object(String node, long number) throws IOException {
    return JSON.writeValueAsString(grid.object(node, number));
  }

  @Override
  public String futures(String node) throws IOException {
    return JSON.writeValueAsString(grid.futures(node));
  }

  @Override
  public String pair(String node, String peer) throws IOException {
    return JSON.writeValueAsString(grid.pair(node, peer));
  }

  @Override
  public String settings() throws IOException {
    return grid.settings();
  }

  @Override
  public ActionResult act(RunAction action) throws IOException {
    return grid.act(action);
  }
}
