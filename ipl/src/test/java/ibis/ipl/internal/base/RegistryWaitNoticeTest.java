package ibis.ipl.internal.base;

import static ibis.ipl.TestPool.CLOSED;
import static ibis.ipl.internal.Instances.result;
import static ibis.ipl.internal.Instances.start;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import ibis.ipl.Ibis;
import ibis.ipl.IbisProperties;
import ibis.ipl.TestPool;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;

/** Calls of a registry that wait for ever, and print what for. */
@Timeout(60)
class RegistryWaitNoticeTest {

  private final long before = WaitNotice.afterMillis;
  @AutoClose private final TestPool pool = new TestPool().with(IbisProperties.POOL_SIZE, "2");

  RegistryWaitNoticeTest() throws IOException {
    WaitNotice.afterMillis = 20;
  }

  @AfterEach
  void restore() {
    WaitNotice.afterMillis = before;
  }

  @Test
  void isPrintedByAnElectionThatNobodyStandsFor(LogRecords records) throws Exception {
    Ibis member = pool.join(CLOSED);
    var waiting = start(() -> member.registry().getElectionResult("leader"));

    assertThat(records.expect(WARNING, "getElectionResult in pool 'pool'"))
        .contains("elect(\"leader\")");
    member.registry().elect("leader");
    assertThat(result(waiting)).isEqualTo(member.identifier());
  }

  @Test
  void isPrintedByAPoolThatIsNotComplete(LogRecords records) throws Exception {
    Ibis member = pool.join(CLOSED);
    var waiting =
        start(
            () -> {
              member.registry().waitUntilPoolClosed();
              return true;
            });

    records.expect(WARNING, "waitUntilPoolClosed of pool 'pool' waits: 1 of 2 members have joined");
    pool.join(CLOSED);
    assertThat(result(waiting)).isTrue();
  }
}
