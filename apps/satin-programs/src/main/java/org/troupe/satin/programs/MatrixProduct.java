package org.troupe.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;
import java.io.Serializable;
import java.util.Random;

/** A square matrix as a tree of quadrants. */
class Quadrants implements Serializable {
  private static final long serialVersionUID = 1;
  Quadrants a;
  Quadrants b;
  Quadrants c;
  Quadrants d;
  double[] leaf;

  Quadrants(int depth, int leafSize) {
    if (depth == 0) {
      leaf = new double[leafSize * leafSize];
    } else {
      a = new Quadrants(depth - 1, leafSize);
      b = new Quadrants(depth - 1, leafSize);
      c = new Quadrants(depth - 1, leafSize);
      d = new Quadrants(depth - 1, leafSize);
    }
  }

  void fill(Random random) {
    if (leaf == null) {
      a.fill(random);
      b.fill(random);
      c.fill(random);
      d.fill(random);
    } else {
      for (int i = 0; i < leaf.length; i++) {
        leaf[i] = random.nextInt(10);
      }
    }
  }

  double get(int row, int column, int size) {
    if (leaf != null) {
      return leaf[row * size + column];
    }
    int half = size / 2;
    Quadrants part = row < half ? (column < half ? a : b) : column < half ? c : d;
    return part.get(row % half, column % half, half);
  }

  Quadrants plus(Quadrants other) {
    if (leaf == null) {
      a = a.plus(other.a);
      b = b.plus(other.b);
      c = c.plus(other.c);
      d = d.plus(other.d);
    } else {
      for (int i = 0; i < leaf.length; i++) {
        leaf[i] += other.leaf[i];
      }
    }
    return this;
  }

  static Quadrants leafProduct(Quadrants x, Quadrants y) {
    int n = (int) Math.sqrt(x.leaf.length);
    Quadrants z = new Quadrants(0, n);
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
          z.leaf[i * n + j] += x.leaf[i * n + k] * y.leaf[k * n + j];
        }
      }
    }
    return z;
  }
}

interface MatrixProductInterface extends Spawnable {
  Quadrants multiply(Quadrants x, Quadrants y, int depth);
}

/** The product of two matrices by eight products of quadrants; results go to fields of objects. */
public class MatrixProduct extends SatinObject implements MatrixProductInterface {
  private static final long serialVersionUID = 1;

  @Override
  public Quadrants multiply(Quadrants x, Quadrants y, int depth) {
    if (depth == 0) {
      return Quadrants.leafProduct(x, y);
    }
    Quadrants first = new Quadrants(0, 1);
    Quadrants second = new Quadrants(0, 1);
    first.leaf = null;
    second.leaf = null;
    first.a = multiply(x.a, y.a, depth - 1);
    second.a = multiply(x.b, y.c, depth - 1);
    first.b = multiply(x.a, y.b, depth - 1);
    second.b = multiply(x.b, y.d, depth - 1);
    first.c = multiply(x.c, y.a, depth - 1);
    second.c = multiply(x.d, y.c, depth - 1);
    first.d = multiply(x.c, y.b, depth - 1);
    second.d = multiply(x.d, y.d, depth - 1);
    sync();
    return first.plus(second);
  }

  public static void main(String[] args) {
    int depth = CheckedResult.size(args, 2, 0, 8);
    int leafSize = 8;
    int size = leafSize << depth;
    Random random = new Random(1);
    Quadrants x = new Quadrants(depth, leafSize);
    Quadrants y = new Quadrants(depth, leafSize);
    x.fill(random);
    y.fill(random);
    MatrixProduct m = new MatrixProduct();
    Quadrants z = m.multiply(x, y, depth);
    m.sync();
    boolean right = true;
    for (int i = 0; i < size && right; i++) {
      for (int j = 0; j < size && right; j++) {
        double sum = 0;
        for (int k = 0; k < size; k++) {
          sum += x.get(i, k, size) * y.get(k, j, size);
        }
        right = sum == z.get(i, j, size); // whole numbers, so exact
      }
    }
    CheckedResult.print("product of two matrices of " + size, right);
  }
}
