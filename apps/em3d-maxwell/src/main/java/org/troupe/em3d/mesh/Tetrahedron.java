package org.troupe.em3d.mesh;

/**
 * Computes volume, surface, barycentre and area vectors of a tetrahedron. One object is reused for
 * many cells.
 *
 * <p>All results depend on the vertices and their order only, so those of a cell are equal to the
 * last bit in every sub-domain.
 */
final class Tetrahedron {

  /**
   * Outward area vectors (x, y, z of the face opposite vertex 0, then 1, 2, 3), in square metres.
   */
  final double[] areas = new double[12];

  final double[] barycentre = new double[3];
  double volume;
  double surface;

  /**
   * Computes the tetrahedron with vertices a, b, c, d of {@code coordinates[3 * vertex + axis]}, in
   * either orientation.
   *
   * @return false if the cell is flat to round-off
   */
  boolean load(double[] coordinates, int a, int b, int c, int d) {
    double x0 = coordinates[3 * a];
    double y0 = coordinates[3 * a + 1];
    double z0 = coordinates[3 * a + 2];
    double bx = coordinates[3 * b] - x0;
    double by = coordinates[3 * b + 1] - y0;
    double bz = coordinates[3 * b + 2] - z0;
    double cx = coordinates[3 * c] - x0;
    double cy = coordinates[3 * c + 1] - y0;
    double cz = coordinates[3 * c + 2] - z0;
    double dx = coordinates[3 * d] - x0;
    double dy = coordinates[3 * d + 1] - y0;
    double dz = coordinates[3 * d + 2] - z0;

    double signed =
        (bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx)) / 6;
    double half = signed < 0 ? -0.5 : 0.5;
    halfCross(1, half, dx, dy, dz, cx, cy, cz);
    halfCross(2, half, bx, by, bz, dx, dy, dz);
    halfCross(3, half, cx, cy, cz, bx, by, bz);
    for (int axis = 0; axis < 3; axis++) {
      areas[axis] = -(areas[3 + axis] + areas[6 + axis] + areas[9 + axis]);
    }
    volume = Math.abs(signed);
    surface = area(0) + area(1) + area(2) + area(3);
    for (int axis = 0; axis < 3; axis++) {
      barycentre[axis] =
          (coordinates[3 * a + axis]
                  + coordinates[3 * b + axis]
                  + coordinates[3 * c + axis]
                  + coordinates[3 * d + axis])
              / 4;
    }
    // surface^1.5 is a volume; a regular tetrahedron has 0.05 of it, the worst usable slivers 1e-5.
    return volume > 1e-13 * surface * Math.sqrt(surface);
  }

  /** Returns the area of the face opposite a vertex. */
  double area(int face) {
    double x = areas[3 * face];
    double y = areas[3 * face + 1];
    double z = areas[3 * face + 2];
    return Math.sqrt(x * x + y * y + z * z);
  }

  private void halfCross(
      int face, double half, double ux, double uy, double uz, double vx, double vy, double vz) {
    areas[3 * face] = (uy * vz - uz * vy) * half;
    areas[3 * face + 1] = (uz * vx - ux * vz) * half;
    areas[3 * face + 2] = (ux * vy - uy * vx) * half;
  }
}
