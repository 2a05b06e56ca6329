package org.troupe.classics.water;

import java.util.Arrays;
import java.util.Random;

/**
 * Water molecules in a box with periodic boundaries, and the forces between their atoms. Units: nm,
 * ps, g/mol, kJ/mol.
 *
 * <p>The forces are those of SPC/Fw, a water model whose bonds are springs: Y. Wu, H. Tepper and G.
 * Voth, Flexible simple point-charge water model, J. Chem. Phys. 124, 024503, 2006. Molecules
 * farther apart than half the box do not interact; just below that distance their interaction is
 * switched off smoothly, so that the energy is conserved.
 */
final class WaterBox {

  /** The number of coordinates of one molecule: x, y, z of its oxygen and its two hydrogens. */
  static final int STRIDE = 9;

  private static final double STEP = 0.0002;
  private static final double MOLECULES_PER_VOLUME = 33.33;
  private static final double[] MASS = {15.9994, 1.008, 1.008};

  private static final double COULOMB = 138.935458;
  private static final double CHARGE_O = -0.82 * Math.sqrt(COULOMB);
  private static final double CHARGE_H = 0.41 * Math.sqrt(COULOMB);
  private static final double SIGMA_SQUARED = 0.3165492 * 0.3165492;
  private static final double FOUR_EPSILON = 4 * 0.6502995;

  private static final double BOND = 0.1012;
  private static final double BOND_STIFFNESS = 443153.4;
  private static final double ANGLE = Math.toRadians(113.24);
  private static final double ANGLE_STIFFNESS = 317.5656;

  private static final double THERMAL = 300 * 0.0083144626; // kT at 300 K

  /** The mean initial kinetic energy of a molecule. */
  static final double THERMAL_ENERGY = THERMAL * STRIDE / 2;

  private final int molecules;
  private final double edge;
  private final double inverseEdge;
  private final double cutSquared;
  private final double switchSquared; // from here on the interaction decreases to 0
  private final double[] positions;
  private final double[] velocities;
  private final double[] forces;
  private double potential;

  /** Places molecules on a lattice, with random but always equal orientations and velocities. */
  WaterBox(int molecules) {
    this.molecules = molecules;
    edge = Math.cbrt(molecules / MOLECULES_PER_VOLUME);
    inverseEdge = 1 / edge;
    cutSquared = edge * edge / 4;
    switchSquared = cutSquared * 0.9;
    positions = new double[molecules * STRIDE];
    velocities = new double[molecules * STRIDE];
    forces = new double[molecules * STRIDE];
    var random = new Random(1728);
    var side = (int) Math.ceil(Math.cbrt(molecules) - 1e-9);
    for (var i = 0; i < molecules; i++) {
      place(i, edge / side, i / side / side, i / side % side, i % side, random);
    }
  }

  private void place(int molecule, double pitch, int x, int y, int z, Random random) {
    var begin = molecule * STRIDE;
    var first = direction(random);
    var across = direction(random);
    var along = dot(first, across);
    for (var axis = 0; axis < 3; axis++) {
      across[axis] -= along * first[axis];
    }
    var length = Math.sqrt(dot(across, across));
    int[] site = {x, y, z};
    for (var axis = 0; axis < 3; axis++) {
      var oxygen = (site[axis] + 0.5) * pitch;
      positions[begin + axis] = oxygen;
      positions[begin + 3 + axis] = oxygen + BOND * first[axis];
      positions[begin + 6 + axis] =
          oxygen + BOND * (Math.cos(ANGLE) * first[axis] + Math.sin(ANGLE) * across[axis] / length);
    }
    for (var i = 0; i < STRIDE; i++) {
      velocities[begin + i] = Math.sqrt(THERMAL / MASS[i / 3]) * random.nextGaussian();
    }
  }

  private static double[] direction(Random random) {
    double[] found = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
    var length = Math.sqrt(dot(found, found));
    for (var axis = 0; axis < 3; axis++) {
      found[axis] /= length;
    }
    return found;
  }

  private static double dot(double[] a, double[] b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  double[] positions() {
    return positions;
  }

  double[] forces() {
    return forces;
  }

  /** Returns the potential energy of all interactions computed since {@link #resetForces}. */
  double potential() {
    return potential;
  }

  private double kinetic(int from, int to) {
    var sum = 0.0;
    for (var i = from * STRIDE; i < to * STRIDE; i++) {
      sum += MASS[i % STRIDE / 3] * velocities[i] * velocities[i];
    }
    return sum / 2;
  }

  /**
   * Simulates some molecules with the velocity form of the Verlet method (L. Verlet, 1967).
   *
   * @param findForces computes the forces on these molecules at their current positions
   * @return the state of these molecules
   */
  WaterState simulate(int from, int to, int steps, Runnable findForces) {
    var energies = new double[steps + 1];
    findForces.run();
    energies[0] = potential + kinetic(from, to);
    var compared = new double[0];
    for (var step = 1; step <= steps; step++) {
      accelerate(from, to);
      move(from, to);
      findForces.run();
      accelerate(from, to);
      energies[step] = potential + kinetic(from, to);
      if (step == WaterState.compared(steps)) {
        compared = Arrays.copyOfRange(positions, from * STRIDE, to * STRIDE);
      }
    }
    return new WaterState(compared, energies);
  }

  /** Changes the velocities by the forces of half a step. */
  private void accelerate(int from, int to) {
    for (var i = from * STRIDE; i < to * STRIDE; i++) {
      velocities[i] += STEP / 2 / MASS[i % STRIDE / 3] * forces[i];
    }
  }

  /** Changes the positions by the velocities of a step. */
  private void move(int from, int to) {
    for (var i = from * STRIDE; i < to * STRIDE; i++) {
      positions[i] += STEP * velocities[i];
    }
  }

  /** Sets all forces and the potential energy to zero. */
  void resetForces() {
    Arrays.fill(forces, 0);
    potential = 0;
  }

  // Forces inside a molecule

  /** Adds the forces inside each molecule. */
  void bend(int from, int to) {
    for (var molecule = from; molecule < to; molecule++) {
      bend(molecule * STRIDE);
    }
  }

  private void bend(int o) {
    var ax = positions[o + 3] - positions[o];
    var ay = positions[o + 4] - positions[o + 1];
    var az = positions[o + 5] - positions[o + 2];
    var bx = positions[o + 6] - positions[o];
    var by = positions[o + 7] - positions[o + 1];
    var bz = positions[o + 8] - positions[o + 2];
    var a = Math.sqrt(ax * ax + ay * ay + az * az);
    var b = Math.sqrt(bx * bx + by * by + bz * bz);
    var cos = (ax * bx + ay * by + az * bz) / (a * b);
    var tooWide = Math.acos(cos) - ANGLE;
    potential +=
        BOND_STIFFNESS / 2 * ((a - BOND) * (a - BOND) + (b - BOND) * (b - BOND))
            + ANGLE_STIFFNESS / 2 * tooWide * tooWide;

    var pullA = -BOND_STIFFNESS * (a - BOND) / a;
    var pullB = -BOND_STIFFNESS * (b - BOND) / b;
    var turn = ANGLE_STIFFNESS * tooWide / Math.sqrt(1 - cos * cos);
    var mixed = turn / (a * b);
    var ownA = pullA - turn * cos / (a * a);
    var ownB = pullB - turn * cos / (b * b);
    pull(o, 3, ownA * ax + mixed * bx, ownA * ay + mixed * by, ownA * az + mixed * bz);
    pull(o, 6, ownB * bx + mixed * ax, ownB * by + mixed * ay, ownB * bz + mixed * az);
  }

  private void pull(int o, int hydrogen, double x, double y, double z) {
    forces[o + hydrogen] += x;
    forces[o + hydrogen + 1] += y;
    forces[o + hydrogen + 2] += z;
    forces[o] -= x;
    forces[o + 1] -= y;
    forces[o + 2] -= z;
  }

  // Forces between molecules

  /*
   * Assignment of pairs. Each pair must be counted once. As in SPLASH, a molecule computes its pairs
   * with the half of all others that follows it, cyclically. So all molecules have equal work,
   * whichever of them a node owns. If their number is even, the last molecule of the half would be
   * counted from both sides.
   */

  /** Returns the number of following molecules whose pairs with this one it computes. */
  private int pairsOf(int molecule) {
    return molecule < molecules / 2 ? molecules / 2 : (molecules - 1) / 2;
  }

  /** Returns whether a range of molecules computes any pair with another range. */
  boolean computesPairs(int from, int to, int otherFrom, int otherTo) {
    for (var i = from; i < to; i++) {
      var last = i + pairsOf(i);
      if (Math.max(otherFrom, i + 1) < Math.min(otherTo, last + 1)
          || otherFrom < Math.min(otherTo, last + 1 - molecules)) {
        return true;
      }
    }
    return false;
  }

  /** Adds the forces of all pairs that a range of molecules computes with another range. */
  void attract(int from, int to, int otherFrom, int otherTo) {
    for (var i = from; i < to; i++) {
      var end = i + pairsOf(i) + 1;
      attract(i, Math.max(otherFrom, i + 1), Math.min(otherTo, end));
      attract(i, otherFrom, Math.min(otherTo, end - molecules));
    }
  }

  private void attract(int molecule, int from, int to) {
    var i = molecule * STRIDE;
    var x = positions[i];
    var y = positions[i + 1];
    var z = positions[i + 2];
    for (var j = from * STRIDE; j < to * STRIDE; j += STRIDE) {
      var dx = nearest(x - positions[j]);
      var dy = nearest(y - positions[j + 1]);
      var dz = nearest(z - positions[j + 2]);
      var squared = dx * dx + dy * dy + dz * dz;
      if (squared < switchSquared) {
        potential += attract(i, j, dx, dy, dz, squared, 1);
      } else if (squared < cutSquared) {
        attractSmoothly(i, j, dx, dy, dz, squared);
      }
    }
  }

  /** Returns the distance to the nearest periodic image. */
  private double nearest(double distance) {
    return distance - edge * Math.rint(distance * inverseEdge);
  }

  /**
   * Adds the forces of a pair whose energy decreases smoothly to 0 as a function of the squared
   * distance.
   */
  private void attractSmoothly(int i, int j, double dx, double dy, double dz, double squared) {
    var width = cutSquared - switchSquared;
    var rest = (cutSquared - squared) / width;
    var part = rest * rest * (3 - 2 * rest);
    var energy = attract(i, j, dx, dy, dz, squared, part);
    potential += part * energy;
    var strength = energy * 6 * rest * (1 - rest) / width * 2;
    push(i, j, strength * dx, strength * dy, strength * dz);
  }

  /**
   * Adds a fraction of the forces between two molecules.
   *
   * @param dx the distance from the oxygen at {@code j} to the one at {@code i}
   * @param part the fraction
   * @return the whole energy of the pair
   */
  private double attract(
      int i, int j, double dx, double dy, double dz, double squared, double part) {
    var inverse = 1 / squared;
    var ratio = SIGMA_SQUARED * inverse;
    var sixth = ratio * ratio * ratio;
    var strength = part * 6 * FOUR_EPSILON * sixth * (2 * sixth - 1) * inverse;
    push(i, j, strength * dx, strength * dy, strength * dz);
    var shiftX = dx - (positions[i] - positions[j]);
    var shiftY = dy - (positions[i + 1] - positions[j + 1]);
    var shiftZ = dz - (positions[i + 2] - positions[j + 2]);
    return FOUR_EPSILON * sixth * (sixth - 1)
        + charge(i, j, CHARGE_O, shiftX, shiftY, shiftZ, part)
        + charge(i + 3, j, CHARGE_H, shiftX, shiftY, shiftZ, part)
        + charge(i + 6, j, CHARGE_H, shiftX, shiftY, shiftZ, part);
  }

  /** Adds the forces between a charge and those of a molecule; returns their energy. */
  private double charge(
      int i, int j, double charge, double shiftX, double shiftY, double shiftZ, double part) {
    var x = positions[i] + shiftX;
    var y = positions[i + 1] + shiftY;
    var z = positions[i + 2] + shiftZ;
    var fx = 0.0;
    var fy = 0.0;
    var fz = 0.0;
    var energy = 0.0;
    for (var k = j; k < j + STRIDE; k += 3) {
      var dx = x - positions[k];
      var dy = y - positions[k + 1];
      var dz = z - positions[k + 2];
      var inverse = 1 / (dx * dx + dy * dy + dz * dz);
      var own = charge * (k == j ? CHARGE_O : CHARGE_H) * Math.sqrt(inverse);
      energy += own;
      var strength = part * own * inverse;
      fx += strength * dx;
      fy += strength * dy;
      fz += strength * dz;
      forces[k] -= strength * dx;
      forces[k + 1] -= strength * dy;
      forces[k + 2] -= strength * dz;
    }
    forces[i] += fx;
    forces[i + 1] += fy;
    forces[i + 2] += fz;
    return energy;
  }

  private void push(int i, int j, double fx, double fy, double fz) {
    forces[i] += fx;
    forces[i + 1] += fy;
    forces[i + 2] += fz;
    forces[j] -= fx;
    forces[j + 1] -= fy;
    forces[j + 2] -= fz;
  }
}
