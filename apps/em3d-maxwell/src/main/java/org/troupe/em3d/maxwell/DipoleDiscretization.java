package org.troupe.em3d.maxwell;

import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;

/**
 * Normalises the current of dipoles on a mesh, so that the cells together carry the whole current
 * however coarse they are.
 */
public final class DipoleDiscretization {

  private DipoleDiscretization() {}

  /**
   * Returns the physics with the {@linkplain FieldSource.Dipole#extent extent} of each dipole
   * computed on a mesh.
   *
   * @param order of the fields that the cells will have
   * @throws IllegalArgumentException if a dipole lies between the cells
   */
  public static Physics on(WholeMesh mesh, PolynomialOrder order, Physics physics) {
    return new Physics(
        physics.media(),
        physics.boundaries(),
        physics.sources().stream()
            .map(
                source ->
                    source instanceof FieldSource.Dipole dipole
                        ? dipole.withExtent(extent(dipole, mesh, order))
                        : source)
            .toList());
  }

  private static double extent(FieldSource.Dipole dipole, WholeMesh mesh, PolynomialOrder order) {
    Vector3 centre = dipole.centre();
    double radius = dipole.radius();
    double[] low = {centre.x() - radius, centre.y() - radius, centre.z() - radius};
    double[] high = {centre.x() + radius, centre.y() + radius, centre.z() + radius};
    CompensatedSum sum = new CompensatedSum();
    mesh.around(low, high)
        .forEach(cell -> sum.add(mesh.volume(cell) * meanWeight(dipole, mesh, cell, order)));
    return sum.value();
  }

  /** The mean of the dipole's weight over a cell, as integrated by fields of this order. */
  private static double meanWeight(
      FieldSource.Dipole dipole, WholeMesh mesh, int cell, PolynomialOrder order) {
    return switch (order) {
      case CONSTANT ->
          dipole.weight(
              new Vector3(
                  mesh.barycentre(cell, 0), mesh.barycentre(cell, 1), mesh.barycentre(cell, 2)));
      case LINEAR -> {
        double[] vertices = new double[12];
        for (int k = 0; k < 12; k++) {
          vertices[k] = mesh.coordinate(cell, k / 3, k % 3);
        }
        yield Quadrature.mean((x, y, z) -> dipole.weight(new Vector3(x, y, z)), vertices);
      }
    };
  }
}
