package org.troupe.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import ibis.satin.Spawnable;
import ibis.satin.WriteMethodsInterface;
import java.util.Random;

interface BodiesInterface extends WriteMethodsInterface {
  void update(double[] accelerations, int step);
}

/** All bodies, on each node; a step begins where the step before has been applied. */
final class Bodies extends SharedObject implements BodiesInterface {
  private static final long serialVersionUID = 1;
  private static final double TIME = 0.01;
  final double[] place;
  final double[] speed;
  int step;
  private transient Cell root;

  Bodies(int n) {
    Random random = new Random(3);
    place = new double[2 * n];
    speed = new double[2 * n];
    for (int i = 0; i < place.length; i++) {
      place[i] = random.nextDouble();
    }
  }

  @Override
  public void update(double[] accelerations, int done) {
    for (int i = 0; i < place.length; i++) {
      speed[i] += accelerations[i] * TIME;
      place[i] += speed[i] * TIME;
    }
    step = done + 1;
    root = null;
  }

  Cell root() {
    if (root == null) {
      root = Cell.of(place);
    }
    return root;
  }
}

/** A cell of the quadtree. */
final class Cell {
  final double x;
  final double y;
  final double half;
  double mass;
  double centreX;
  double centreY;
  int body = -1;
  Cell[] parts;

  Cell(double x, double y, double half) {
    this.x = x;
    this.y = y;
    this.half = half;
  }

  static Cell of(double[] place) {
    double largest = 1;
    for (double each : place) {
      largest = Math.max(largest, Math.abs(each));
    }
    Cell root = new Cell(0, 0, largest);
    for (int i = 0; i < place.length / 2; i++) {
      root.add(place, i, 0);
    }
    root.weigh(place);
    return root;
  }

  private void add(double[] place, int i, int depth) {
    if (parts == null && body < 0) {
      body = i;
    } else if (parts == null && depth < 40) {
      parts = new Cell[4];
      int other = body;
      body = -1;
      part(place, other).add(place, other, depth + 1);
      part(place, i).add(place, i, depth + 1);
    } else if (parts != null) {
      part(place, i).add(place, i, depth + 1);
    }
  }

  private Cell part(double[] place, int i) {
    boolean right = place[2 * i] >= x;
    boolean upper = place[2 * i + 1] >= y;
    int k = (right ? 1 : 0) + (upper ? 2 : 0);
    if (parts[k] == null) {
      double h = half / 2;
      parts[k] = new Cell(x + (right ? h : -h), y + (upper ? h : -h), h);
    }
    return parts[k];
  }

  private void weigh(double[] place) {
    if (parts == null) {
      mass = 1;
      centreX = place[2 * body];
      centreY = place[2 * body + 1];
      return;
    }
    for (Cell part : parts) {
      if (part != null) {
        part.weigh(place);
        mass += part.mass;
        centreX += part.mass * part.centreX;
        centreY += part.mass * part.centreY;
      }
    }
    centreX /= mass;
    centreY /= mass;
  }

  void accelerate(double[] place, int i, double[] result, int at, double theta) {
    if (body == i) {
      return;
    }
    double dx = centreX - place[2 * i];
    double dy = centreY - place[2 * i + 1];
    double square = dx * dx + dy * dy + 1e-4;
    if (parts == null || 4 * half * half < theta * theta * square) {
      double force = mass / (square * Math.sqrt(square));
      result[at] += force * dx;
      result[at + 1] += force * dy;
      return;
    }
    for (Cell part : parts) {
      if (part != null) {
        part.accelerate(place, i, result, at, theta);
      }
    }
  }
}

interface BarnesHutInterface extends Spawnable {
  double[] forces(int from, int to, int step, Bodies bodies);
}

/** Bodies that attract each other; the jobs of a step wait for the bodies of that step. */
public class BarnesHut extends SatinObject implements BarnesHutInterface {
  private static final long serialVersionUID = 1;
  private static final double THETA = 0.5;

  public boolean guard_forces(int from, int to, int step, Bodies bodies) {
    return bodies.step == step;
  }

  @Override
  public double[] forces(int from, int to, int step, Bodies bodies) {
    if (to - from <= 16) {
      return range(from, to, bodies, THETA);
    }
    int middle = (from + to) / 2;
    double[] left = forces(from, middle, step, bodies);
    double[] right = forces(middle, to, step, bodies);
    sync();
    double[] all = new double[left.length + right.length];
    System.arraycopy(left, 0, all, 0, left.length);
    System.arraycopy(right, 0, all, left.length, right.length);
    return all;
  }

  static double[] range(int from, int to, Bodies bodies, double theta) {
    double[] result = new double[2 * (to - from)];
    for (int i = from; i < to; i++) {
      bodies.root().accelerate(bodies.place, i, result, 2 * (i - from), theta);
    }
    return result;
  }

  void simulate(Bodies bodies, int n, int steps) {
    for (int step = 0; step < steps; step++) {
      double[] accelerations = forces(0, n, step, bodies);
      sync();
      bodies.update(accelerations, step);
    }
  }

  public static void main(String[] args) {
    int n = CheckedResult.size(args, 200, 2, 1000000);
    int steps = 5;
    Bodies bodies = new Bodies(n);
    bodies.exportObject();
    new BarnesHut().simulate(bodies, n, steps);

    Bodies sequential = new Bodies(n);
    for (int step = 0; step < steps; step++) {
      sequential.update(range(0, n, sequential, THETA), step);
    }
    CheckedResult.print(
        n + " bodies after " + steps + " steps",
        java.util.Arrays.equals(bodies.place, sequential.place) && bodies.step == steps);
  }
}
