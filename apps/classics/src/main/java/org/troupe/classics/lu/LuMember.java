package org.troupe.classics.lu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.groups.spmd.Spmd;
import org.troupe.serialization.Acyclic;
import org.troupe.serialization.Reused;

/** The blocks of one member. */
class LuMember {

  /*
   * One room for each block that comes from others serves all steps. What comes before the first
   * barrier of a step, that of the diagonal, is used until the second one; what comes before the
   * second, until the member comes to the first one of the next step.
   */

  private final BlockLayout layout;
  private double[][][][] own; // by row and column; null where others have it
  private final AtomicReference<double[][]> diagonal = new AtomicReference<>();
  private final AtomicReferenceArray<double[][]> left; // by row
  private final AtomicReferenceArray<double[][]> above; // by column

  public LuMember(BlockLayout layout) {
    this.layout = layout;
    left = new AtomicReferenceArray<>(layout.count());
    above = new AtomicReferenceArray<>(layout.count());
  }

  /** Takes its blocks as they are in the beginning. */
  void prepare() {
    own = layout.blocks(Spmd.here(LuMember.class).rank());
  }

  /** Factors the matrix, in step with the others. */
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
        BlockKernels.divideByUpper(own[i][k], corner);
        flushToRow(spmd, i, k, flushed);
      }
      if (own[k][i] != null) {
        BlockKernels.divideByLower(own[k][i], corner);
        flushToColumn(spmd, k, i, flushed);
      }
    }
    flushed.forEach(CompletableFuture::join);
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

  /** Sends a block to all that have others of its row. */
  private void flushToRow(
      Spmd<LuMember> spmd, int row, int column, List<CompletableFuture<Void>> flushed) {
    for (var other = 0; other < layout.columns(); other++) {
      flush(spmd, row, column, layout.owner(row, other), flushed);
    }
  }

  /** Sends a block to all that have others of its column. */
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

  /** Takes a block of another member, while this one factors. */
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

  /** Copies, as the block itself is the next call's. */
  private static double[][] copied(double[][] block, double[][] room) {
    var to = room == null ? new double[block.length][block.length] : room;
    for (var i = 0; i < block.length; i++) {
      System.arraycopy(block[i], 0, to[i], 0, block.length);
    }
    return to;
  }

  /** Returns its blocks, row by row. */
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
