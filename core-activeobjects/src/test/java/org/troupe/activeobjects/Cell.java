package org.troupe.activeobjects;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** An active object for tests: keeps what it is given, calls whom it is told to. */
public class Cell {

  /** What tests open and objects wait at, by name; shared because all nodes are in this JVM. */
  public static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

  private final List<Integer> received = new ArrayList<>();
  private Note note;
  private CompletableFuture<String> promise = new CompletableFuture<>();
  private Holder held;
  private Cell other;

  public Cell() {}

  public Cell(String failure) throws IOException {
    if (failure.startsWith("checked")) {
      throw new IOException(failure);
    }
    throw new IllegalStateException(failure);
  }

  /** A transparent result. */
  public static class Note {
    private final String text;

    public Note(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** A result with a future and a stub in its fields. */
  public static class Holder {
    private final Note note;
    private final Cell cell;

    public Holder(Note note, Cell cell) {
      this.note = note;
      this.cell = cell;
    }

    public Note note() {
      return note;
    }

    public Cell cell() {
      return cell;
    }
  }

  /** An exception that cannot be encoded. */
  public static class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("unused") // it is there to stand in the way
    private final transient Thread nothing = null;

    public final Object thread = Thread.currentThread();

    public Unspeakable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  public static CountDownLatch gate(String name) {
    return GATES.computeIfAbsent(name, key -> new CountDownLatch(1));
  }

  // One-way

  public void add(int number) {
    received.add(number);
  }

  public void set(Note given) {
    note = given;
  }

  public void setOther(Cell given) {
    other = given;
  }

  public void fail(String message) {
    throw new IllegalStateException(message);
  }

  public void failUnspeakably(String message) {
    throw new Unspeakable(message, new IOException("its cause"));
  }

  public void take(byte[] data) {}

  public void waitAt(String gate) {
    gate("at " + gate).countDown();
    Waits.await(gate(gate), "gate " + gate);
  }

  public void tellOther(int number) {
    other.add(number);
  }

  public void keep(CompletableFuture<String> given) {
    promise = given;
  }

  public void resolve(String value) {
    promise.complete(value);
  }

  public void reject(String message) {
    promise.completeExceptionally(new IllegalStateException(message));
  }

  // Transparent

  public Note note() {
    return note;
  }

  public Note noteOnce(String gate) {
    waitAt(gate);
    return new Note(gate);
  }

  public Note nothing() {
    return null;
  }

  public Holder hold(Note given, Cell cell) {
    held = new Holder(given, cell);
    return held;
  }

  public Cell self() {
    return this;
  }

  public Cell other() {
    return other;
  }

  public Note othersNote() {
    return other.note();
  }

  public Note failing(String message) {
    throw new IllegalStateException(message);
  }

  // Completable

  public CompletableFuture<String> promise() {
    return promise;
  }

  // Waiting

  public int sum() {
    return received.stream().mapToInt(Integer::intValue).sum();
  }

  public int addAndCount(int number) {
    received.add(number);
    return received.size();
  }

  public List<Integer> received() {
    return List.copyOf(received);
  }

  public String textOf(Note given) {
    return given == null ? "null" : given.text();
  }

  public String textOfHeld() {
    return held.note().text();
  }

  public String join(CompletableFuture<String> given) {
    return given.join();
  }

  public String textAtOther(Note given) {
    return other.textOf(given);
  }

  public int sumOfOther() {
    return other.sum();
  }

  public boolean isEqual(Cell one, Cell two) {
    return one.equals(two);
  }

  public String nodeOf(Cell cell) {
    return ActiveObjects.ref(cell).node().name();
  }

  public int failWith(String message) {
    throw new IllegalArgumentException(message);
  }

  public int failChecked(String message) throws IOException {
    throw new IOException(message);
  }

  public int failUnspeakablyWaiting(String message) {
    throw new Unspeakable(message, new IOException("its cause"));
  }

  public String caller() {
    var caller = ActiveObjects.caller();
    return caller == null ? "nobody" : caller.node().name() + " " + caller.type().getSimpleName();
  }

  public String callerSeenByOther() {
    return other.caller();
  }

  public int sumOfCaller() {
    @SuppressWarnings("unchecked") // only cells call this
    var caller = (Ref<Cell>) ActiveObjects.caller();
    return caller.stub().sumAtOnce();
  }

  public int callersSumSeenByOther() {
    return other.sumOfCaller();
  }

  @Immediate
  public int sumAtOnce() {
    return 42;
  }

  public int waitAndGive(String gate, int number) {
    waitAt(gate);
    return number;
  }

  public Object same(Object value) {
    return value;
  }
}
