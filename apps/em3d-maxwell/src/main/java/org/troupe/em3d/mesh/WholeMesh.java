package org.troupe.em3d.mesh;

import java.util.Set;
import java.util.stream.IntStream;

/**
 * A mesh before it is cut, as far as the place of something in it goes. Cells have the numbers that
 * they keep in all parts; face f of a cell is the one opposite its vertex f.
 */
public sealed interface WholeMesh permits CubeMesh, TetrahedralMesh {

  /** The number of tetrahedra. */
  int cells();

  /** The names of the physical volumes that have cells. */
  Set<String> volumeGroups();

  /** The names of the physical surfaces that have outer faces. */
  Set<String> surfaceGroups();

  /** The name of the physical volume that a cell belongs to, empty if it has none. */
  String region(int cell);

  /** One coordinate of a cell's barycentre in metres. */
  double barycentre(int cell, int axis);

  /** One coordinate of a cell's vertex in metres. */
  double coordinate(int cell, int vertex, int axis);

  /** The volume of a cell in cubic metres. */
  double volume(int cell);

  /** The smallest coordinate of the mesh along an axis, metres. */
  double low(int axis);

  /** The largest one. */
  double high(int axis);

  /** Area over volume of a cell's four faces, 1/m. */
  double[] areas(int cell);

  /** Says whether a point (metres) lies in a cell or on its surface. */
  boolean contains(int cell, double x, double y, double z);

  /** The cell behind a face; negative for an outer face. */
  int behind(int cell, int face);

  /** The name of the physical surface that an outer face belongs to, empty if it has none. */
  String wall(int cell, int face);

  /** One coordinate of a face's barycentre in metres. */
  double centre(int cell, int face, int axis);

  /**
   * Cells among which are all those that overlap a box, or share a face with one that does.
   *
   * @param low its lowest corner, metres
   * @param high its highest corner
   */
  IntStream around(double[] low, double[] high);
}
