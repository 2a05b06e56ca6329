package org.troupe.em3d.kernel;

import org.troupe.em3d.mesh.CurlWeights;

/**
 * The inner loop of the solver for linear functions: adds the discrete curl of one field to the
 * other.
 */
public final class LinearCurl {

  /*
   * A field F is given at the four vertices of a cell, and behind face f (opposite vertex f) by the values K_fa of the
   * neighbour at the face's three vertices a. With centred fluxes, for each test function, dF'/dt tested in the cell is
   *
   *   integral of curl F  +  sum over faces of the integral of n x (K_f - F)/2
   *
   * The functions are linear, so all integrals are exact: the mass matrix of the cell is V/20 (1 + delta), with inverse
   * 20/V (delta - 1/5); the mass matrix of a face is |N|/12 (1 + delta). With w_f = N_f/2V (the area vector over twice the volume), and
   * grad lambda_f = -2/3 w_f, the contribution of a face to vertex j is 1/3 (S + 5 J_j), where J_j = w_f x (K_fj - F_j) at its own
   * vertices, S is their sum, and J_f = -S for the vertex opposite. The w add up to zero, so most of F drops out; the
   * contribution that remains for vertex j is
   *
   *   1/3 ( c + 5 d_j )    c   = sum over f of w_f x (sum over a of K_fa  -  F_f)
   *                        d_j = sum over f of w_f x G_fj,  G_fj = K_fj,
   *                              but for j = f: (sum over a of F_a) - (sum over a of K_fa)
   *
   * The order of the terms is that of the cell's own vertices, so a cell gets the same bits in whichever sub-domain it
   * lies; LinearSequentialSolver adds in the same order. Places of ghosts are like those of vertices, so the loop has no branch.
   *
   * 177 ns of processor time per cell and step (E and H) at cube:17, 269 at cube:33, where ScalarCurl took 51 and 54, on
   * two busy virtual cores. The same loop by vectors, as VectorCurl has it, gave the same bits but took 1,400 ns: its
   * 150 vector operations are presumably more than the compiler inlines in one method, and those left make objects.
   */

  private LinearCurl() {}

  /**
   * {@code target += factors * curl source} for the cells from..to-1.
   *
   * @param places {@code [12 * cell + 3 * face + k]}: the index in the source of the vector behind
   *     vertex k of a face; vertices are in the cell's order
   * @param weights w of the first three faces
   * @param factors one third of each cell's factor of the curl
   * @param source {@code [12 * cell + 3 * vertex + axis]}, then ghosts
   * @param target alike
   */
  public static void add(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      double[] factors,
      double[] source,
      double[] target) {
    double[] weight = weights.values();
    for (int cell = from; cell < to; cell++) {
      int p = 12 * cell;
      int w = weights.place(cell);
      double w0x = weight[w];
      double w0y = weight[w + 1];
      double w0z = weight[w + 2];
      double w1x = weight[w + 3];
      double w1y = weight[w + 4];
      double w1z = weight[w + 5];
      double w2x = weight[w + 6];
      double w2y = weight[w + 7];
      double w2z = weight[w + 8];
      double w3x = -(w0x + w1x + w2x);
      double w3y = -(w0y + w1y + w2y);
      double w3z = -(w0z + w1z + w2z);
      double sumX = source[p] + source[p + 3] + source[p + 6] + source[p + 9];
      double sumY = source[p + 1] + source[p + 4] + source[p + 7] + source[p + 10];
      double sumZ = source[p + 2] + source[p + 5] + source[p + 8] + source[p + 11];

      int a = places[p];
      int b = places[p + 1];
      int c = places[p + 2];
      double ax = source[a];
      double ay = source[a + 1];
      double az = source[a + 2];
      double bx = source[b];
      double by = source[b + 1];
      double bz = source[b + 2];
      double cx = source[c];
      double cy = source[c + 1];
      double cz = source[c + 2];
      double kx = ax + bx + cx;
      double ky = ay + by + cy;
      double kz = az + bz + cz;
      double gx = kx - source[p];
      double gy = ky - source[p + 1];
      double gz = kz - source[p + 2];
      double allX = w0y * gz - w0z * gy;
      double allY = w0z * gx - w0x * gz;
      double allZ = w0x * gy - w0y * gx;
      gx = sumX - kx;
      gy = sumY - ky;
      gz = sumZ - kz;
      double d0x = w0y * gz - w0z * gy;
      double d0y = w0z * gx - w0x * gz;
      double d0z = w0x * gy - w0y * gx;
      double d1x = w0y * az - w0z * ay;
      double d1y = w0z * ax - w0x * az;
      double d1z = w0x * ay - w0y * ax;
      double d2x = w0y * bz - w0z * by;
      double d2y = w0z * bx - w0x * bz;
      double d2z = w0x * by - w0y * bx;
      double d3x = w0y * cz - w0z * cy;
      double d3y = w0z * cx - w0x * cz;
      double d3z = w0x * cy - w0y * cx;

      a = places[p + 3];
      b = places[p + 4];
      c = places[p + 5];
      ax = source[a];
      ay = source[a + 1];
      az = source[a + 2];
      bx = source[b];
      by = source[b + 1];
      bz = source[b + 2];
      cx = source[c];
      cy = source[c + 1];
      cz = source[c + 2];
      kx = ax + bx + cx;
      ky = ay + by + cy;
      kz = az + bz + cz;
      gx = kx - source[p + 3];
      gy = ky - source[p + 4];
      gz = kz - source[p + 5];
      allX += w1y * gz - w1z * gy;
      allY += w1z * gx - w1x * gz;
      allZ += w1x * gy - w1y * gx;
      gx = sumX - kx;
      gy = sumY - ky;
      gz = sumZ - kz;
      d0x += w1y * az - w1z * ay;
      d0y += w1z * ax - w1x * az;
      d0z += w1x * ay - w1y * ax;
      d1x += w1y * gz - w1z * gy;
      d1y += w1z * gx - w1x * gz;
      d1z += w1x * gy - w1y * gx;
      d2x += w1y * bz - w1z * by;
      d2y += w1z * bx - w1x * bz;
      d2z += w1x * by - w1y * bx;
      d3x += w1y * cz - w1z * cy;
      d3y += w1z * cx - w1x * cz;
      d3z += w1x * cy - w1y * cx;

      a = places[p + 6];
      b = places[p + 7];
      c = places[p + 8];
      ax = source[a];
      ay = source[a + 1];
      az = source[a + 2];
      bx = source[b];
      by = source[b + 1];
      bz = source[b + 2];
      cx = source[c];
      cy = source[c + 1];
      cz = source[c + 2];
      kx = ax + bx + cx;
      ky = ay + by + cy;
      kz = az + bz + cz;
      gx = kx - source[p + 6];
      gy = ky - source[p + 7];
      gz = kz - source[p + 8];
      allX += w2y * gz - w2z * gy;
      allY += w2z * gx - w2x * gz;
      allZ += w2x * gy - w2y * gx;
      gx = sumX - kx;
      gy = sumY - ky;
      gz = sumZ - kz;
      d0x += w2y * az - w2z * ay;
      d0y += w2z * ax - w2x * az;
      d0z += w2x * ay - w2y * ax;
      d1x += w2y * bz - w2z * by;
      d1y += w2z * bx - w2x * bz;
      d1z += w2x * by - w2y * bx;
      d2x += w2y * gz - w2z * gy;
      d2y += w2z * gx - w2x * gz;
      d2z += w2x * gy - w2y * gx;
      d3x += w2y * cz - w2z * cy;
      d3y += w2z * cx - w2x * cz;
      d3z += w2x * cy - w2y * cx;

      a = places[p + 9];
      b = places[p + 10];
      c = places[p + 11];
      ax = source[a];
      ay = source[a + 1];
      az = source[a + 2];
      bx = source[b];
      by = source[b + 1];
      bz = source[b + 2];
      cx = source[c];
      cy = source[c + 1];
      cz = source[c + 2];
      kx = ax + bx + cx;
      ky = ay + by + cy;
      kz = az + bz + cz;
      gx = kx - source[p + 9];
      gy = ky - source[p + 10];
      gz = kz - source[p + 11];
      allX += w3y * gz - w3z * gy;
      allY += w3z * gx - w3x * gz;
      allZ += w3x * gy - w3y * gx;
      gx = sumX - kx;
      gy = sumY - ky;
      gz = sumZ - kz;
      d0x += w3y * az - w3z * ay;
      d0y += w3z * ax - w3x * az;
      d0z += w3x * ay - w3y * ax;
      d1x += w3y * bz - w3z * by;
      d1y += w3z * bx - w3x * bz;
      d1z += w3x * by - w3y * bx;
      d2x += w3y * cz - w3z * cy;
      d2y += w3z * cx - w3x * cz;
      d2z += w3x * cy - w3y * cx;
      d3x += w3y * gz - w3z * gy;
      d3y += w3z * gx - w3x * gz;
      d3z += w3x * gy - w3y * gx;

      double factor = factors[cell];
      target[p] += factor * (allX + 5 * d0x);
      target[p + 1] += factor * (allY + 5 * d0y);
      target[p + 2] += factor * (allZ + 5 * d0z);
      target[p + 3] += factor * (allX + 5 * d1x);
      target[p + 4] += factor * (allY + 5 * d1y);
      target[p + 5] += factor * (allZ + 5 * d1z);
      target[p + 6] += factor * (allX + 5 * d2x);
      target[p + 7] += factor * (allY + 5 * d2y);
      target[p + 8] += factor * (allZ + 5 * d2z);
      target[p + 9] += factor * (allX + 5 * d3x);
      target[p + 10] += factor * (allY + 5 * d3y);
      target[p + 11] += factor * (allZ + 5 * d3z);
    }
  }
}
