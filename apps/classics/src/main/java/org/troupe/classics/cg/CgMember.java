package org.troupe.classics.cg;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.spmd.Spmd;

/** A member with its part of the matrix. */
class CgMember {

  private final NasProblemClass problem;
  private final MatrixDecomposition decomposition;
  private @Nullable LinearOperator part;

  @SuppressWarnings("NullAway.Init") // solve() sets it before answer() is called
  private PowerMethod.Answer answer;

  public CgMember(NasProblemClass problem, MatrixDecomposition decomposition) {
    this.problem = problem;
    this.decomposition = decomposition;
  }

  /** Generates this member's part of the matrix, unless an earlier round has. */
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

  /** Solves the problem together with the other members. */
  void solve() {
    answer =
        new PowerMethod(Objects.requireNonNull(part, "prepare() has been called")).run(problem);
  }

  PowerMethod.Answer answer() {
    return answer;
  }
}
