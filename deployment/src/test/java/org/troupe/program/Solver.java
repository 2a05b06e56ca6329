package org.troupe.program;

/** A small version of the design page's solver. */
public class Solver {

  private final Mesh part;
  private double time;

  /** A part of the whole mesh. */
  public record Mesh(int cells) {}

  /** The result of a solver. */
  public static class Field {

    private final double value;

    Field(double value) {
      this.value = value;
    }

    public double value() {
      return value;
    }
  }

  /** Receives results that solvers forward. */
  public static class Sink {

    private double sum;

    public void take(double energy) {
      sum += energy;
    }

    public double sum() {
      return sum;
    }
  }

  public Solver(Mesh part) {
    this.part = part;
  }

  public void step(double dt) {
    time += dt;
  }

  public Field field() {
    return new Field(part.cells() * time);
  }

  public double energy() {
    return part.cells() + time;
  }
}
