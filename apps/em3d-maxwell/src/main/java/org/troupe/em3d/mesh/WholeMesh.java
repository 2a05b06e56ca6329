package org.troupe.em3d.mesh;

import java.util.Set;
import java.util.stream.IntStream;

/**
 * An undivided mesh. Its cell numbers are the global numbers of all parts; face f of a cell is
 * opposite its vertex f.
 */
public sealed interface WholeMesh permits CubeMesh, TetrahedralMesh {

  /** Returns the number of tetrahedra. */
  int cells();

  /** Returns the names of the physical volumes that have cells. */
  Set<String> volumeGroups();

  /** Returns the names of the physical surfaces that have outer faces. */
  Set<String> surfaceGroups();

  /** Returns the name of the physical volume that a cell belongs to; empty if it has none. */
  String region(int cell);

  /** Returns one coordinate of a cell's barycentre in metres. */
  double barycentre(int cell, int axis);

  /** Returns one coordinate of a cell's vertex in metres. */
  double coordinate(int cell, int vertex, int axis);

  /** Returns the volume of a cell in cubic metres. */
  double volume(int cell);

  /** Returns the smallest coordinate of the mesh along an axis, metres. */
  double low(int axis);

  /** Returns the largest coordinate of the mesh along an axis, metres. */
  double high(int axis);

  /** Returns area over volume of a cell's four faces, 1/m. */
  double[] areas(int cell);

  /** Returns whether a point (metres) lies in a cell or on its surface. */
  boolean contains(int cell, double x, double y, double z);

  /** Returns the cell behind a face; negative for an outer face. */
  int behind(int cell, int face);

  /**
   * Returns the name of the physical surface that an outer face belongs to; empty if it has none.
   */
  String wall(int cell, int face);

  /** Returns one coordinate of a face's barycentre in metres. */
  double centre(int cell, int face, int axis);

  /**
   * Returns a superset of the cells that overlap a box or share a face with such a cell.
   *
   * @param low the lowest corner of the box, metres
   * @param high the highest corner of the box, metres
   */
  IntStream around(double[] low, double[] high);
}
