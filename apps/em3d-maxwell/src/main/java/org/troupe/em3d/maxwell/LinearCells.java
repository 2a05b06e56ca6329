package org.troupe.em3d.maxwell;

import org.troupe.em3d.mesh.CellCorners;
import org.troupe.em3d.mesh.PartMesh;

/**
 * The geometry that linear functions need: the coordinates of the cells' vertices, and which
 * vertices of neighbours coincide.
 */
final class LinearCells {

  private final PartMesh mesh;
  private final CellCorners corners;
  private final int[] wallFaces; // for each wall face: the opposite vertex of its cell
  private final int[] borderFaces; // likewise for border faces
  private final int[]
      borderOrders; // for each border face: which of its vertices are first, second and third in

  // the message

  LinearCells(PartMesh mesh, CellCorners corners) {
    this.mesh = mesh;
    this.corners = corners;
    wallFaces = new int[mesh.wallCells().length];
    borderFaces = new int[mesh.borderCells().length];
    borderOrders = new int[3 * borderFaces.length];
    for (int k = 0; k < 4 * mesh.cells(); k++) {
      int slot = mesh.neighbourPlaces()[k] / 3;
      if (slot >= mesh.firstBorderGhost()) {
        borderFaces[slot - mesh.firstBorderGhost()] = k % 4;
      } else if (slot >= mesh.cells()) {
        wallFaces[slot - mesh.cells()] = k % 4;
      }
    }
    for (int face = 0; face < borderFaces.length; face++) {
      orderVertices(face);
    }
  }

  /** Orders the vertices of a border face by their coordinates, which both sides know exactly. */
  private void orderVertices(int face) {
    int cell = mesh.borderCells()[face];
    int opposite = borderFaces[face];
    for (int k = 0; k < 3; k++) {
      int before = 0;
      for (int other = 0; other < 3; other++) {
        if (isBefore(cell, vertexOfFace(opposite, other), vertexOfFace(opposite, k))) {
          before++;
        }
      }
      borderOrders[3 * face + before] = k;
    }
  }

  private boolean isBefore(int cell, int a, int b) {
    for (int axis = 0; axis < 3; axis++) {
      double difference = coordinate(cell, a, axis) - coordinate(cell, b, axis);
      if (difference != 0) {
        return difference < 0;
      }
    }
    return false;
  }

  /** Returns vertex k of the face opposite a vertex; vertices are in the cell's order. */
  static int vertexOfFace(int opposite, int k) {
    return k < opposite ? k : k + 1;
  }

  /** Returns the vertex opposite a wall face. */
  int wallFace(int wall) {
    return wallFaces[wall];
  }

  /** Returns the coordinates of a cell's vertices, metres: {@code [3 * vertex + axis]}. */
  double[] vertices(int cell) {
    double[] x = new double[12];
    for (int k = 0; k < x.length; k++) {
      x[k] = coordinate(cell, k / 3, k % 3);
    }
    return x;
  }

  private double coordinate(int cell, int vertex, int axis) {
    return corners.coordinates()[3 * corners.vertices()[4 * cell + vertex] + axis];
  }

  /**
   * Returns the places for the kernel {@code LinearCurl}: the index of the vector behind each
   * vertex of each face. A ghost has three vectors, one for each vertex of its face.
   */
  int[] places() {
    int[] places = new int[12 * mesh.cells()];
    for (int cell = 0; cell < mesh.cells(); cell++) {
      for (int face = 0; face < 4; face++) {
        int slot = mesh.neighbourPlaces()[4 * cell + face] / 3;
        for (int k = 0; k < 3; k++) {
          places[12 * cell + 3 * face + k] = place(cell, face, slot, k);
        }
      }
    }
    for (int face = 0; face < borderFaces.length; face++) {
      int ghost = borderGhost(face);
      int at = 12 * mesh.borderCells()[face] + 3 * borderFaces[face];
      for (int k = 0; k < 3; k++) {
        places[at + borderOrders[3 * face + k]] = ghost + 3 * k;
      }
    }
    return places;
  }

  private int place(int cell, int face, int slot, int k) {
    if (slot >= mesh.cells()) {
      return ghost(slot) + 3 * k; // for a border face, places() corrects the order
    }
    int vertex = corners.vertices()[4 * cell + vertexOfFace(face, k)];
    for (int other = 0; other < 4; other++) {
      if (corners.vertices()[4 * slot + other] == vertex) {
        return 12 * slot + 3 * other;
      }
    }
    throw new IllegalStateException(
        "cells %d and %d of sub-domain %d do not share a face".formatted(cell, slot, mesh.rank()));
  }

  private int ghost(int slot) {
    return 12 * mesh.cells() + 9 * (slot - mesh.cells());
  }

  /** Returns the index of the first of the three vectors of a border ghost. */
  int borderGhost(int face) {
    return ghost(mesh.firstBorderGhost() + face);
  }

  /** Returns the places of the vectors that are sent to neighbours: three for each border face. */
  int[] borderPlaces() {
    int[] places = new int[3 * borderFaces.length];
    for (int face = 0; face < borderFaces.length; face++) {
      for (int k = 0; k < 3; k++) {
        int vertex = vertexOfFace(borderFaces[face], borderOrders[3 * face + k]);
        places[3 * face + k] = 12 * mesh.borderCells()[face] + 3 * vertex;
      }
    }
    return places;
  }

  /** Returns the length of a field array, ghosts included. */
  int fieldLength() {
    return ghost(mesh.slots());
  }
}
