package ibis.mpj;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadTest {

  @Test
  void exchangeByTheirTags() throws MPJException {
    Ranks.runEachWay(
        2,
        rank -> {
          var failures = new ConcurrentLinkedQueue<Throwable>();
          var threads = new Thread[4];
          for (var t = 0; t < threads.length; t++) {
            var tag = t;
            threads[t] =
                new Thread(
                    () -> {
                      try {
                        exchange(rank, tag);
                      } catch (Throwable e) {
                        failures.add(e);
                      }
                    });
            threads[t].start();
          }
          for (var each : threads) {
            each.join();
          }
          assertThat(failures).isEmpty();
        });
  }

  private static void exchange(int rank, int tag) throws MPJException {
    for (var i = 0; i < 300; i++) {
      var size = i % 50 == 0 ? 30_000 : i % 7;
      var out = new int[size];
      java.util.Arrays.fill(out, tag * 1000 + i);
      var in = new int[size];
      MPJ.COMM_WORLD.sendrecv(
          out, 0, size, MPJ.INT, 1 - rank, tag, in, 0, size, MPJ.INT, 1 - rank, tag);
      assertThat(java.util.Arrays.equals(in, out)).isTrue();
    }
  }
}
