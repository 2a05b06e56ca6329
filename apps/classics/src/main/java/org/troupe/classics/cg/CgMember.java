package org.troupe.classics.cg;

import org.troupe.groups.spmd.Spmd;

/** The part of one member. */
class CgMember {

  private final NasProblemClass problem;
  private final MatrixDecomposition decomposition;
  private LinearOperator part;
  private PowerMethod.Answer answer;

  public CgMember(NasProblemClass problem, MatrixDecomposition decomposition) {
    this.problem = problem;
    this.decomposition = decomposition;
  }

  /** Makes its part of the matrix, if it has none yet. */
  void prepare() {
    if (part == null) {
      var spmd = Spmd.here(CgMember.class);
      part =
          switch (decomposition) {
            case rows -> new MatrixRows(problem, spmd);
            case blocks -> new MatrixBlock(problem, spmd);
          };
    }
  }

  /** Solves the problem, together with all others. */
  void solve() {
    answer = new PowerMethod(part).run(problem);
  }

  PowerMethod.Answer answer() {
    return answer;
  }
}
