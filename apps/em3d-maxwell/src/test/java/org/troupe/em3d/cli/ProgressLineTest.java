package org.troupe.em3d.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.troupe.em3d.run.RunCollector;

class ProgressLineTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private long seconds;
  private ProgressLine line;

  @BeforeEach
  void begin() {
    line = new ProgressLine(new PrintStream(shown, true, UTF_8), false, this::nanoTime);
  }

  private long nanoTime() {
    return seconds * 1_000_000_000;
  }

  private void reach(int step, long atSecond) {
    seconds = atSecond;
    line.progress(new RunCollector.Progress(step, 100, null, false));
  }

  @Test
  void hoursInAQueueAreNoTimeOfTheSteps() {
    reach(0, 7200);
    reach(50, 7210);
    assertThat(shown.toString(UTF_8).lines())
        .containsExactly("step 0 of 100", "step 50 of 100  5.0 steps/s  10 s to go");
  }

  @Test
  void stepsThatWereLostWithANodeAreNotReckonedWith() {
    reach(0, 1);
    reach(80, 9);
    reach(0, 20);
    reach(20, 30);
    assertThat(shown.toString(UTF_8).lines())
        .containsExactly(
            "step 80 of 100  10.0 steps/s  2 s to go",
            "step 0 of 100",
            "step 20 of 100  2.0 steps/s  40 s to go");
  }

  @Test
  void theEndIsShownOnce() {
    reach(0, 0);
    reach(100, 1);
    reach(100, 1);
    assertThat(shown.toString(UTF_8).lines()).containsExactly("step 100 of 100  100.0 steps/s");
  }

  @Test
  void aRunThatIsOverWhenItIsFirstSeenHasNoRate() {
    reach(100, 1);
    assertThat(shown.toString(UTF_8).lines()).containsExactly("step 100 of 100");
  }

  @Test
  void onlyAMeshThatTakesLongIsSeenToBeRead() {
    line.reading("big.msh", 0.1);
    seconds = 6;
    line.reading("big.msh", 0.4);
    seconds = 7;
    line.reading("big.msh", 0.5);
    assertThat(shown.toString(UTF_8).lines()).containsExactly("reading big.msh  40 %");
  }
}
