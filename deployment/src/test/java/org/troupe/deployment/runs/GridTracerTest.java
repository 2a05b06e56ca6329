package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;
import org.troupe.deployment.Grid;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.deployment.trace.TraceRecord;
import org.troupe.program.Quick;
import org.troupe.testing.Polling;

/** Traces of a program with two JVMs. */
@Timeout(60)
class GridTracerTest {

  private static final int CALLS = 10;

  private static Grid grid;

  /** Adds. */
  public static class Adder {
    public int sum(int a, int b) {
      return a + b;
    }

    public void reset() {}
  }

  /** Asks an adder. */
  public static class Asker {
    public int asked(Adder adder) {
      adder.reset();
      return adder.sum(1, 2);
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

  private static String observed() throws IOException {
    return ours().status().nodes().getFirst().load().observed();
  }

  /** Records until some calls have been made while the trace is on. */
  private static List<TraceRecord> recorded(
      Duration within, int most, Ref<Asker> asker, Adder adder) throws IOException {
    List<TraceRecord> records = new ArrayList<>();
    ours()
        .trace(
            within,
            most,
            line -> {
              var record = RecordCodec.TRACES.record(line).orElseThrow();
              records.add(record);
              if (record instanceof TraceRecord.Sample) { // so the trace is on
                for (var i = 0; i < CALLS; i++) {
                  asker.ask(each -> each.asked(adder)).join();
                }
              }
              return true;
            });
    return records;
  }

  private static <R extends TraceRecord> List<R> of(Class<R> type, List<TraceRecord> records) {
    return records.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void callsOfTwoJvmsAreRecordedWithTheirCallersAndWaits() throws IOException {
    var nodes = grid.nodes().list();
    var adder = ActiveObjects.on(nodes.get(1)).create(Adder.class);
    var asker = ActiveObjects.ref(ActiveObjects.on(nodes.get(0)).create(Asker.class));
    // There are three samples before the first look at the rings, and two steps per call on each
    // node; so one node alone cannot fill the trace.
    var records = recorded(Duration.ofMinutes(10), 8 * CALLS, asker, adder);

    assertThat(records.getFirst())
        .isInstanceOfSatisfying(
            TraceRecord.Begin.class, begin -> assertThat(begin.run()).isEqualTo(grid.run()));
    assertThat(of(TraceRecord.Node.class, records))
        .hasSize(3)
        .filteredOn(each -> !each.element().isEmpty())
        .extracting(TraceRecord.Node::node)
        .containsExactlyInAnyOrder(nodes.get(0).name(), nodes.get(1).name());
    var calls = of(TraceRecord.Call.class, records);
    var asked =
        calls.stream()
            .filter(each -> each.method().startsWith("Asker.asked("))
            .findFirst()
            .orElseThrow();
    assertThat(asked.node()).isEqualTo(nodes.get(0).name());
    assertThat(asked.caller()).isZero();
    var sum =
        calls.stream().filter(each -> each.method().equals("Adder.sum(int, int)")).findFirst();
    assertThat(sum)
        .hasValueSatisfying(
            each -> {
              assertThat(each.node()).isEqualTo(nodes.get(1).name());
              assertThat(each.caller()).isEqualTo(asked.object());
              assertThat(each.callerNode()).isEqualTo(asked.node());
              assertThat(each.callerType()).isEqualTo(Asker.class.getName());
              assertThat(each.isOneWay()).isFalse();
            });
    assertThat(calls)
        .filteredOn(each -> each.method().equals("Adder.reset()"))
        .isNotEmpty()
        .allMatch(TraceRecord.Call::isOneWay);
    assertThat(of(TraceRecord.Wait.class, records))
        .anySatisfy(
            each -> {
              assertThat(each.object()).isEqualTo(asked.object());
              assertThat(each.awaited()).startsWith("Adder.sum(int, int) on node ");
            });
    var end = (TraceRecord.End) records.getLast();
    assertThat(end.entries()).isEqualTo(calls.size() + of(TraceRecord.Wait.class, records).size());
    assertThat(end.dropped()).isZero();
    assertThat(observed()).isEqualTo("counts");
  }

  @Test
  void aTraceEndsAfterItsTime() throws IOException {
    List<TraceRecord> records = new ArrayList<>();
    ours()
        .trace(
            Duration.ofMillis(1),
            100,
            line -> records.add(RecordCodec.TRACES.record(line).orElseThrow()));

    assertThat(records.getLast())
        .isInstanceOfSatisfying(TraceRecord.End.class, end -> assertThat(end.isFull()).isFalse());
  }

  @Test
  void aTraceEndsWhenItIsFull() throws IOException {
    var nodes = grid.nodes().list();
    var adder = ActiveObjects.on(nodes.get(1)).create(Adder.class);
    var asker = ActiveObjects.ref(ActiveObjects.on(nodes.get(0)).create(Asker.class));
    var records = recorded(Duration.ofMinutes(10), 3, asker, adder);

    assertThat((TraceRecord.End) records.getLast())
        .satisfies(
            end -> {
              assertThat(end.entries()).isEqualTo(3);
              assertThat(end.isFull()).isTrue();
            });
  }

  @Test
  void theTierReturnsWhenTheClientHasGone() throws Exception {
    ours().trace(Duration.ofMinutes(10), 100, line -> !(line.contains("\"sample\"")));

    Polling.until("the tier is that of before", () -> observed().equals("counts"));
  }

  @Test
  void theTierStaysAsLongAsOneOfTwoClientsRecords() throws Exception {
    List<String> seen = new ArrayList<>();
    ours()
        .trace(
            Duration.ofMinutes(10),
            100,
            line -> {
              if (line.contains("\"sample\"")) {
                try {
                  ours().trace(Duration.ofMillis(1), 100, _ -> true);
                  seen.add(observed());
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }
              return seen.isEmpty();
            });

    assertThat(seen).containsExactly("trace");
  }
}
