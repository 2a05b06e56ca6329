package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import jdk.jfr.Contextual;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.deployment.Grid;
import org.troupe.deployment.trace.FlightRecord;
import org.troupe.deployment.trace.FoldedStacks;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Operation;
import org.troupe.groups.spmd.Spmd;
import org.troupe.program.Quick;
import org.troupe.testing.Polling;

/** Recordings of a program with two JVMs by the JDK Flight Recorder. */
@Timeout(120)
class GridFlightRecorderTest {

  private static Grid grid;

  @TempDir private Path folder;

  /** Works for longer than the threshold of each event. */
  public static class Slow {

    public int work() {
      var ends = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
      for (var left = 1L; left > 0; left = ends - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return 1;
    }

    public int ask(Slow other) {
      return other.work();
    }

    /** Returns the number of texts, whose decoding takes longer than the threshold. */
    public int count(List<String> texts) {
      return texts.size();
    }

    /** Combines a number of the members, after the second one has been late. */
    public double sum() {
      var spmd = Spmd.here(Slow.class);
      return spmd.allReduce((double) (spmd.rank() == 0 ? 1 : work()), Operation.SUM);
    }

    /** Computes for 400 ms, which is 20 intervals of the profiler. */
    public double compute() {
      var ends = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
      var sum = 0.0;
      while (System.nanoTime() - ends < 0) {
        sum += Math.sin(sum + 1);
      }
      return sum;
    }

    /** Returns how many recordings its JVM has. */
    public int recordings() {
      return FlightRecorder.getFlightRecorder().getRecordings().size();
    }
  }

  @BeforeAll
  static void deploy() {
    grid = Grid.local(2, Quick.GRID);
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private static RunningGrid ours() throws IOException {
    return RunningGrid.ofThisProgram(grid.run()).orElseThrow();
  }

  private static Slow slow(Node node) {
    return ActiveObjects.on(node).create(Slow.class);
  }

  private List<RecordedEvent> events(byte[] file) throws IOException {
    var path = Files.write(folder.resolve("node.jfr"), file);
    return RecordingFile.readAllEvents(path);
  }

  private static List<RecordedEvent> of(String type, List<RecordedEvent> events) {
    return events.stream().filter(each -> each.getEventType().getName().equals(type)).toList();
  }

  /** Records the work of all nodes, for as long as it takes on this machine. */
  private static List<FlightRecord> recordsOf(Runnable work) throws IOException {
    for (var within = Duration.ofSeconds(4); ; within = within.multipliedBy(2)) {
      var ends = System.nanoTime() + within.toNanos(); // no node begins earlier
      List<FlightRecord> records = new ArrayList<>();
      var isInTime = new AtomicBoolean();
      ours()
          .flight(
              within,
              "default",
              16,
              line -> {
                var record = RecordCodec.FLIGHTS.record(line).orElseThrow();
                if (record instanceof FlightRecord.Progress
                    && records.stream().noneMatch(FlightRecord.Progress.class::isInstance)) {
                  work.run();
                  isInTime.set(System.nanoTime() - ends < 0);
                }
                return records.add(record);
              });
      if (isInTime.get()) {
        return records;
      }
    }
  }

  private static void assertNothingIsLeft() {
    for (var node : grid.nodes().list()) {
      assertThat(slow(node).recordings()).isZero();
    }
  }

  @Test
  void theFilesOfAllNodesHaveTheirServicesCallsAndWaits() throws IOException {
    var nodes = grid.nodes().list();
    var worker = slow(nodes.get(1));
    var asker = slow(nodes.get(0));
    Map<String, ByteArrayOutputStream> files = new HashMap<>();
    var group = Group.of(Groups.on(grid.nodes()).spmd(Slow.class));
    var texts = IntStream.range(0, 300_000).mapToObj(Integer::toString).toList();
    var records =
        recordsOf(
            () -> {
              asker.ask(worker);
              worker.compute();
              worker.count(texts);
              for (var i = 0; i < 5; i++) { // on a busy machine, both members may be late
                assertThat(group.ask(Slow::sum).toList()).containsExactly(2.0, 2.0);
              }
            });
    var folded = new ByteArrayOutputStream();
    var stacks = new FoldedStacks(folded);
    for (var record : records) {
      stacks.add(record);
      if (record instanceof FlightRecord.Part part) {
        files
            .computeIfAbsent(part.node(), _ -> new ByteArrayOutputStream())
            .writeBytes(part.data());
      }
    }
    stacks.finish();

    assertThat(records.getLast()).isEqualTo(new FlightRecord.End(3));
    var type = Slow.class.getName();
    assertThat(folded.toString(StandardCharsets.UTF_8).lines())
        .anyMatch(
            line ->
                line.startsWith(
                    nodes.get(1).name()
                        + ";"
                        + type.substring(type.lastIndexOf('.') + 1)
                        + ";"
                        + type
                        + ".compute"));
    assertThat(records)
        .filteredOn(FlightRecord.Node.class::isInstance)
        .hasSize(3)
        .allSatisfy(
            each -> // the clock of the day is that of this machine for all of them
            assertThat(Math.abs(((FlightRecord.Node) each).clockAheadNanos()))
                    .isLessThan(TimeUnit.SECONDS.toNanos(1)));
    assertThat(files).hasSize(3);
    var served = events(files.get(nodes.get(1).name()).toByteArray());
    assertThat(of("troupe.Serve", served))
        .anySatisfy(
            each -> {
              assertThat(each.getString("request")).isEqualTo("Slow.work()");
              assertThat(each.getString("objectClass")).isEqualTo(Slow.class.getName());
              assertThat(each.getString("call")).startsWith(nodes.get(0).name() + " ");
              assertThat(each.getBoolean("failed")).isFalse();
              assertThat(each.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
              for (var field : List.of("request", "call")) {
                assertThat(each.getEventType().getField(field).getAnnotation(Contextual.class))
                    .isNotNull();
              }
            });
    var asked = events(files.get(nodes.get(0).name()).toByteArray());
    assertThat(of("troupe.Call", asked))
        .anySatisfy(
            each -> {
              assertThat(each.getString("request")).isEqualTo("Slow.work()");
              assertThat(each.getString("node")).isEqualTo(nodes.get(1).name());
              assertThat(each.getLong("call")).isPositive();
            });
    assertThat(of("troupe.Wait", asked))
        .anySatisfy(
            each -> {
              assertThat(each.getString("awaited")).startsWith("Slow.work() on node ");
              assertThat(each.getString("objectClass")).isEqualTo(Slow.class.getName());
              assertThat(each.getStackTrace().getFrames())
                  .anyMatch(frame -> frame.getMethod().getName().equals("ask"));
            });
    var collectives = new ArrayList<>(of("troupe.Collective", asked));
    collectives.addAll(of("troupe.Collective", served)); // if the first member was the later one
    assertThat(collectives)
        .anySatisfy(
            each -> {
              assertThat(each.getString("operation")).startsWith("allReduce with SUM");
              assertThat(each.getInt("members")).isEqualTo(2);
            });
    assertThat(of("troupe.Codec", served))
        .anySatisfy(
            each -> {
              assertThat(each.getBoolean("decoding")).isTrue();
              assertThat(each.getLong("bytes")).isGreaterThan(300_000);
            });
    assertThat(of("troupe.Queue", asked))
        .anySatisfy(
            each -> assertThat(each.getString("objectClass")).isEqualTo(Slow.class.getName()));
    assertThat(of("troupe.Link", asked))
        .anySatisfy(each -> assertThat(each.getString("peer")).isEqualTo(nodes.get(1).name()));
    assertNothingIsLeft();
  }

  @Test
  void nothingIsLeftWhenTheClientHasGone() throws Exception {
    ours()
        .flight(
            Duration.ofMinutes(10),
            "default",
            16,
            line ->
                !(RecordCodec.FLIGHTS.record(line).orElseThrow() instanceof FlightRecord.Progress));

    var node = slow(grid.nodes().first());
    Polling.until("no recording is left", () -> node.recordings() == 0);
  }

  @Test
  void aNodeThatCannotRecordSaysWhy() throws IOException {
    List<FlightRecord> records = new ArrayList<>();
    ours()
        .flight(
            Duration.ofMinutes(10),
            "none",
            16,
            line -> records.add(RecordCodec.FLIGHTS.record(line).orElseThrow()));

    assertThat(records)
        .filteredOn(FlightRecord.Missing.class::isInstance)
        .hasSize(3)
        .allSatisfy(
            each ->
                assertThat(((FlightRecord.Missing) each).why())
                    .contains("there are no settings 'none'; choose from default, profile"));
    assertThat(records.getLast()).isEqualTo(new FlightRecord.End(0));
  }

  @Test
  void aNodeIsNotRecordedBeyondWhatItsDiskHolds() throws IOException {
    List<FlightRecord> records = new ArrayList<>();
    ours()
        .flight(
            Duration.ofMinutes(10),
            "default",
            Integer.MAX_VALUE,
            line -> records.add(RecordCodec.FLIGHTS.record(line).orElseThrow()));

    assertThat(records)
        .filteredOn(FlightRecord.Missing.class::isInstance)
        .hasSize(3)
        .allSatisfy(
            each ->
                assertThat(((FlightRecord.Missing) each).why())
                    .contains("MiB needs twice as much"));
  }
}
