package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.links.Driver;

/** Loads that could deadlock two JVMs. */
@ParameterizedClass
@MethodSource("org.troupe.transport.ibis.Drivers#all")
@Timeout(180)
class StressTest {

  private static final int DEPTH = 100;

  @Parameter Driver driver;

  private static TwoJvms jvms;

  private final Node here = jvms.here();
  private final Node there = jvms.there();

  @BeforeParameterizedClassInvocation
  static void start(Driver driver) throws Exception {
    jvms = TwoJvms.start(driver);
  }

  @AfterParameterizedClassInvocation
  static void end() throws Exception {
    jvms.close();
  }

  private static <T> T on(Node node, Class<T> type) {
    return ActiveObjects.on(node).create(type);
  }

  private Node other(Node node) {
    return node.equals(here) ? there : here;
  }

  /** Runs the work of several threads, all of which must end in time. */
  private static final class Crowd implements AutoCloseable {
    private final List<Future<?>> running = new ArrayList<>();
    private final java.util.concurrent.ExecutorService platform =
        Executors.newThreadPerTaskExecutor(daemons(Thread.ofPlatform().daemon()));
    private final java.util.concurrent.ExecutorService virtual =
        Executors.newThreadPerTaskExecutor(daemons(Thread.ofVirtual()));

    private static ThreadFactory daemons(Thread.Builder builder) {
      return builder.factory();
    }

    void onPlatformThread(Callable<?> work) {
      running.add(platform.submit(work));
    }

    void onVirtualThread(Callable<?> work) {
      running.add(virtual.submit(work));
    }

    void join() throws Exception {
      for (var each : running) {
        each.get(120, TimeUnit.SECONDS);
      }
    }

    @Override
    public void close() {
      platform.shutdownNow();
      virtual.shutdownNow();
    }
  }

  // Calls within calls

  /** An element of a chain of objects. */
  public static class Step {
    private Step next;

    public boolean then(Step following) {
      next = following;
      return true;
    }

    public int length() {
      return next == null ? 1 : 1 + next.length();
    }
  }

  /** Creates a chain of objects that alternates between the nodes, and returns the first. */
  private Step chain(Node first) {
    var node = DEPTH % 2 == 0 ? other(first) : first;
    Step following = null;
    for (var i = 0; i < DEPTH; i++) {
      var step = on(node, Step.class);
      if (following != null) {
        assertThat(step.then(following)).isTrue();
      }
      following = step;
      node = other(node);
    }
    return following;
  }

  /** Makes calls from its own JVM. */
  public static class Caller {
    public boolean expectLength(Step first, int times) {
      for (var i = 0; i < times; i++) {
        if (first.length() != DEPTH) {
          return false;
        }
      }
      return true;
    }
  }

  private void nest(Crowd crowd) {
    for (var first : List.of(here, there)) {
      for (var from : List.of(here, there)) {
        var chain = chain(first);
        var caller = on(from, Caller.class);
        crowd.onPlatformThread(() -> assertThat(caller.expectLength(chain, 10)).isTrue());
        var another = chain(first);
        crowd.onPlatformThread(() -> assertThat(another.length()).isEqualTo(DEPTH));
        crowd.onVirtualThread(() -> assertThat(another.length()).isEqualTo(DEPTH));
      }
    }
  }

  @Test
  void callsNestAHundredDeepBackAndForthInBothDirectionsAtOnce() throws Exception {
    try (var crowd = new Crowd()) {
      nest(crowd);
      crowd.join();
    }
  }

  // Full sockets

  /** Receives arrays. */
  public static class Sink {
    private long bytes;
    private int last = -1;
    private boolean misplaced;

    public void take(int number, byte[] data) {
      misplaced |= number != last + 1 || data[data.length - 1] != (byte) number;
      last = number;
      bytes += data.length;
    }

    public byte[] swap(byte[] data) {
      var swapped = new byte[data.length];
      Arrays.fill(swapped, (byte) (data[0] + 1));
      return swapped;
    }

    public long bytes() {
      return misplaced ? -1 : bytes;
    }
  }

  /** Sends many arrays from its own JVM. */
  public static class Source {
    public long flood(Sink sink, int times, int length) {
      for (var i = 0; i < times; i++) {
        var data = new byte[length];
        data[length - 1] = (byte) i;
        sink.take(i, data);
      }
      return sink.bytes();
    }

    public boolean swap(Sink sink, int times, int length) {
      for (var i = 0; i < times; i++) {
        var data = new byte[length];
        data[0] = (byte) i;
        var swapped = sink.swap(data);
        if (swapped.length != length || swapped[length - 1] != (byte) (i + 1)) {
          return false;
        }
      }
      return true;
    }
  }

  private void flood(Crowd crowd, int times) {
    for (var from : List.of(here, there)) {
      for (var length : new int[] {100, 70_000, 1_000_000}) {
        var sink = on(other(from), Sink.class);
        var source = on(from, Source.class);
        crowd.onPlatformThread(
            () -> assertThat(source.flood(sink, times, length)).isEqualTo((long) times * length));
        var swapping = on(other(from), Sink.class);
        var swapper = on(from, Source.class);
        crowd.onPlatformThread(
            () -> assertThat(swapper.swap(swapping, times / 4, length)).isTrue());
      }
    }
  }

  @Test
  void bothWaysMayBeFullAtOnce() throws Exception {
    try (var crowd = new Crowd()) {
      flood(crowd, 100);
      crowd.join();
    }
  }

  // Methods that block

  /** Waits in each of the ways in which a method can block. */
  public static class Blocker {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Object MONITOR = new Object();

    private Blocker other;
    private Step step;

    public boolean know(Blocker another, Step something) {
      other = another;
      step = something;
      return true;
    }

    public int lock(int value) {
      LOCK.lock();
      try {
        synchronized (MONITOR) {
          return value + step.length(); // a call to the other JVM while it holds them
        }
      } finally {
        LOCK.unlock();
      }
    }

    public int read(int value) throws IOException {
      try (var in = new PipedInputStream();
          var out = new PipedOutputStream(in)) {
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    out.write(value);
                    out.flush();
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
        return in.read();
      }
    }

    public CompletableFuture<Integer> later(int value) {
      return CompletableFuture.supplyAsync(() -> value);
    }

    public int future(int value) {
      return other.later(value).join();
    }
  }

  private void block(Crowd crowd, int times) {
    for (var node : List.of(here, there)) {
      for (var i = 0; i < 4; i++) {
        var blocker = on(node, Blocker.class);
        assertThat(blocker.know(on(other(node), Blocker.class), on(other(node), Step.class)))
            .isTrue();
        Callable<Void> work =
            () -> {
              for (var value = 0; value < times; value++) {
                assertThat(blocker.lock(value)).isEqualTo(value + 1);
                assertThat(blocker.read(value & 0x7f)).isEqualTo(value & 0x7f);
                assertThat(blocker.future(value)).isEqualTo(value);
              }
              return null;
            };
        crowd.onPlatformThread(work);
        crowd.onVirtualThread(work);
      }
    }
  }

  @Test
  void methodsMayBlockOnLocksAndInputAndFutures() throws Exception {
    try (var crowd = new Crowd()) {
      block(crowd, 20);
      crowd.join();
    }
  }

  // Order

  /** Records the order in which the calls of each sender are served. */
  public static class Sequence {
    private final int[] last = new int[8];
    private int misplaced;

    public void put(int sender, int number) {
      if (number != last[sender] + 1) {
        misplaced++;
      }
      last[sender] = number;
    }

    public int putAndTell(int sender, int number) {
      put(sender, number);
      return last[sender];
    }

    public int misplaced() {
      return misplaced;
    }
  }

  private void order(Crowd crowd, int times) {
    var sequence = on(there, Sequence.class);
    for (var i = 0; i < 8; i++) {
      var sender = i;
      Callable<Void> work =
          () -> {
            for (var number = 1; number <= times; number++) {
              if (number % (2 + sender) == 0) {
                assertThat(sequence.putAndTell(sender, number)).isEqualTo(number);
              } else {
                sequence.put(sender, number);
              }
            }
            assertThat(sequence.misplaced()).isZero();
            return null;
          };
      if (sender % 2 == 0) {
        crowd.onPlatformThread(work);
      } else {
        crowd.onVirtualThread(work);
      }
    }
  }

  @Test
  void oneWayCallsBeforeAndAfterWaitingOnesStayInOrder() throws Exception {
    try (var crowd = new Crowd()) {
      order(crowd, 2000);
      crowd.join();
    }
  }

  @Test
  void allOfItAtOnce() throws Exception {
    try (var crowd = new Crowd()) {
      nest(crowd);
      flood(crowd, 60);
      block(crowd, 10);
      order(crowd, 1000);
      crowd.join();
    }
  }
}
