package org.troupe.benchmarks.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DistantAppsBenchmarkTest {

  @Test
  void notesTrafficAndTheSequentialTime() throws IOException {
    var run = AppRun.of("{\"messages\": 4006, \"bytes\": 18659328, \"baseSeconds\": 0.5}");
    assertThat(DistantAppsBenchmark.note(run))
        .isEqualTo("4006 messages; 18222 KiB; sequential 0.50 s");
  }

  @Test
  void notesTheTimeOfEachMessageSize() throws IOException {
    var run =
        AppRun.of(
            """
            {"messages": 20, "bytes": 2048, "baseSeconds": null,
             "rates": [{"doubles": 1, "micros": 20100.4}, {"doubles": 1000, "micros": 21000}]}
            """);
    assertThat(DistantAppsBenchmark.note(run))
        .isEqualTo("20 messages; 2 KiB; double[1] in 20100 us; double[1000] in 21000 us");
  }
}
