package org.troupe.em3d.kernel;

import org.troupe.em3d.mesh.CurlWeights;

/** The curl kernel without vectors, for JVMs without the Vector API. */
final class ScalarCurl implements CurlKernel {

  private final String reason;

  /**
   * Creates the scalar kernel.
   *
   * @param reason why vectors are not used, for the report
   */
  ScalarCurl(String reason) {
    this.reason = reason;
  }

  @Override
  public String description() {
    return "scalar (" + reason + ")";
  }

  @Override
  public void add(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      CellValues factors,
      double[] source,
      double[] target) {
    double[] weight = weights.values();
    byte[] kinds = weights.kinds();
    for (int cell = from; cell < to; cell++) {
      int p = 4 * cell;
      int a = places[p];
      int b = places[p + 1];
      int c = places[p + 2];
      int d = places[p + 3];
      double dx = source[d];
      double dy = source[d + 1];
      double dz = source[d + 2];
      double ax = source[a] - dx;
      double ay = source[a + 1] - dy;
      double az = source[a + 2] - dz;
      double bx = source[b] - dx;
      double by = source[b + 1] - dy;
      double bz = source[b + 2] - dz;
      double cx = source[c] - dx;
      double cy = source[c + 1] - dy;
      double cz = source[c + 2] - dz;
      int w = 9 * (kinds == null ? cell : kinds[cell]);
      double nax = weight[w];
      double nay = weight[w + 1];
      double naz = weight[w + 2];
      double nbx = weight[w + 3];
      double nby = weight[w + 4];
      double nbz = weight[w + 5];
      double ncx = weight[w + 6];
      double ncy = weight[w + 7];
      double ncz = weight[w + 8];
      double factor = factors.at(cell);
      int t = 3 * cell;
      target[t] += factor * ((nay * az - naz * ay) + (nby * bz - nbz * by) + (ncy * cz - ncz * cy));
      target[t + 1] +=
          factor * ((naz * ax - nax * az) + (nbz * bx - nbx * bz) + (ncz * cx - ncx * cz));
      target[t + 2] +=
          factor * ((nax * ay - nay * ax) + (nbx * by - nby * bx) + (ncx * cy - ncy * cx));
    }
  }

  @Override
  public void addWithEnergy(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      CellValues factors,
      double[] e,
      double[] h,
      double[] volumes,
      CellValues epsilon,
      CellValues mu,
      CompensatedSum energy) {
    double[] weight = weights.values();
    byte[] kinds = weights.kinds();
    for (int start = from; start < to; start += BLOCK) {
      double sumX = 0;
      double sumY = 0;
      double sumZ = 0;
      for (int cell = start; cell < Math.min(start + BLOCK, to); cell++) {
        int p = 4 * cell;
        int a = places[p];
        int b = places[p + 1];
        int c = places[p + 2];
        int d = places[p + 3];
        double dx = e[d];
        double dy = e[d + 1];
        double dz = e[d + 2];
        double ax = e[a] - dx;
        double ay = e[a + 1] - dy;
        double az = e[a + 2] - dz;
        double bx = e[b] - dx;
        double by = e[b + 1] - dy;
        double bz = e[b + 2] - dz;
        double cx = e[c] - dx;
        double cy = e[c + 1] - dy;
        double cz = e[c + 2] - dz;
        int w = 9 * (kinds == null ? cell : kinds[cell]);
        double nax = weight[w];
        double nay = weight[w + 1];
        double naz = weight[w + 2];
        double nbx = weight[w + 3];
        double nby = weight[w + 4];
        double nbz = weight[w + 5];
        double ncx = weight[w + 6];
        double ncy = weight[w + 7];
        double ncz = weight[w + 8];
        double factor = factors.at(cell);
        int t = 3 * cell;
        double hx = h[t];
        double hy = h[t + 1];
        double hz = h[t + 2];
        double newX =
            hx + factor * ((nay * az - naz * ay) + (nby * bz - nbz * by) + (ncy * cz - ncz * cy));
        double newY =
            hy + factor * ((naz * ax - nax * az) + (nbz * bx - nbx * bz) + (ncz * cx - ncx * cz));
        double newZ =
            hz + factor * ((nax * ay - nay * ax) + (nbx * by - nby * bx) + (ncx * cy - ncy * cx));
        h[t] = newX;
        h[t + 1] = newY;
        h[t + 2] = newZ;
        double ex = e[t];
        double ey = e[t + 1];
        double ez = e[t + 2];
        double volume = volumes[cell];
        double eps = epsilon.at(cell);
        double m = mu.at(cell);
        sumX += volume * (eps * (ex * ex) + m * (hx * newX));
        sumY += volume * (eps * (ey * ey) + m * (hy * newY));
        sumZ += volume * (eps * (ez * ez) + m * (hz * newZ));
      }
      energy.add((sumX + sumY + sumZ) / 2);
    }
  }
}
