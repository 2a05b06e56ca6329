package org.troupe.groups.snippets;

import java.util.List;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The code samples of the Javadoc of SPMD groups. They are compiled, not run. */
final class SpmdSnippets {

  private SpmdSnippets() {}

  /** What members tell each other. */
  record Found(String sequence) {}

  // @start region="member"
  /** A member that computes with its neighbours. */
  static class Solver {
    double step(double dt) {
      Spmd<Solver> spmd = Spmd.here(Solver.class);
      spmd.topology().ring().right().ifPresent(right -> right.border(edge()));
      return spmd.allReduce(energy(dt), Operation.SUM);
    }

    void border(double[] values) {
      // @end
      assert values.length > 0;
    }

    private double[] edge() {
      return new double[] {1};
    }

    private double energy(double dt) {
      return dt;
    }
  }

  static double onObjects(Spmd<Solver> spmd, String file, List<List<String>> byOwner) {
    int rank = spmd.rank();
    double error = rank;
    // @start region="objects"
    String mesh = spmd.broadcast(0, rank == 0 ? read(file) : null); // from member 0 to all
    String part = spmd.scatter(0, rank == 0 ? cut(mesh) : null); // one part for each member
    List<Integer> atFirst = spmd.gather(0, part.length()); // of all members, at member 0
    List<Integer> lengths = spmd.allGather(part.length()); // of all members, at each
    List<List<String>> mine = spmd.allToAll(byOwner); // one part from each member
    double largest = spmd.reduce(0, error, Operation.MAX); // combined, at member 0
    double total = spmd.allReduce(error, Operation.SUM); // combined, at each
    long upTo = spmd.scan(lengths.get(rank), Operation.SUM); // of all ranks up to this one
    // @end
    return largest + total + upTo + mine.size() + (atFirst == null ? 0 : 1);
  }

  static void onArrays(Spmd<Solver> spmd, double[] forces, double[] part, double[] whole) {
    // @start region="arrays"
    spmd.allReduce(Slice.of(forces), Operation.SUM); // element by element, in place
    spmd.allGather(Slice.of(part), Slice.of(whole)); // parts in rank order
    // @end
  }

  static void groups(Spmd<Solver> spmd, int width, List<Solver> joiners) {
    int rank = spmd.rank();
    // @start region="groups"
    spmd.barrier(); // later requests wait until all members are here
    Spmd<Solver> row = spmd.split(rank / width); // the members with equal numbers
    Spmd<Solver> left = spmd.survivors(); // the members that are not lost
    Spmd<Solver> more = spmd.reconfigure(joiners); // with more members
    // @end
    assert row != null && left != null && more != null;
  }

  static Found toOne(Spmd<Solver> spmd, double[] lastRow, double[] rowAbove, double[] rowBelow) {
    int rank = spmd.rank();
    int left = rank - 1;
    int right = rank + 1;
    // @start region="point-to-point"
    spmd.send(right, Slice.of(lastRow)); // returns at once
    spmd.receive(right, Slice.of(rowBelow)); // waits
    spmd.exchange(right, Slice.of(lastRow), left, Slice.of(rowAbove)); // both at the same time
    spmd.send(0, new Found("abs")); // any object
    Found found = spmd.receive(1);
    // @end
    return found;
  }

  private static String read(String file) {
    return file;
  }

  private static List<String> cut(String mesh) {
    return List.of(mesh);
  }
}
