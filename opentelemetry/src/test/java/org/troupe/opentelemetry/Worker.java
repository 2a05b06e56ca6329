package org.troupe.opentelemetry;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.groups.Operation;
import org.troupe.groups.spmd.Spmd;

/** An active object of the tests. */
public class Worker {

  private static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

  private static volatile @Nullable Thread reader;

  private int steps;

  static CountDownLatch gate(String name) {
    return GATES.computeIfAbsent(name, _ -> new CountDownLatch(1));
  }

  static void await(CountDownLatch gate) {
    try {
      if (!gate.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("a gate was not opened within 30 s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public int count() {
    return steps;
  }

  public void step() {
    steps++;
  }

  public int fail() {
    throw new IllegalStateException("a failure of the test");
  }

  public int countOf(Worker other) {
    return other.count();
  }

  public void stepOf(Worker other) {
    other.step();
  }

  /** Returns the trace in which it is served. */
  public String trace() {
    return Span.current().getSpanContext().getTraceId();
  }

  /** Returns the span of a stage that is added while a request is served. */
  public CompletableFuture<String> spanOfStage(Worker other) {
    var own = Span.current().getSpanContext().getSpanId();
    return ActiveObjects.ref(other)
        .ask(Worker::count)
        .thenApply(
            _ -> own.equals(Span.current().getSpanContext().getSpanId()) ? "the same" : "another");
  }

  public List<String> slow(String gate) {
    await(gate(gate));
    return List.of("done");
  }

  public void read(List<String> future) {
    reader = Thread.currentThread();
    steps += future.size();
  }

  /** Returns whether the thread that reads a future waits, which it does for nothing else. */
  static boolean isReaderWaiting() {
    var thread = reader;
    return thread != null && thread.getState() == Thread.State.WAITING;
  }

  public double sum() {
    return Spmd.here(Worker.class).allReduce(1.0, Operation.SUM);
  }

  /** Returns whether this JVM has an SDK. */
  public boolean hasTelemetry() {
    return GlobalOpenTelemetry.isSet();
  }
}
