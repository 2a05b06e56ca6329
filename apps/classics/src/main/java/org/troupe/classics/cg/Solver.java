package org.troupe.classics.cg;

import org.troupe.groups.spmd.Spmd;

/** The part of one member. */
class Solver {

  private final Problem problem;
  private final Decomposition decomposition;
  private Operator part;
  private PowerMethod.Answer answer;

  public Solver(Problem problem, Decomposition decomposition) {
    this.problem = problem;
    this.decomposition = decomposition;
  }

  /** Makes its part of the matrix, if it has none yet. */
  void prepare() {
    if (part == null) {
      var spmd = Spmd.here(Solver.class);
      part =
          switch (decomposition) {
            case rows -> new Rows(problem, spmd);
            case blocks -> new Blocks(problem, spmd);
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
