package org.troupe.activeobjects.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.futures.Futures;
import org.troupe.futures.WaitInterruptedException;

/** The contract of calls between nodes, tested over each transport. */
@Timeout(120)
public abstract class RemoteCallContract {

  private LocalNodes nodes;

  /** Returns the transport under test. */
  protected abstract Transport transport();

  @BeforeEach
  void start() {
    Gate.close();
    nodes = LocalNodes.start(3, transport());
  }

  @AfterEach
  void end() {
    Gate.open();
    nodes.close();
  }

  /** Keeps the numbers that each sender sends, in the order in which they come. */
  public static class Ledger {
    private final Map<String, List<Integer>> entries = new HashMap<>();

    public void enter(String sender, int number) {
      entries.computeIfAbsent(sender, each -> new ArrayList<>()).add(number);
    }

    public int enterAndAnswer(String sender, int[] numbers) {
      enter(sender, numbers[0]);
      return numbers[0];
    }

    public List<Integer> entries(String sender) {
      return List.copyOf(entries.getOrDefault(sender, List.of()));
    }

    public String node() {
      return ActiveObjects.node().name();
    }
  }

  /** Fills a ledger from its own node. */
  public static class Clerk {
    public int fill(Ledger ledger, String name, int count) {
      for (var i = 0; i < count; i++) {
        if (i % 4 == 0) {
          ledger.enterAndAnswer(name, new int[] {i});
        } else {
          ledger.enter(name, i);
        }
      }
      return ledger.entries(name).size(); // when all are served: other senders may ask earlier
    }
  }

  @Test
  void anObjectMovesWhileItIsCalled() {
    var ledger = on(0, Ledger.class);
    List<CompletableFuture<Integer>> filled = new ArrayList<>();
    for (var i = 0; i < 3; i++) {
      var name = "clerk " + i;
      filled.add(ActiveObjects.ref(on(i, Clerk.class)).ask(it -> it.fill(ledger, name, 400)));
    }
    var moves = 0;
    while (moves < 5 || !filled.stream().allMatch(CompletableFuture::isDone)) {
      var next = nodes.get(++moves % 3);
      ActiveObjects.ref(ledger).move(next.id()).join();
      assertThat(ledger.node()).isEqualTo(next.name());
      ledger.enter("main", moves);
    }
    for (var i = 0; i < 3; i++) {
      assertThat(filled.get(i).join()).isEqualTo(400);
      assertThat(ledger.entries("clerk " + i)).isEqualTo(IntStream.range(0, 400).boxed().toList());
    }
    assertThat(ledger.entries("main")).isEqualTo(IntStream.rangeClosed(1, moves).boxed().toList());
  }

  private <T> T on(int node, Class<T> type) {
    return ActiveObjects.on(nodes.get(node)).create(type);
  }

  /** Blocks served requests until a test opens it; all nodes are in this JVM. */
  static final class Gate {
    private static volatile CountDownLatch latch;
    private static volatile CountDownLatch arrived;

    private Gate() {}

    static void close() {
      latch = new CountDownLatch(1);
      arrived = new CountDownLatch(1);
    }

    static void awaitArrival() throws InterruptedException {
      arrived.await();
    }

    static void open() {
      latch.countDown();
    }

    static void pass() {
      arrived.countDown();
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted at the gate", e);
      }
    }
  }

  // Waiting calls

  /** A counter. */
  public static class Counter {
    private int count;

    public void add(int amount) {
      count += amount;
    }

    public int count() {
      return count;
    }

    public int addAndCount(int amount) {
      count += amount;
      return count;
    }
  }

  @Test
  void answersPlatformThreads() throws Exception {
    answers(Thread.ofPlatform().factory());
  }

  @Test
  void answersVirtualThreads() throws Exception {
    answers(Thread.ofVirtual().factory());
  }

  private void answers(ThreadFactory threads) throws Exception {
    var counter = on(0, Counter.class);
    inParallel(
        8,
        threads,
        caller -> {
          for (var i = 0; i < 200; i++) {
            assertThat(counter.addAndCount(1)).isPositive();
          }
        });
    assertThat(counter.count()).isEqualTo(1600);
  }

  /** The work of one of several threads. */
  @FunctionalInterface
  private interface Work {
    void of(int caller) throws Exception;
  }

  private static void inParallel(int callers, ThreadFactory threads, Work work) throws Exception {
    try (var pool = Executors.newThreadPerTaskExecutor(threads)) {
      var running = new ArrayList<Future<?>>();
      for (var i = 0; i < callers; i++) {
        var caller = i;
        Callable<Void> task =
            () -> {
              work.of(caller);
              return null;
            };
        running.add(pool.submit(task));
      }
      for (var each : running) {
        each.get();
      }
    }
  }

  /** Returns its arguments. */
  public static class Mirror {
    public int of(int value) {
      return value;
    }

    public long of(long value) {
      return value;
    }

    public double of(double value) {
      return value;
    }

    public float of(float value) {
      return value;
    }

    public short of(short value) {
      return value;
    }

    public byte of(byte value) {
      return value;
    }

    public char of(char value) {
      return value;
    }

    public boolean of(boolean value) {
      return value;
    }

    public Object of(Object value) {
      return value;
    }
  }

  @Test
  void answersWithValuesOfEveryKind() {
    var mirror = on(0, Mirror.class);
    assertThat(mirror.of(Integer.MIN_VALUE)).isEqualTo(Integer.MIN_VALUE);
    assertThat(mirror.of(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(mirror.of(Double.MIN_VALUE)).isEqualTo(Double.MIN_VALUE);
    assertThat(mirror.of(Float.MIN_VALUE)).isEqualTo(Float.MIN_VALUE);
    assertThat(mirror.of(Short.MIN_VALUE)).isEqualTo(Short.MIN_VALUE);
    assertThat(mirror.of(Byte.MIN_VALUE)).isEqualTo(Byte.MIN_VALUE);
    assertThat(mirror.of(Character.MAX_VALUE)).isEqualTo(Character.MAX_VALUE);
    assertThat(mirror.of(true)).isTrue();
    for (Object value :
        new Object[] {1, 2L, 3.0, 4f, (short) 5, (byte) 6, '7', false, "8", List.of(9)}) {
      assertThat(mirror.of(value)).isEqualTo(value).hasSameClassAs(value);
    }
    assertThat(mirror.of((Object) null)).isNull();
  }

  // Order

  /** Records the order in which the calls of each sender are served. */
  public static class Sequence {
    private final int[] last = new int[16];
    private int misplaced;
    private int count;

    public void put(int sender, int number) {
      if (number != last[sender] + 1) {
        misplaced++;
      }
      last[sender] = number;
      count++;
    }

    public int putAndCount(int sender, int number) {
      put(sender, number);
      return count;
    }

    public int count() {
      return count;
    }

    public int misplaced() {
      return misplaced;
    }
  }

  @Test
  void servesOneWayCallsInTheOrderSent() {
    var sequence = on(0, Sequence.class);
    for (var i = 1; i <= 10_000; i++) {
      sequence.put(0, i);
    }
    assertThat(sequence.count()).isEqualTo(10_000);
    assertThat(sequence.misplaced()).isZero();
  }

  @Test
  void keepsTheOrderOfEachOfManySenders() throws Exception {
    var sequence = on(0, Sequence.class);
    inParallel(4, Thread.ofPlatform().factory(), caller -> sendMixed(sequence, caller));
    inParallel(4, Thread.ofVirtual().factory(), caller -> sendMixed(sequence, 4 + caller));
    assertThat(sequence.count()).isEqualTo(8 * 1000);
    assertThat(sequence.misplaced()).isZero();
  }

  private static void sendMixed(Sequence sequence, int sender) {
    for (var i = 1; i <= 1000; i++) {
      if (i % 7 == 0) {
        sequence.putAndCount(sender, i);
      } else {
        sequence.put(sender, i);
      }
    }
  }

  @Test
  void aWaitingCallSeesWhatWasSentBefore() {
    var counter = on(0, Counter.class);
    for (var i = 1; i <= 300; i++) {
      counter.add(1);
      assertThat(counter.count()).isEqualTo(i);
    }
  }

  // Futures

  /** A reifiable type of result. */
  public interface Named {
    String name();
  }

  /** An implementation that is serialized. */
  public static class Person implements Named {
    private final String name;

    public Person(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }
  }

  /** Returns persons, some of them later or from another registry. */
  public static class Registry {
    private Registry other;

    public void askFirst(Registry asked) {
      other = asked;
    }

    public Named find(String name) {
      return new Person(name);
    }

    public Named findOnceOpen(String name) {
      Gate.pass();
      return new Person(name);
    }

    public Named findElsewhereOnceOpen(String name) {
      return other.findOnceOpen(name);
    }

    public CompletableFuture<String> nameLater(String name) {
      return CompletableFuture.completedFuture(name);
    }

    public String nameOf(Named named) {
      return named.name();
    }
  }

  @Test
  void resultsArriveAsTransparentFutures() {
    var registry = on(0, Registry.class);
    var found = registry.findOnceOpen("Ishmael");
    assertThat(Futures.isAwaited(found)).isTrue();

    Gate.open();

    assertThat(found.name()).isEqualTo("Ishmael");
  }

  @Test
  void resultsArriveAsCompletableFutures() {
    var registry = on(0, Registry.class);
    assertThat(registry.nameLater("Ahab").join()).isEqualTo("Ahab");
    assertThat(ActiveObjects.ref(registry).ask(r -> r.nameOf(new Person("Queequeg"))).join())
        .isEqualTo("Queequeg");
  }

  @Test
  void thousandsOfCallsMayBePending() {
    var registry = on(0, Registry.class);
    var first = registry.findOnceOpen("first");
    var counter = on(0, Counter.class);
    var ref = ActiveObjects.ref(registry);
    var names =
        IntStream.range(0, 5000)
            .mapToObj(i -> ref.ask(r -> r.nameOf(new Person("p" + i))))
            .toList();
    assertThat(counter.addAndCount(1)).as("another object, meanwhile").isEqualTo(1);
    assertThat(names).noneMatch(CompletableFuture::isDone);

    Gate.open();

    assertThat(first.name()).isEqualTo("first");
    assertThat(names.stream().map(CompletableFuture::join))
        .containsExactlyElementsOf(IntStream.range(0, 5000).mapToObj(i -> "p" + i).toList());
  }

  @Test
  void referencesAndAwaitedFuturesTravelOn() {
    var first = on(0, Registry.class);
    var second = on(1, Registry.class);
    var third = on(2, Registry.class);
    first.askFirst(second);

    var continued = first.findElsewhereOnceOpen("Starbuck"); // second's future is first's result
    var answer = ActiveObjects.ref(third).ask(r -> r.nameOf(continued));
    assertThat(first.find("Stubb").name()).as("first does not wait").isEqualTo("Stubb");
    assertThat(answer.isDone()).isFalse();

    Gate.open();

    assertThat(answer.join()).isEqualTo("Starbuck");
    assertThat(continued.name()).isEqualTo("Starbuck");
  }

  // Sizes

  /** Receives and returns arrays. */
  public static class Store {
    private double[] kept;

    public void keep(double[] values) {
      kept = values;
    }

    public double[] kept() {
      return kept;
    }

    public double sum(double[] values) {
      return Arrays.stream(values).sum();
    }
  }

  @Test
  void carriesBigArgumentsAndResults() {
    var values = IntStream.range(0, 1 << 20).asDoubleStream().toArray(); // 8 MiB
    var expectedSum = (double) (1 << 20) * ((1 << 20) - 1) / 2; // exact: below 2^53
    var store = on(0, Store.class);

    store.keep(values);
    assertThat(store.sum(values)).isEqualTo(expectedSum);
    assertThat(store.kept()).isEqualTo(values);
  }

  @Test
  void bigArraysAreCopiesToo() throws Exception {
    var store = on(0, Store.class);
    var ref = ActiveObjects.ref(store);
    var values = new double[10_000];

    store.keep(values);
    values[0] = 1;
    ref.tell(s -> s.keep(values)).join();
    values[0] = 2;

    assertThat(store.kept()[0]).isEqualTo(1);
    store.kept()[0] = 3;
    ref.ask(Store::kept).join()[0] = 4;
    assertThat(ref.ask(Store::kept).join()[0]).isEqualTo(1);
    assertThat(store.sum(values)).isEqualTo(2);
    inParallel(
        2,
        Thread.ofPlatform().factory(),
        caller -> {
          for (var i = 0; i < 20; i++) {
            var own = new double[2000];
            Arrays.fill(own, i);
            assertThat(store.sum(own)).isEqualTo(2000.0 * i);
          }
        });
  }

  /** Receives a future and uses its array. */
  public static class Reader {
    private CompletableFuture<double[]> given;

    public void take(CompletableFuture<double[]> values) {
      given = values;
    }

    public double firstAndClear() {
      var values = given.join();
      var first = values[0];
      Arrays.fill(values, 0);
      return first;
    }
  }

  @Test
  void everyReceiverOfAFutureHasABigArrayOfItsOwn() {
    var store = on(0, Store.class);
    var values = new double[10_000];
    values[0] = 5;
    store.keep(values);
    var kept = ActiveObjects.ref(store).ask(Store::kept);
    var readers = IntStream.range(0, 3).mapToObj(i -> on(i, Reader.class)).toList();

    readers.forEach(reader -> reader.take(kept));

    assertThat(readers).allSatisfy(reader -> assertThat(reader.firstAndClear()).isEqualTo(5));
    assertThat(kept.join()[0]).isEqualTo(5);
    assertThat(store.kept()[0]).isEqualTo(5);
  }

  // Calls within calls

  /** An element of a chain of objects. */
  public static class Step {
    private Step next;

    public void then(Step following) {
      next = following;
    }

    public int length() {
      return next == null ? 1 : 1 + next.length();
    }
  }

  @Test
  void callsGoDeepBackAndForthInBothDirectionsAtOnce() throws Exception {
    inParallel(
        8,
        Thread.ofPlatform().factory(),
        caller -> assertThat(chain(caller % 2, 50).length()).isEqualTo(50));
  }

  /** Creates a chain of objects that alternates between the first two nodes. */
  private Step chain(int firstNode, int length) {
    Step following = null;
    for (var i = length - 1; i >= 0; i--) {
      var step = on((firstNode + i) % 2, Step.class);
      if (following != null) {
        var next = following;
        // A fence, because the call along the chain comes from another node, in no order with ours.
        ActiveObjects.ref(step).tell(s -> s.then(next)).join();
      }
      following = step;
    }
    return following;
  }

  // Waiting calls of platform threads

  /** Serves calls that wait for the gate, each with another way of blocking. */
  public static class Patient {
    private Counter counter;

    public int onceOpen(int value) {
      Gate.pass();
      return value;
    }

    public int onceLocked(int value) {
      var lock = new ReentrantLock();
      var opened =
          Thread.ofVirtual()
              .unstarted(
                  () -> {
                    lock.lock();
                    try {
                      Gate.pass();
                    } finally {
                      lock.unlock();
                    }
                  });
      opened.start();
      while (!lock.isLocked() && opened.isAlive()) {
        Thread.onSpinWait();
      }
      lock.lock();
      lock.unlock();
      return value;
    }

    public int onceRead(int value) throws IOException {
      var pipe = Pipe.open();
      try (var source = pipe.source();
          var sink = pipe.sink()) {
        Thread.startVirtualThread(
            () -> {
              Gate.pass();
              try {
                sink.write(ByteBuffer.wrap(new byte[] {(byte) value}));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
        var read = ByteBuffer.allocate(1);
        source.read(read);
        return read.get(0);
      }
    }

    public CompletableFuture<Integer> later(int value) {
      return CompletableFuture.supplyAsync(
          () -> {
            Gate.pass();
            return value;
          },
          Thread::startVirtualThread);
    }

    public void askFirst(Counter asked) {
      counter = asked;
    }

    public int ofFuture(int value) throws ExecutionException {
      try {
        return later(value).get();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    public int viaAnother(int value) {
      Gate.pass();
      return counter.addAndCount(value);
    }
  }

  @Test
  void waitingCallersWaitForAnything() throws Exception {
    var counters = IntStream.range(0, 24).mapToObj(i -> on(1, Counter.class)).toList();
    try (var pool = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var calls = new ArrayList<Future<Integer>>();
      for (var i = 0; i < 24; i++) {
        var patient = on(i % 2, Patient.class);
        var value = i + 1;
        ActiveObjects.ref(patient).tell(p -> p.askFirst(counters.get(value - 1))).join();
        calls.add(
            pool.submit(
                () ->
                    switch (value % 5) {
                      case 0 -> patient.onceOpen(value);
                      case 1 -> patient.onceLocked(value);
                      case 2 -> patient.onceRead(value);
                      case 3 -> patient.ofFuture(value);
                      default -> patient.viaAnother(value);
                    }));
      }
      var counter = on(0, Counter.class);
      for (var i = 1; i <= 200; i++) {
        assertThat(counter.addAndCount(1)).as("a call to another object, meanwhile").isEqualTo(i);
      }
      assertThat(calls).noneMatch(Future::isDone);

      Gate.open();

      for (var i = 0; i < 24; i++) {
        assertThat(calls.get(i).get()).isEqualTo(i + 1);
      }
    }
  }

  @Test
  void moreCallersMayWaitForABusyObjectThanThereAreLanes() throws Exception {
    var patient = on(0, Patient.class);
    var first = ActiveObjects.ref(patient).ask(p -> p.onceOpen(-1));
    var counter = on(0, Counter.class);
    try (var pool = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var calls = new ArrayList<Future<Integer>>();
      for (var i = 0; i < 150; i++) {
        var value = i;
        calls.add(pool.submit(() -> patient.onceOpen(value)));
      }
      assertThat(counter.addAndCount(1)).as("another object, meanwhile").isEqualTo(1);
      assertThat(calls).noneMatch(Future::isDone);

      Gate.open();

      assertThat(first.join()).isEqualTo(-1);
      for (var i = 0; i < 150; i++) {
        assertThat(calls.get(i).get()).isEqualTo(i);
      }
    }
  }

  /** Returns whether an interrupt ends the exchange of a platform thread at once. */
  protected boolean interruptsExchanges() {
    return true;
  }

  @Test
  void aPlatformThreadThatWaitsCanBeInterruptedWithoutEffectOnOtherCalls() throws Exception {
    canBeInterrupted(Thread.ofPlatform().daemon().factory(), interruptsExchanges());
  }

  @Test
  void aVirtualThreadThatWaitsCanBeInterruptedWithoutEffectOnOtherCalls() throws Exception {
    canBeInterrupted(Thread.ofVirtual().factory(), true);
  }

  private void canBeInterrupted(ThreadFactory threads, boolean atOnce) throws Exception {
    var patient = on(0, Patient.class);
    var sequence = on(0, Sequence.class);
    sequence.put(0, 1);
    sequence.count(); // an exchange that overtakes another frame ends without its answer
    var failure = new CompletableFuture<Throwable>();
    var interrupted = new CompletableFuture<Boolean>();
    var caller =
        threads.newThread(
            () -> {
              failure.complete(catchThrowable(() -> patient.onceOpen(7)));
              interrupted.complete(Thread.interrupted());
            });
    caller.start();
    if (atOnce) {
      ActiveObjects.ref(sequence).ask(Sequence::count).join();
    } else {
      Gate.awaitArrival(); // an interrupt before the exchange ends any wait
    }

    caller.interrupt();
    for (var i = 2; i <= 500; i++) {
      sequence.put(0, i);
    }

    assertThat(sequence.count()).isEqualTo(500);
    assertThat(sequence.misplaced()).isZero();
    if (atOnce) {
      assertThat(failure.get())
          .isInstanceOf(WaitInterruptedException.class)
          .hasMessageStartingWith("interrupted ")
          .hasMessageContaining("Patient.onceOpen(int) on node 'node-1'");
    } else {
      assertThat(failure).isNotDone();
      Gate.open();
      assertThat(failure.get()).as("the answer that came first").isNull();
    }
    assertThat(interrupted.get()).as("the interrupt stays set").isTrue();
    Gate.open();
    assertThat(on(0, Patient.class).onceOpen(8)).isEqualTo(8);
  }

  // Errors

  /** Throws exceptions. */
  public static class Faulty {

    public int compute(int value) {
      throw new IllegalStateException("no value " + value);
    }

    public void read() throws IOException {
      throw new IOException("nothing to read");
    }

    public Named findOnceOpen() {
      Gate.pass();
      throw new IllegalStateException("no such person");
    }
  }

  @Test
  void throwsWhatTheMethodThrewWithTheServersFrames() {
    var faulty = on(0, Faulty.class);

    var thrown = catchThrowable(() -> faulty.compute(7));

    assertThat(thrown).isExactlyInstanceOf(IllegalStateException.class).hasMessage("no value 7");
    assertThat(thrown.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("compute"))
        .anyMatch(
            frame ->
                frame.getMethodName().contains("throwsWhatTheMethodThrewWithTheServersFrames"));
  }

  @Test
  void throwsCheckedExceptions() {
    var faulty = on(0, Faulty.class);
    assertThatThrownBy(faulty::read)
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("nothing to read");
  }

  @Test
  void throwsAtTheFirstUseOfAFuture() {
    var found = on(0, Faulty.class).findOnceOpen();
    Gate.open();
    assertThatThrownBy(found::name)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("no such person");
  }

  // Ends

  @Test
  void aKilledNodeFailsItsPendingCallsByName() throws Exception {
    var registry = on(2, Registry.class);
    var first = registry.findOnceOpen("no such person");
    var second = registry.findOnceOpen("no such person");

    nodes.kill(2);

    assertThatThrownBy(first::name)
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("'node-3")
        .hasMessageContaining("Registry.findOnceOpen(String) x");
    assertThatThrownBy(second::name).isInstanceOf(NodeLostException.class);
  }

  @Test
  void aKilledNodeFailsWaitingCalls() throws Exception {
    var registry = on(2, Registry.class);
    try (var pool = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var first =
          registry.findOnceOpen(
              "no such person"); // occupies the object, so that the next call waits
      var waiting = pool.submit(() -> registry.nameOf(new Person("no such person")));

      nodes.kill(2);

      assertThatThrownBy(waiting::get).hasCauseInstanceOf(NodeLostException.class);
      assertThatThrownBy(first::name).isInstanceOf(NodeLostException.class);
    }
    assertThat(on(0, Counter.class).addAndCount(1)).as("a call to another node").isEqualTo(1);
  }

  /** Runs its own service loop and records the greatest length of its queue. */
  public static class Narrow implements Service {
    private int most;
    private int last;
    private boolean misplaced;

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      Gate.pass();
      do {
        most = Math.max(most, requests.size());
      } while (requests.serveOldest());
    }

    public void put(int number) {
      misplaced |= number != last + 1;
      last = number;
    }

    public List<Integer> mostAndLast() {
      return misplaced ? List.of() : List.of(most, last);
    }
  }

  @Test
  void aBoundedQueueHoldsItsSenders() {
    var narrow =
        ActiveObjects.on(nodes.get(0))
            .with(Options.STANDARD.withQueueBound(4))
            .create(Narrow.class);
    var sending =
        CompletableFuture.runAsync(
            () -> IntStream.rangeClosed(1, 2000).forEach(narrow::put),
            task -> Thread.ofVirtual().start(task));
    assertThat(sending).isNotDone();

    Gate.open();
    sending.join();

    var mostAndLast = narrow.mostAndLast();
    assertThat(mostAndLast.get(0)).isBetween(1, 4);
    assertThat(mostAndLast.get(1)).isEqualTo(2000);
  }

  /** Stops at its first request. */
  public static class Guarded {
    private final List<Integer> numbers = new ArrayList<>();

    public void hold() {
      Gate.pass();
    }

    public void put(int number) {
      numbers.add(number);
    }

    public int putAndCount(int number) {
      numbers.add(number);
      return numbers.size();
    }

    public List<Integer> numbers() {
      return List.copyOf(numbers);
    }
  }

  /** Calls a guarded object from its own node. */
  public static class Visitor {
    public int fill(Guarded guarded) {
      return accepted(guarded, 4, 100).size();
    }

    public String refusal(Guarded guarded) {
      try {
        return "answered " + guarded.putAndCount(-1);
      } catch (OverloadedException refused) {
        return refused.getMessage();
      }
    }
  }

  /**
   * Makes calls until a number of them was accepted; places of earlier calls may come back late.
   */
  private static List<CompletableFuture<Void>> accepted(Guarded guarded, int count, int first) {
    List<CompletableFuture<Void>> accepted = new ArrayList<>();
    Waits.until(
        () -> {
          var number = first + accepted.size();
          var told = ActiveObjects.ref(guarded).tell(it -> it.put(number));
          if (!told.isCompletedExceptionally()) {
            accepted.add(told);
          }
          return accepted.size() == count;
        },
        count + " places");
    return accepted;
  }

  /** Asks again while places of earlier calls are not back. */
  private static List<Integer> numbers(Guarded guarded) {
    while (true) {
      try {
        return ActiveObjects.ref(guarded).ask(Guarded::numbers).join();
      } catch (CompletionException refused) {
        assertThat(refused).hasCauseInstanceOf(OverloadedException.class);
      }
    }
  }

  @Test
  void aFullQueueThatRefusesHoldsNobody() throws Exception {
    var failures = new LinkedBlockingQueue<FailureHandler.CallFailure>();
    ActiveObjects.onFailure(failures::add);
    try {
      var guarded =
          ActiveObjects.on(nodes.get(0))
              .with(Options.STANDARD.withQueueBound(4).refusing())
              .create(Guarded.class);
      var ref = ActiveObjects.ref(guarded);
      guarded.hold();
      Gate.awaitArrival();
      var accepted = accepted(guarded, 4, 1);
      var refused =
          "the queue of a Guarded on node '%s' is full (4 of 4 from this JVM) and it refuses more; call slower, or with a larger bound"
              .formatted(nodes.get(0).name());

      assertThatThrownBy(() -> guarded.putAndCount(-1))
          .isInstanceOf(OverloadedException.class)
          .hasMessage(refused);
      var asked = ref.ask(it -> it.putAndCount(-1));
      assertThat(asked).isCompletedExceptionally();
      assertThatThrownBy(asked::join).hasCauseInstanceOf(OverloadedException.class);
      failures.clear(); // of calls that were refused while the places were not back
      guarded.put(-1);
      var failure = failures.poll(20, TimeUnit.SECONDS);
      assertThat(failure.cause()).isInstanceOf(OverloadedException.class).hasMessage(refused);
      assertThat(failure.call())
          .isEqualTo("Guarded.put(int) on node '%s'".formatted(nodes.get(0).name()));

      var visitor = on(1, Visitor.class); // has places of its own
      assertThat(ActiveObjects.ref(visitor).ask(it -> it.fill(guarded)).join()).isEqualTo(4);
      assertThat(visitor.refusal(guarded)).isEqualTo(refused);
      assertThat(accepted).noneMatch(CompletableFuture::isDone);

      Gate.open();
      accepted.forEach(CompletableFuture::join);
      accepted(guarded, 1, 5).getFirst().join();
      Waits.until(() -> numbers(guarded).size() == 9, "the calls of the visitor");
      assertThat(numbers(guarded))
          .containsExactlyInAnyOrder(1, 2, 3, 4, 100, 101, 102, 103, 5)
          .containsSubsequence(1, 2, 3, 4, 5)
          .containsSubsequence(100, 101, 102, 103);
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  @Test
  void aTerminatedObjectServesWhatWasSentBeforeAndNothingAfter() {
    var registry = on(0, Registry.class);
    var ref = ActiveObjects.ref(registry);
    var before = registry.find("before");

    ref.terminate().join();

    assertThat(before.name()).isEqualTo("before");
    assertThat(ref.end()).succeedsWithin(java.time.Duration.ofSeconds(30));
    assertThatThrownBy(() -> registry.nameOf(new Person("after")))
        .isInstanceOf(ObjectTerminatedException.class);
  }

  /** Fails when it is told to. */
  public static class Fragile implements Service {
    private boolean isBroken;

    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      while (queue.isOpen()) {
        queue.serveOldest(request -> true);
        if (isBroken) {
          throw new IllegalStateException("broken");
        }
      }
    }

    public int number() {
      return 1;
    }

    public void breakDown() {
      isBroken = true;
    }
  }

  @Test
  void aFailedObjectEndsThoseLinkedToItAndEveryNodeLearnsWhy() {
    var fragile = on(0, Fragile.class);
    var linked = on(1, Registry.class);
    var other = on(2, Registry.class);
    ActiveObjects.ref(linked).linkTo(ActiveObjects.ref(fragile)).join();
    ActiveObjects.ref(linked).linkTo(ActiveObjects.ref(other)).join();

    fragile.breakDown();

    for (var each : List.of(linked, other)) {
      var end = ActiveObjects.ref(each).end().join();
      assertThat(end.how()).isEqualTo(End.How.FAILED);
      assertThat(end.why())
          .matches(
              "an object that it was linked to has ended: a Fragile on node '.*' has failed: .*")
          .endsWith("Fragile.serve(..) threw java.lang.IllegalStateException: broken");
    }
    var later = ActiveObjects.ref(fragile).end().join();
    assertThat(later.how()).isEqualTo(End.How.FAILED);
    assertThatThrownBy(fragile::number)
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining("threw java.lang.IllegalStateException: broken");
  }
}
