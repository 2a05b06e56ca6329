package org.troupe.activeobjects;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.RequestGate;

/** Three objects that know each other in a ring, and calls of them that their caller serves. */
abstract class CallerServiceFixture {

  static final AtomicReference<CompletableFuture<String>> LATER = new AtomicReference<>();
  static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
  static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();
  static final ScopedValue<String> SCOPED = ScopedValue.newInstance();

  /** Each call records the thread that serves it. */
  static class Counter implements LifeCycle {

    static volatile Thread server;
    static volatile Thread ender;
    static volatile Gate gate;
    static volatile boolean spinning;
    static volatile boolean arrived;

    private Counter next;
    static final LinkedBlockingQueue<RequestGate> held = new LinkedBlockingQueue<>();
    private int count;
    private int[] kept;
    private final List<Integer> seen = new ArrayList<>();

    @Override
    public void ended() {
      ender = Thread.currentThread();
    }

    void next(Counter other) {
      next = other;
    }

    void add(int value) {
      count += value;
    }

    int count() {
      server = Thread.currentThread();
      return count;
    }

    int increment() {
      server = Thread.currentThread();
      return ++count;
    }

    int interruptIf(boolean isWanted) {
      server = Thread.currentThread();
      if (isWanted) {
        server.interrupt();
      }
      return count;
    }

    void see(int value) {
      seen.add(value);
    }

    int sizeAndCheck() {
      server = Thread.currentThread();
      for (var i = 1; i < seen.size(); i++) {
        if (seen.get(i) != seen.get(i - 1) + 1) {
          throw new IllegalStateException(seen.get(i) + " after " + seen.get(i - 1));
        }
      }
      var size = seen.size();
      seen.clear();
      return size;
    }

    boolean isSelf(Counter stub) {
      server = Thread.currentThread();
      return ActiveObjects.self(Counter.class).equals(ActiveObjects.ref(stub));
    }

    boolean isCalledBy(Counter stub) {
      server = Thread.currentThread();
      var caller = ActiveObjects.caller();
      return stub == null ? caller == null : caller.equals(ActiveObjects.ref(stub));
    }

    boolean callsAsItself() {
      server = Thread.currentThread();
      var self = ActiveObjects.self(Counter.class);
      return next.isCalledBy(self.stub()) && ActiveObjects.self(Counter.class).equals(self);
    }

    int around(int hops) {
      server = Thread.currentThread();
      return hops == 0 ? 0 : next.around(hops - 1) + 1;
    }

    String local(String value) {
      server = Thread.currentThread();
      var before = LOCAL.get();
      LOCAL.set(value);
      return before;
    }

    String inherited(String value) {
      server = Thread.currentThread();
      var before = INHERITED.get();
      if (value != null) {
        INHERITED.set(value);
      }
      return before;
    }

    String scoped() {
      server = Thread.currentThread();
      return SCOPED.orElse("none");
    }

    boolean changesLoader() {
      server = Thread.currentThread();
      Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
      return true;
    }

    boolean spins() {
      server = Thread.currentThread();
      while (spinning) {
        arrived = true;
        Thread.onSpinWait();
      }
      return Thread.currentThread().isInterrupted();
    }

    String passes() {
      server = Thread.currentThread();
      var closed = gate;
      if (closed != null) {
        closed.pass();
      }
      return "passed";
    }

    String waitsForNext() {
      server = Thread.currentThread();
      return next.passes();
    }

    int fails(String message) throws IOException {
      server = Thread.currentThread();
      if (message != null) {
        throw new IOException(message);
      }
      return 1;
    }

    int[] same(int[] array) {
      server = Thread.currentThread();
      kept = array;
      return array;
    }

    int kept() {
      return kept[0];
    }

    Object later(boolean isLater) {
      server = Thread.currentThread();
      return isLater ? LATER.get() : "now";
    }

    int end(boolean isNow) {
      server = Thread.currentThread();
      if (isNow) {
        ActiveObjects.self(Counter.class).terminateNow();
      }
      return count;
    }

    int hold(boolean isHeld) {
      server = Thread.currentThread();
      if (isHeld) {
        held.add(Collectives.current().holdRequests(RequestGate.CLOSED));
      }
      return count;
    }

    @Immediate
    int immediate() {
      server = Thread.currentThread();
      return 1;
    }
  }

  static class Parallel {
    @Concurrent("read")
    long thread() {
      return Thread.currentThread().threadId();
    }
  }

  static class Loop implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        requests.serveOldest();
      }
    }

    long thread() {
      return Thread.currentThread().threadId();
    }
  }

  final Counter one = ActiveObjects.here().create(Counter.class);
  final Counter two = ActiveObjects.here().create(Counter.class);
  final Counter three = ActiveObjects.here().create(Counter.class);

  @BeforeEach
  void ring() {
    Gate.closeAll();
    Counter.gate = null;
    one.next(two);
    two.next(three);
    three.next(one);
  }

  /** Makes a call repeatedly until the calling thread serves it. */
  static void warm(Runnable call) {
    ShortServices.warm(Counter.class, () -> Counter.server, call);
  }

  static <T> T elsewhere(Callable<T> work) {
    return Waits.valueOf(Waits.onPlatformThread(work), "a thread of the test");
  }

  static void sleepLongerThanShort() {
    var until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  static void idle(Counter counter) {
    Waits.valueOf(ActiveObjects.ref(counter).ask(Counter::count), "idleness");
    sleepLongerThanShort();
  }
}
