package org.troupe.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.mpj.launch.RankRun;
import org.troupe.testing.LogRecords;

/** The kernels on ranks in this JVM, each of which checks its own result. */
@Timeout(120)
class KernelTest {

  private final PrintStream realOut = System.out;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setOut(realOut);
  }

  private int run(int ranks, String kernel, String... arguments) {
    try (var nodes = LocalNodes.start(ranks)) {
      return RankRun.run(nodes.list(), "org.troupe.kernels." + kernel, List.of(arguments));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, ConjugateGradient, S",
    "2, ConjugateGradient, S",
    "3, ConjugateGradient, S",
    "4, ConjugateGradient, W",
    "1, IntegerSort, S",
    "2, IntegerSort, S",
    "3, IntegerSort, W",
    "4, IntegerSort, S",
    "1, HeatEquation, 90",
    "2, HeatEquation, 61",
    "4, HeatEquation, 90",
    "1, SampleSort, 20000",
    "3, SampleSort, 50001",
    "4, SampleSort, 3"
  })
  void verifiesItsResult(int ranks, String kernel, String size) {
    assertThat(run(ranks, kernel, size)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("on " + ranks + " ranks: verified");
  }

  @Test
  void failsForASizeThatIsNone(LogRecords logs) {
    logs.allow(Level.ERROR, "an exception ended thread");
    assertThat(run(2, "ConjugateGradient", "X")).isEqualTo(1);
  }
}
