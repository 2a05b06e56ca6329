package org.troupe.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import ibis.satin.Spawnable;
import ibis.satin.WriteMethodsInterface;
import java.util.Random;

interface BoundInterface extends WriteMethodsInterface {
  void lower(int length);
}

/** The shortest length known, on each node. */
final class Bound extends SharedObject implements BoundInterface {
  private static final long serialVersionUID = 1;
  private int length = Integer.MAX_VALUE;

  @Override
  public void lower(int shorter) {
    if (shorter < length) {
      length = shorter;
    }
  }

  int length() {
    return length;
  }
}

interface TspInterface extends Spawnable {
  int tour(int[][] distances, int[] path, int hops, int length, Bound bound);
}

/** The travelling salesman by branch and bound; the bound is a shared object. */
public class Tsp extends SatinObject implements TspInterface {
  private static final long serialVersionUID = 1;
  private static final int SPAWN_HOPS = 3;

  static boolean contains(int[] path, int hops, int city) {
    for (int i = 0; i < hops; i++) {
      if (path[i] == city) {
        return true;
      }
    }
    return false;
  }

  static int sequential(int[][] distances, int[] path, int hops, int length, Bound bound) {
    if (length >= bound.length()) {
      return Integer.MAX_VALUE;
    }
    if (hops == path.length) {
      int whole = length + distances[path[hops - 1]][path[0]];
      if (whole < bound.length()) {
        bound.lower(whole);
      }
      return whole;
    }
    int best = Integer.MAX_VALUE;
    for (int city = 0; city < path.length; city++) {
      if (!contains(path, hops, city)) {
        path[hops] = city;
        best =
            Math.min(
                best,
                sequential(
                    distances, path, hops + 1, length + distances[path[hops - 1]][city], bound));
      }
    }
    return best;
  }

  @Override
  public int tour(int[][] distances, int[] path, int hops, int length, Bound bound) {
    if (hops >= SPAWN_HOPS || hops == path.length) {
      return sequential(distances, path.clone(), hops, length, bound);
    }
    int[] lengths = new int[path.length];
    int jobs = 0;
    for (int city = 0; city < path.length; city++) {
      if (!contains(path, hops, city)) {
        int[] longer = path.clone();
        longer[hops] = city;
        lengths[jobs++] =
            tour(distances, longer, hops + 1, length + distances[path[hops - 1]][city], bound);
      }
    }
    sync();
    int best = Integer.MAX_VALUE;
    for (int i = 0; i < jobs; i++) {
      best = Math.min(best, lengths[i]);
    }
    return best;
  }

  /** The shortest tour by dynamic programming over sets of cities. */
  static int check(int[][] distances) {
    int n = distances.length;
    int[][] best = new int[1 << n][n];
    for (int[] row : best) {
      java.util.Arrays.fill(row, Integer.MAX_VALUE / 2);
    }
    best[1][0] = 0;
    for (int set = 1; set < 1 << n; set += 2) {
      for (int last = 0; last < n; last++) {
        for (int next = 1; next < n; next++) {
          if ((set >> next & 1) == 0) {
            int with = set | 1 << next;
            best[with][next] = Math.min(best[with][next], best[set][last] + distances[last][next]);
          }
        }
      }
    }
    int shortest = Integer.MAX_VALUE;
    for (int last = 1; last < n; last++) {
      shortest = Math.min(shortest, best[(1 << n) - 1][last] + distances[last][0]);
    }
    return shortest;
  }

  public static void main(String[] args) {
    int n = CheckedResult.size(args, 9, 2, 14);
    Random random = new Random(7);
    int[] x = new int[n];
    int[] y = new int[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextInt(1000);
      y[i] = random.nextInt(1000);
    }
    int[][] distances = new int[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        distances[i][j] = (int) Math.hypot(x[i] - x[j], y[i] - y[j]);
      }
    }
    Bound bound = new Bound();
    bound.exportObject();
    Tsp tsp = new Tsp();
    int result = tsp.tour(distances, new int[n], 1, 0, bound);
    tsp.sync();
    // The bound here may lag behind that of the node which has found the tour.
    CheckedResult.print(n + " cities: " + result, result == check(distances));
  }
}
