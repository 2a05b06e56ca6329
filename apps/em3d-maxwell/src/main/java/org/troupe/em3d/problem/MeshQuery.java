package org.troupe.em3d.problem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.AxisAlignedBox;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.BoundaryMap;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Vector3;

/** Geometric queries on an undivided mesh, to locate what a problem refers to. */
record MeshQuery(WholeMesh mesh) {

  /**
   * The least cosine of the angle between a wave's direction and a face's normal for which the wave
   * only leaves.
   */
  private static final double OUTWARD = 1 - 1e-6;

  private static final double EDGE =
      1e-9; // of the mesh's size: tolerance of a cell that reaches into a box

  private static final int MOST_FACES = Integer.MAX_VALUE / 4;

  /**
   * Returns the cell that contains a point: of several, the one with the lowest number; empty if
   * there is none.
   */
  int[] cellAt(Vector3 point) {
    return around(point, 0)
        .filter(cell -> mesh.contains(cell, point.x(), point.y(), point.z()))
        .limit(1)
        .toArray();
  }

  /** Returns the cells whose barycentres are nearer to a point than this. */
  int[] cellsWithin(Vector3 point, double radius) {
    return around(point, radius)
        .filter(cell -> barycentre(cell).plus(point.times(-1)).length() < radius)
        .toArray();
  }

  private IntStream around(Vector3 point, double radius) {
    return mesh.around(
        new double[] {point.x() - radius, point.y() - radius, point.z() - radius},
        new double[] {point.x() + radius, point.y() + radius, point.z() + radius});
  }

  Vector3 barycentre(int cell) {
    return new Vector3(
        mesh.barycentre(cell, 0), mesh.barycentre(cell, 1), mesh.barycentre(cell, 2));
  }

  /**
   * Returns whether a ball lies within the mesh, judged by its centre, six points of its surface
   * and the outer faces nearby.
   */
  boolean containsBall(Vector3 centre, double radius) {
    var offsets =
        List.of(
            new Vector3(0, 0, 0),
            new Vector3(radius, 0, 0),
            new Vector3(-radius, 0, 0),
            new Vector3(0, radius, 0),
            new Vector3(0, -radius, 0),
            new Vector3(0, 0, radius),
            new Vector3(0, 0, -radius));
    return offsets.stream().allMatch(offset -> cellAt(centre.plus(offset)).length > 0)
        && around(centre, radius)
            .noneMatch(
                cell ->
                    IntStream.range(0, 4)
                        .anyMatch(
                            face ->
                                mesh.behind(cell, face) < 0
                                    && centre(cell, face).plus(centre.times(-1)).length()
                                        < radius));
  }

  Vector3 centre(int cell, int face) {
    return new Vector3(
        mesh.centre(cell, face, 0), mesh.centre(cell, face, 1), mesh.centre(cell, face, 2));
  }

  /**
   * Returns a flux monitor on the surface of the cells whose barycentres lie in a box, without the
   * mesh's own surface.
   */
  FieldMonitor.Flux flux(String name, int every, AxisAlignedBox box) {
    if (mesh.cells() > MOST_FACES) {
      throw new IllegalArgumentException(
          "the faces of %,d cells cannot be numbered; measure flux on a mesh of at most %,d"
              .formatted(mesh.cells(), MOST_FACES));
    }
    var low = box.low();
    var high = box.high();
    var faces =
        mesh.around(
                new double[] {low.x(), low.y(), low.z()},
                new double[] {high.x(), high.y(), high.z()})
            .flatMap(
                cell ->
                    IntStream.range(0, 4)
                        .filter(face -> mesh.behind(cell, face) >= 0)
                        .filter(face -> isIn(box, cell) != isIn(box, mesh.behind(cell, face)))
                        .map(face -> 4 * cell + face))
            .toArray();
    if (faces.length == 0) {
      throw new IllegalArgumentException(
          "the box has no surface inside the mesh, so nothing can leave it there; make it smaller");
    }
    var inner = new boolean[faces.length];
    for (var k = 0; k < faces.length; k++) {
      inner[k] = isIn(box, faces[k] / 4);
    }
    return new FieldMonitor.Flux(name, every, faces, inner);
  }

  private boolean isIn(AxisAlignedBox box, int cell) {
    return box.contains(
        mesh.barycentre(cell, 0), mesh.barycentre(cell, 1), mesh.barycentre(cell, 2));
  }

  /** Returns the largest extent of the mesh along an axis (m). */
  double size() {
    return IntStream.range(0, 3)
        .mapToDouble(axis -> mesh.high(axis) - mesh.low(axis))
        .max()
        .orElseThrow();
  }

  /** Returns the distance of a point from the bounding box of the mesh in the maximum norm (m). */
  double outside(Vector3 point) {
    double[] at = {point.x(), point.y(), point.z()};
    return IntStream.range(0, 3)
        .mapToDouble(axis -> Math.max(mesh.low(axis) - at[axis], at[axis] - mesh.high(axis)))
        .max()
        .orElseThrow();
  }

  /** Counts the cells that have vertices both within a box and outside. */
  long cellsCutBy(AxisAlignedBox box) {
    var slack = EDGE * size();
    double[] low = {box.low().x(), box.low().y(), box.low().z()};
    double[] high = {box.high().x(), box.high().y(), box.high().z()};
    var near = mesh.around(low.clone(), high.clone());
    for (var axis = 0; axis < 3; axis++) { // the surface of the mesh cuts no cells
      low[axis] = low[axis] <= mesh.low(axis) + slack ? Double.NEGATIVE_INFINITY : low[axis];
      high[axis] = high[axis] >= mesh.high(axis) - slack ? Double.POSITIVE_INFINITY : high[axis];
    }
    return near.filter(
            cell -> {
              var depths =
                  IntStream.range(0, 4)
                      .mapToDouble(vertex -> depth(cell, vertex, low, high))
                      .summaryStatistics();
              return depths.getMax() > slack && depths.getMin() < -slack;
            })
        .count();
  }

  /** Returns the depth of a vertex in a box; negative outside (m). */
  private double depth(int cell, int vertex, double[] low, double[] high) {
    return IntStream.range(0, 3)
        .mapToDouble(
            axis -> {
              var at = mesh.coordinate(cell, vertex, axis);
              return Math.min(at - low[axis], high[axis] - at);
            })
        .min()
        .orElseThrow();
  }

  /** Returns whether a cell has its barycentre in a box. */
  boolean hasCellsIn(AxisAlignedBox box) {
    var low = box.low();
    var high = box.high();
    return mesh.around(
            new double[] {low.x(), low.y(), low.z()}, new double[] {high.x(), high.y(), high.z()})
        .anyMatch(cell -> isIn(box, cell));
  }

  /**
   * Returns the time at which a plane wave reaches the first absorbing face (m); infinite if there
   * is none.
   */
  double firstArrival(FieldSource.PlaneWave wave, BoundaryMap boundaries) {
    return outerFaces()
        .filter(
            place ->
                boundaries.at(mesh.wall((int) (place / 4), (int) (place % 4)), 0, 0, 0)
                    == BoundaryCondition.ABSORBING)
        .mapToDouble(place -> wave.arrival(centre((int) (place / 4), (int) (place % 4))))
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns whether a plane wave enters in a medium other than vacuum. It may leave there. */
  boolean entersOutsideVacuum(FieldSource.PlaneWave wave, BoundaryMap boundaries, MediumMap media) {
    if (media instanceof MediumMap.Uniform(Medium medium) && isLikeVacuum(medium)) {
      return false;
    }
    return IntStream.range(0, mesh.cells())
        .filter(cell -> IntStream.range(0, 4).anyMatch(face -> mesh.behind(cell, face) < 0))
        .filter(cell -> !isLikeVacuum(medium(media, cell)))
        .anyMatch(
            cell ->
                IntStream.range(0, 4)
                    .filter(face -> mesh.behind(cell, face) < 0)
                    .filter(
                        face ->
                            boundaries.at(mesh.wall(cell, face), 0, 0, 0)
                                == BoundaryCondition.ABSORBING)
                    .anyMatch(face -> normal(cell, face).dot(wave.direction()) < OUTWARD));
  }

  private static boolean isLikeVacuum(Medium medium) {
    return medium.epsilon() * medium.mu() == 1 && medium.conductivity() == 0;
  }

  /** Returns the outward unit normal of a face. */
  private Vector3 normal(int cell, int face) {
    var a = vertex(cell, (face + 1) % 4);
    var b = vertex(cell, (face + 2) % 4).plus(a.times(-1));
    var c = vertex(cell, (face + 3) % 4).plus(a.times(-1));
    var across = b.cross(c);
    var isOutward = across.dot(centre(cell, face).plus(barycentre(cell).times(-1))) > 0;
    return across.times((isOutward ? 1 : -1) / across.length());
  }

  /**
   * Returns a vertex, computed from the barycentres: that of the cell divides the line from the
   * opposite face's to the vertex as 1 : 3.
   */
  private Vector3 vertex(int cell, int opposite) {
    return barycentre(cell).times(4).plus(centre(cell, opposite).times(-3));
  }

  private LongStream outerFaces() {
    return cellsAtWalls()
        .asLongStream()
        .flatMap(
            cell ->
                LongStream.range(4 * cell, 4 * cell + 4)
                    .filter(place -> mesh.behind((int) cell, (int) (place % 4)) < 0));
  }

  /**
   * Returns the cells at walls; for a cube, only those at its corners, which a wave reaches first
   * and last.
   */
  private IntStream cellsAtWalls() {
    return switch (mesh) {
      case TetrahedralMesh file -> IntStream.range(0, file.cells());
      case CubeMesh cube ->
          IntStream.range(0, 8)
              .flatMap(
                  corner -> {
                    double[] at = {corner & 1, corner >> 1 & 1, corner >> 2};
                    return cube.around(at, at);
                  });
    };
  }

  /**
   * Returns the stability bound of the time step (m), which equals that of the sub-domains.
   *
   * <p>On a cube with several media, any two are assumed to touch, so the bound may be too small if
   * both permittivity and permeability vary.
   */
  double stepBound(PolynomialOrder order, MediumMap media) {
    return switch (mesh) {
      case CubeMesh cube -> boundOfCube(order, media);
      case TetrahedralMesh file -> boundOfFile(order, media);
    };
  }

  private double boundOfCube(PolynomialOrder order, MediumMap media) {
    Set<Medium> all = new HashSet<>();
    if (media instanceof MediumMap.Uniform(Medium medium)) {
      all.add(medium);
    } else {
      for (var cell = 0; cell < mesh.cells(); cell++) {
        all.add(medium(media, cell));
      }
    }
    var width = StepBound.width(order, mesh.areas(0));
    return all.stream()
        .flatMapToDouble(
            one ->
                all.stream()
                    .mapToDouble(other -> StepBound.between(order, width, one, width, other)))
        .min()
        .orElseThrow();
  }

  private double boundOfFile(PolynomialOrder order, MediumMap media) {
    var widths = new double[mesh.cells()];
    Arrays.setAll(widths, cell -> StepBound.width(order, mesh.areas(cell)));
    var filled = new ArrayList<Medium>(mesh.cells());
    for (var cell = 0; cell < mesh.cells(); cell++) {
      filled.add(medium(media, cell));
    }
    var bound = Double.POSITIVE_INFINITY;
    for (var cell = 0; cell < mesh.cells(); cell++) {
      for (var face = 0; face < 4; face++) {
        var other = mesh.behind(cell, face) < 0 ? cell : mesh.behind(cell, face);
        bound =
            Math.min(
                bound,
                StepBound.between(
                    order, widths[cell], filled.get(cell), widths[other], filled.get(other)));
      }
    }
    return bound;
  }

  private Medium medium(MediumMap media, int cell) {
    return media.at(
        mesh.region(cell),
        mesh.barycentre(cell, 0),
        mesh.barycentre(cell, 1),
        mesh.barycentre(cell, 2));
  }
}
