package org.troupe.benchmarks.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AppRunTest {

  private static final String REPORT =
      """
      {"program": "alltoall", "nodes": 2, "seconds": 1.5, "baseSeconds": null,
       "rates": [{"doubles": 1, "micros": 20.5}, {"doubles": 1000, "micros": 31}]}
      """;

  private final AppRun run = AppRun.of(REPORT);

  @Test
  void readsItsFigures() throws IOException {
    assertThat(run.figure("seconds")).isEqualTo(1.5);
    assertThat(run.nodes()).isEqualTo(2);
    assertThat(run.micros()).isEqualTo(Map.of(1, 20.5, 1000, 31.0));
  }

  @Test
  void givesAllRoundsOrTheirMedian() throws IOException {
    assertThat(run.rounds()).containsExactly(1.5);
    assertThat(AppRun.of("{\"seconds\": 2, \"rounds\": [1, 2, 3]}").rounds())
        .containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void namesAMissingFigure() {
    assertThat(run.has("baseSeconds")).isFalse();
    assertThatThrownBy(() -> run.figure("baseSeconds"))
        .isInstanceOf(IOException.class)
        .hasMessage("the report of alltoall has no baseSeconds");
  }

  @Test
  void listsTheProgramsOfTheirJar() throws IOException {
    assertThat(AppList.read())
        .contains(new AppList.App("sor", "org.troupe.classics.sor.Sor"))
        .extracting(AppList.App::name)
        .doesNotContain("em3d");
  }
}
