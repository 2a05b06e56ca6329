package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.hosting.TraceEntry;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.deployment.trace.TraceRecord;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchedGrid;

/** A trace of a simulated node whose ring always has more entries. */
@Timeout(60)
class BusyNodeTraceTest {

  private static final NodeReport REPORT =
      new NodeReport(1, 2, 0, 3, 4, 0, 0, 0, 1, 0, 0, 0, "", NodeActivity.NONE);

  private final AtomicInteger parts = new AtomicInteger();

  /** Returns an object of an interface that answers by the names of methods. */
  private static <T> T simulated(Class<T> type, Map<String, Function<Object[], Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  default -> {
                    var answer = answers.get(method.getName());
                    assertThat(answer).as(method.toString()).isNotNull();
                    yield answer.apply(arguments);
                  }
                }));
  }

  private static final WatchedGrid GRID =
      new WatchedGrid() {

        @Override
        public List<AskedNode> nodes() {
          return List.of();
        }

        @Override
        public List<WatchRecord.Event> events(long from) {
          return List.of();
        }

        @Override
        public void happened(String node, NodeEvent event) {
          throw new AssertionError("no node is asked for events");
        }

        @Override
        public boolean isEnding() {
          return false;
        }
      };

  private record ArrivedReport(NodeReport report) implements AwaitedReport {

    @Override
    public NodeReport get(long nanos) {
      return report;
    }

    @Override
    public long arrivedNanos() {
      return System.nanoTime();
    }
  }

  /** The first part has steps from the time of the trace, and all others have later ones. */
  private TracePart part(long from, int most) {
    if (most < TracePart.MOST) {
      return new TracePart(List.of(), 0, 1); // only the end of the ring is asked for
    }
    var shift =
        parts.getAndIncrement() == 0 ? -TimeUnit.HOURS.toNanos(1) : TimeUnit.HOURS.toNanos(1);
    var ended = System.nanoTime() + shift;
    TraceEntry entry = new TraceEntry.Wait(from, "A", "b", 1, ended - 1, ended);
    return new TracePart(Collections.nCopies(most, entry), 0, from + most);
  }

  private GridMember host() {
    var self =
        simulated(Node.class, Map.of("name", _ -> "n1", "host", _ -> "h", "isLocal", _ -> true));
    var others = simulated(Nodes.class, Map.of("list", _ -> List.of()));
    return simulated(
        GridMember.class,
        Map.of(
            "self", _ -> self,
            "nodes", _ -> others,
            "report", _ -> new ArrivedReport(REPORT),
            "observe", _ -> CompletableFuture.completedFuture(true),
            "trace",
                asked -> CompletableFuture.completedFuture(part((long) asked[1], (int) asked[2]))));
  }

  @Test
  void endsWithTheLastStepOfItsTime() throws IOException {
    var out = new StringWriter();
    var host = host();
    var tracer = new GridTracer(host, GRID, new ObservedTier(host), new CountDownLatch(1));

    tracer.record("1", "0a1b", "Program", Duration.ZERO, Integer.MAX_VALUE, out);

    var last = out.toString().lines().reduce((_, line) -> line).orElseThrow();
    assertThat(RecordCodec.TRACES.record(last))
        .hasValueSatisfying(
            record ->
                assertThat(record)
                    .isInstanceOfSatisfying(
                        TraceRecord.End.class,
                        end -> {
                          assertThat(end.entries()).isEqualTo(TracePart.MOST);
                          assertThat(end.isFull()).isFalse();
                        }));
    assertThat(parts).hasValue(2);
  }
}
