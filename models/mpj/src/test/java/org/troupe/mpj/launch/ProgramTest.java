package org.troupe.mpj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.testing.LogRecords;

/** Programs in the style of mpiJava, unchanged, with several ranks in this JVM. */
@Timeout(60)
class ProgramTest {

  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final InputStream realIn = System.in;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(System.out);
  }

  @AfterEach
  void restore() {
    System.setOut(realOut);
    System.setErr(realErr);
    System.setIn(realIn);
  }

  private int run(int ranks, int nodes, String program, String... arguments) {
    try (var local = LocalNodes.start(nodes)) {
      List<Node> places = new ArrayList<>();
      for (var i = 0; i < ranks; i++) {
        places.add(local.get(i * nodes / ranks));
      }
      return RankRun.run(places, "programs." + program, List.of(arguments));
    }
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void computesTheSameWithEachNumberOfRanks(int ranks) {
    assertThat(run(ranks, ranks, "HeatRows")).isZero();
    assertThat(run(ranks, 1, "MatrixProduct")).isZero();
    assertThat(printed()).isEqualTo("steps 1037, heat 52932.715408\nproduct right, trace 354.0\n");
  }

  @Test
  void passesArgumentsToEachRank() {
    assertThat(run(4, 2, "Ring", "5")).isZero();
    assertThat(printed()).isEqualTo("token 20 after 5 laps of 4\n");
  }

  @Test
  void givesItsInputToRankZero() {
    System.setIn(new ByteArrayInputStream("1000000\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(run(3, 3, "Pi")).isZero();
    assertThat(printed()).isEqualTo("pi is 3.141593\n");
  }

  @Test
  void endsWithTheCodeOfTheFirstRankThatFails(LogRecords logs) throws Exception {
    logs.allow(Level.ERROR, "an exception ended thread"); // of the other ranks, too
    assertThat(run(3, 3, "Fails", "throw")).isEqualTo(1);
    logs.expect(Level.ERROR, "an exception ended thread", "thrown at rank 1");
    assertThat(run(3, 3, "Fails", "abort")).isEqualTo(42);
    assertThat(run(3, 3, "Fails", "forget")).isEqualTo(1);
    logs.expect(Level.ERROR, "an exception ended thread", "its main has returned without Finalize");
    assertThat(printed())
        .contains("troupe: the main of rank 1 on node")
        .contains("has returned without Finalize")
        .contains("call MPI.Finalize()");
  }
}
