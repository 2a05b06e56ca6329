package org.troupe.em3d.maxwell;

import org.troupe.em3d.mesh.CellRanges;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.Medium;

/**
 * The {@link StepBound} of one sub-domain: the minimum over its inner, wall and border faces.
 *
 * <p>A border face needs the width and the medium of the cell behind it, which the neighbour sends
 * as a border shape.
 */
final class SubDomainStepBound {

  /** Numbers of a border shape for each face: width, permittivity and permeability. */
  private static final int SHAPE = 3;

  private final PolynomialOrder order;
  private final PartMesh mesh;
  private final Medium[] media; // of the cells
  private double[] widths; // of the cells, m; empty when the bound is known
  private final BorderArrivals arrivals;
  private double borderBound = Double.POSITIVE_INFINITY;
  private double bound = Double.NaN; // until it is asked for

  /**
   * @param media of the cells
   * @param widths of the cells (m), see {@link StepBound#width}
   */
  SubDomainStepBound(PolynomialOrder order, PartMesh mesh, Medium[] media, double[] widths) {
    this.order = order;
    this.mesh = mesh;
    this.media = media;
    this.widths = widths;
    arrivals = new BorderArrivals(mesh, "border shapes");
  }

  /** How many numbers the shapes of these border faces take. */
  static int shapeLength(int borderFaces) {
    return SHAPE * borderFaces;
  }

  /** The shapes of the border cells towards neighbour k. */
  double[] shapes(int k) {
    int first = mesh.borderStarts()[k];
    int end = mesh.borderStarts()[k + 1];
    double[] shapes = new double[SHAPE * (end - first)];
    int at = 0;
    for (int face = first; face < end; face++) {
      int cell = mesh.borderCells()[face];
      shapes[at++] = widths[cell];
      shapes[at++] = media[cell].epsilon();
      shapes[at++] = media[cell].mu();
    }
    return shapes;
  }

  /** Takes the {@link #shapes} of neighbour k towards this sub-domain. */
  void accept(int k, double[] shapes) {
    arrivals.add(k);
    int at = 0;
    for (int face = mesh.borderStarts()[k]; face < mesh.borderStarts()[k + 1]; face++) {
      int cell = mesh.borderCells()[face];
      double across =
          StepBound.acrossFace(
              order, widths[cell], media[cell], shapes[at], shapes[at + 1], shapes[at + 2]);
      borderBound = Math.min(borderBound, across);
      at += SHAPE;
    }
  }

  /**
   * The bound (m).
   *
   * @throws IllegalStateException if shapes of a neighbour are missing
   */
  double value() {
    arrivals.requireAll();
    if (Double.isNaN(bound)) {
      bound =
          CellRanges.answers(mesh.cells(), this::boundWithin).stream()
              .reduce(borderBound, Math::min);
      widths = new double[0];
    }
    return bound;
  }

  private double boundWithin(int from, int to) {
    double least = Double.POSITIVE_INFINITY;
    int cells = mesh.cells();
    int firstBorderPlace = 3 * mesh.firstBorderGhost();
    for (int cell = from; cell < to; cell++) {
      for (int face = 0; face < 4; face++) {
        int place = mesh.neighbourPlaces()[4 * cell + face];
        if (place >= firstBorderPlace) {
          continue;
        }
        int other = place >= 3 * cells ? cell : place / 3;
        double across =
            StepBound.between(order, widths[cell], media[cell], widths[other], media[other]);
        least = Math.min(least, across);
      }
    }
    return least;
  }
}
