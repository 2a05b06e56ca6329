package org.troupe.transport.ibis;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Stress tests of {@link ReceiveBudget}: links never reserve more than the budget. */
public final class ReceiveBudgetStress {

  private ReceiveBudgetStress() {}

  /** Two links each reserve more than half of the budget: at most one of them succeeds. */
  @JCStressTest
  @Outcome(id = "true, false, 60", expect = ACCEPTABLE, desc = "the first link got it")
  @Outcome(id = "false, true, 60", expect = ACCEPTABLE, desc = "the second link got it")
  @Outcome(id = "false, false, 0", expect = ACCEPTABLE, desc = "each counted the other's attempt")
  @Outcome(expect = FORBIDDEN, desc = "too much is reserved, or memory for no link")
  @State
  public static class ReservedTwice {

    private final ReceiveBudget budget = new ReceiveBudget(100, Long.MAX_VALUE);

    @Actor
    public void first(ZZJ_Result r) {
      r.r1 = budget.tryReserve(60);
    }

    @Actor
    public void second(ZZJ_Result r) {
      r.r2 = budget.tryReserve(60);
    }

    @Arbiter
    public void look(ZZJ_Result r) {
      r.r3 = budget.reserved();
    }
  }
}
