package org.troupe.groups;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** What the tests make groups of. */
public final class Solvers {

  private Solvers() {}

  record Mesh(int cells) {}

  public static class Field {
    private final List<String> marks = new ArrayList<>();
    private final double value;

    public Field(double value) {
      this.value = value;
    }

    public double value() {
      return value;
    }

    public Field scaled(double by) {
      return new Field(value * by);
    }

    public void mark(String text) {
      if (text.equals("refuse " + value)) {
        throw new IllegalArgumentException("no " + text);
      }
      marks.add(text);
    }

    public List<String> marks() {
      return marks;
    }
  }

  public interface Stepping {
    void step(double dt);
  }

  public static class Solver implements Stepping {
    private final Mesh part;
    private double time;
    private int named;

    public Solver(Mesh part) {
      if (part.cells() < 0) {
        throw new IllegalArgumentException("a mesh of " + part.cells() + " cells");
      }
      this.part = part;
    }

    @Override
    public void step(double dt) {
      time += dt;
    }

    public Field field() {
      return new Field(part.cells() * time);
    }

    public double energy() {
      return part.cells() + time;
    }

    public String name() {
      named++;
      return "s" + part.cells();
    }

    /** Returns how often it has told its name. */
    public int named() {
      return named;
    }

    public double[] values() {
      return new double[] {part.cells(), 1};
    }

    public String with(String other) {
      return name() + other;
    }

    public double sum(double[] numbers) {
      var sum = 0.0;
      for (var each : numbers) {
        sum += each;
      }
      return sum;
    }

    public CompletableFuture<String> later() {
      return CompletableFuture.completedFuture(name());
    }

    public double fragile(int bad) {
      if (part.cells() == bad) {
        throw new IllegalStateException("cell " + bad);
      }
      return part.cells();
    }

    public Field read(int bad) throws IOException {
      if (part.cells() == bad) {
        throw new IOException("disk " + bad);
      }
      return field();
    }

    public void write(int bad) throws IOException {
      if (part.cells() == bad) {
        throw new IOException("disk " + bad);
      }
    }

    public Field fieldOnce(Gate gate) {
      gate.pass();
      return field();
    }

    public Field readOnce(Gate gate) throws IOException {
      return fieldOnce(gate);
    }

    public Solver friendOnce(Gate gate, Solver friend) {
      gate.pass();
      return friend;
    }

    public Solver friends(Solver all) {
      return all;
    }
  }

  public static class FineSolver extends Solver {
    public FineSolver(Mesh part) {
      super(part);
    }

    @Override
    public String name() {
      return "fine " + super.name();
    }
  }

  public static class Sink {
    private final List<String> taken = new ArrayList<>();

    public void take(String text) {
      if (text.equals("bad")) {
        throw new IllegalArgumentException("bad text");
      }
      taken.add(text);
    }

    public List<String> taken() {
      return List.copyOf(taken);
    }
  }

  /** Keeps whoever passes until it is open; one for all nodes of this JVM. */
  public enum Gate {
    A,
    B;

    private volatile CountDownLatch latch = new CountDownLatch(1);

    void pass() {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void open() {
      latch.countDown();
    }

    static void closeAll() {
      for (var gate : values()) {
        gate.latch = new CountDownLatch(1);
      }
    }
  }
}
