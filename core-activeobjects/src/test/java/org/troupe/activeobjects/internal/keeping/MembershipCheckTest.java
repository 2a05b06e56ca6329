package org.troupe.activeobjects.internal.keeping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.WaitCycleException;

/** The failures for which the coordinator is asked whether the grid ends. */
class MembershipCheckTest {

  @Test
  void lossesCountHoweverTheyAreWrapped() {
    var lost = new NodeLostException("node 'main' is gone");
    assertThat(
            List.<Throwable>of(
                lost,
                new IllegalStateException(lost),
                new ObjectTerminatedException("it has ended"),
                new RestartedException("it is made anew"),
                new RemoteFailure("its class is unknown", null, null)))
        .allMatch(MembershipCheck::mayBeLoss);
    var cycle = new WaitCycleException("these waits could never end");
    cycle.initCause(lost);
    assertThat(cycle).matches(MembershipCheck::mayBeLoss);
  }

  @Test
  void failuresThatNoLossCausesDoNotCount() {
    var none =
        List.<CallException>of(
            new CallTimeoutException("late"),
            new OverloadedException("full"),
            new UnsuitableClassException("final"),
            new WaitCycleException("these waits could never end"));
    assertThat(none).noneMatch(MembershipCheck::mayBeLoss);
    assertThat(none).noneMatch(each -> MembershipCheck.mayBeLoss(new RuntimeException(each)));
    assertThat(new IllegalStateException("of the method")).matches(each -> !mayBeLoss(each));
  }

  private static boolean mayBeLoss(Throwable failure) {
    return MembershipCheck.mayBeLoss(failure);
  }
}
