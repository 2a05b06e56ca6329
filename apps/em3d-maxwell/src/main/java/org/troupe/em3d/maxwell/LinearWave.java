package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.troupe.em3d.physics.SourcePulse;

/**
 * The contribution of a plane wave to one field that is linear in each cell, through the absorbing
 * faces. On a face, the wave is interpolated linearly between the three vertices.
 *
 * @param pulse f
 * @param cells in front of the faces, ascending; a cell with two such faces is listed twice
 * @param faces for each of these cells, the vertex opposite the face
 * @param delays three for each face (m), of its vertices in the cell's order
 * @param vectors the contribution of a wave that is uniform in the cell to the time derivative,
 *     divided by f: {@code [3 * k + axis]}
 */
record LinearWave(SourcePulse pulse, int[] cells, int[] faces, double[] delays, double[] vectors) {

  void add(int from, int to, double time, double dt, double[] field) {
    for (int k = first(from); k < cells.length && cells[k] < to; k++) {
      double a = pulse.at(time - delays[3 * k]);
      double b = pulse.at(time - delays[3 * k + 1]);
      double c = pulse.at(time - delays[3 * k + 2]);
      double sum = a + b + c;
      int face = faces[k];
      for (int vertex = 0; vertex < 4; vertex++) {
        int among = vertex < face ? vertex : vertex - 1;
        double own = vertex == face ? -sum : among == 0 ? a : among == 1 ? b : c;
        double strength = dt * (sum + 5 * own) / 3; // see LinearCurl
        int t = 12 * cells[k] + 3 * vertex;
        field[t] += strength * vectors[3 * k];
        field[t + 1] += strength * vectors[3 * k + 1];
        field[t + 2] += strength * vectors[3 * k + 2];
      }
    }
  }

  private int first(int from) {
    int found = Arrays.binarySearch(cells, from);
    if (found < 0) {
      return -1 - found;
    }
    while (found > 0 && cells[found - 1] == from) {
      found--;
    }
    return found;
  }
}
