package org.troupe.classics.lu;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.groups.spmd.Spmd;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;

/** A member with its blocks of the matrix. */
class LuMember {

  /*
   * Why one buffer per received block suffices for all steps. The diagonal block arrives before the
   * first barrier of a step and is used until the second one. The other blocks arrive before the second
   * barrier and are used until the member enters the first barrier of the next step.
   */

  private final BlockLayout layout;

  @SuppressWarnings("NullAway.Init") // prepare() sets it before factor() is called
  private double[][][][] own; // by row and column; null for blocks of other members

  private final AtomicReference<double @Nullable [][]> diagonal = new AtomicReference<>();
  private final AtomicReferenceArray<double[][]> left; // by row
  private final AtomicReferenceArray<double[][]> above; // by column

  public LuMember(BlockLayout layout) {
    this.layout = layout;
    left = new AtomicReferenceArray<>(layout.count());
    above = new AtomicReferenceArray<>(layout.count());
  }

  /** Generates this member's blocks of the matrix. */
  void prepare() {
    own = layout.blocks(Spmd.here(LuMember.class).rank());
  }

  /** Factors the matrix, in step with the other members. */
  void factor() {
    var spmd = Spmd.here(LuMember.class);
    for (var k = 0; k < layout.count(); k++) {
      diagonal(spmd, k);
      spmd.barrier().join();
      perimeter(spmd, k);
      spmd.barrier().join();
      interior(k);
    }
  }

  private void diagonal(Spmd<LuMember> spmd, int k) {
    if (own[k][k] != null) {
      BlockKernels.factor(own[k][k]);
      var flushed = new ArrayList<CompletableFuture<Void>>();
      flushToRow(spmd, k, k, flushed);
      flushToColumn(spmd, k, k, flushed);
      flushed.forEach(CompletableFuture::join);
    }
  }

  private void perimeter(Spmd<LuMember> spmd, int k) {
    var corner = own[k][k] == null ? diagonal.get() : own[k][k];
    var flushed = new ArrayList<CompletableFuture<Void>>();
    for (var i = k + 1; i < layout.count(); i++) {
      if (own[i][k] != null) {
        BlockKernels.divideByUpper(own[i][k], arrived(corner));
        flushToRow(spmd, i, k, flushed);
      }
      if (own[k][i] != null) {
        BlockKernels.divideByLower(own[k][i], arrived(corner));
        flushToColumn(spmd, k, i, flushed);
      }
    }
    flushed.forEach(CompletableFuture::join);
  }

  private static double[][] arrived(double @Nullable [][] diagonal) {
    return Objects.requireNonNull(diagonal, "the diagonal block precedes the barrier");
  }

  private void interior(int k) {
    for (var i = k + 1; i < layout.count(); i++) {
      var factor = own[i][k] == null ? left.get(i) : own[i][k];
      for (var j = k + 1; j < layout.count(); j++) {
        if (own[i][j] != null) {
          BlockKernels.subtract(own[i][j], factor, own[k][j] == null ? above.get(j) : own[k][j]);
        }
      }
    }
  }

  /** Sends a block to all other members with blocks in its row. */
  private void flushToRow(
      Spmd<LuMember> spmd, int row, int column, List<CompletableFuture<Void>> flushed) {
    for (var other = 0; other < layout.columns(); other++) {
      flush(spmd, row, column, layout.owner(row, other), flushed);
    }
  }

  /** Sends a block to all other members with blocks in its column. */
  private void flushToColumn(
      Spmd<LuMember> spmd, int row, int column, List<CompletableFuture<Void>> flushed) {
    for (var other = 0; other < layout.rows(); other++) {
      flush(spmd, row, column, layout.owner(other, column), flushed);
    }
  }

  private void flush(
      Spmd<LuMember> spmd, int row, int column, int to, List<CompletableFuture<Void>> flushed) {
    if (to != spmd.rank()) {
      var block = own[row][column];
      flushed.add(
          ActiveObjects.ref(spmd.member(to)).tell(member -> member.flush(row, column, block)));
    }
  }

  /** Receives a block of another member while this one factors. */
  @Immediate
  void flush(int row, int column, @Acyclic @Reused double[][] block) {
    if (row == column) {
      diagonal.set(copied(block, diagonal.get()));
    } else if (row > column) {
      left.set(row, copied(block, left.get(row)));
    } else {
      above.set(column, copied(block, above.get(column)));
    }
  }

  /**
   * Returns a copy, since the next call reuses the block itself.
   *
   * @param target an earlier copy to overwrite, or null
   */
  private static double[][] copied(double[][] block, double @Nullable [][] target) {
    var to = target == null ? new double[block.length][block.length] : target;
    for (var i = 0; i < block.length; i++) {
      System.arraycopy(block[i], 0, to[i], 0, block.length);
    }
    return to;
  }

  /** Returns this member's blocks, row by row. */
  List<double[][]> blocks() {
    List<double[][]> blocks = new ArrayList<>();
    for (var row : own) {
      for (var block : row) {
        if (block != null) {
          blocks.add(block);
        }
      }
    }
    return blocks;
  }
}
