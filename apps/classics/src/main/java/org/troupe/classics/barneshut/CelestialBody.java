package org.troupe.classics.barneshut;

import java.util.Random;

/** A star. It travels between members when their zones change. */
final class CelestialBody {

  private static final double STEP = 0.025;

  private static final double FARTHEST_SHARE = 0.999; // of the mass; the rest would be far away

  final int id;
  final double mass;
  double x;
  double y;
  double z;
  double vx;
  double vy;
  double vz;
  long key; // position along the curve in the cube of this step
  int cost; // number of bodies and cells that attracted it in the last step

  private CelestialBody(int id, double mass) {
    this.id = id;
    this.mass = mass;
    cost = 1;
  }

  /**
   * Generates a globular cluster of Plummer's model (1911) of mass 1 and energy -1/4, always the
   * same one, after S. Aarseth, M. Henon and R. Wielen, Astronomy and Astrophysics 37, 183-187,
   * 1974.
   */
  static CelestialBody[] cluster(int count) {
    var random = new Random(1911);
    var bodies = new CelestialBody[count];
    for (var i = 0; i < count; i++) {
      bodies[i] = star(i, 1.0 / count, random);
    }
    return bodies;
  }

  private static CelestialBody star(int id, double mass, Random random) {
    var body = new CelestialBody(id, mass);
    var share = FARTHEST_SHARE * random.nextDouble();
    var radius = 1 / Math.sqrt(Math.pow(share, -2 / 3.0) - 1);
    double part; // fraction of the escape speed, with probability density part^2 (1-part^2)^3.5
    do {
      part = random.nextDouble();
    } while (0.1 * random.nextDouble() > part * part * Math.pow(1 - part * part, 3.5));
    var speed = part * Math.sqrt(2) * Math.pow(1 + radius * radius, -0.25);

    var unit = 3 * Math.PI / 16;
    var position = direction(radius * unit, random);
    var velocity = direction(speed / Math.sqrt(unit), random);
    body.x = position[0];
    body.y = position[1];
    body.z = position[2];
    body.vx = velocity[0];
    body.vy = velocity[1];
    body.vz = velocity[2];
    return body;
  }

  /** Returns a vector of uniformly distributed direction. */
  private static double[] direction(double length, Random random) {
    var z = 2 * random.nextDouble() - 1;
    var angle = 2 * Math.PI * random.nextDouble();
    var around = length * Math.sqrt(1 - z * z);
    return new double[] {around * Math.cos(angle), around * Math.sin(angle), length * z};
  }

  /** Moves all bodies for half a step. */
  static void move(CelestialBody[] all) {
    for (var each : all) {
      each.x += STEP / 2 * each.vx;
      each.y += STEP / 2 * each.vy;
      each.z += STEP / 2 * each.vz;
    }
  }

  /** Changes the velocity by one step of an acceleration. */
  void accelerate(double ax, double ay, double az) {
    vx += STEP * ax;
    vy += STEP * ay;
    vz += STEP * az;
  }
}
