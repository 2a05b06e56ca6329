package org.troupe.dashboard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.pages.PageAnswer;

/** The answer to a request of Prometheus: the metrics of a run at this moment. */
final class MetricsAnswer {

  private MetricsAnswer() {}

  /**
   * Asks a run for one round of all its rows.
   *
   * @param counted those of earlier answers
   * @throws IOException if its program does not answer
   */
  static PageAnswer of(ShownRun run, CountedRows counted) throws IOException {
    List<WatchRecord> records = new ArrayList<>();
    run.watch(
        1,
        "",
        "",
        true,
        new PageAnswer.LineSink() {
          @Override
          public boolean send(String line) {
            WatchCodec.record(line).ifPresent(records::add);
            return true;
          }

          @Override
          public boolean flush() {
            return true;
          }
        });
    return new PageAnswer.Body(
        200,
        MetricsText.TYPE,
        GridMetrics.of(counted.with(records)).getBytes(StandardCharsets.UTF_8));
  }
}
