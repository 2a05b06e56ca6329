package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.classics.alltoall.AllToAll;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.spmd.Spmd;
import picocli.CommandLine.Command;

/** Programs that only send messages. */
@Timeout(120)
class ExchangeProgramTest {

  /** A member that receives the expected numbers in the first exchange and nothing afterwards. */
  public static class Forgetful extends ExchangeMember {

    private double[] received;

    @Override
    protected void prepare(Spmd<? extends ExchangeMember> spmd, int doubles) {
      received = new double[doubles];
    }

    @Override
    protected void exchange(int count) {
      if (count == 0) {
        Arrays.setAll(received, i -> expected(0, i));
      }
    }

    @Override
    protected double[] received() {
      return received;
    }

    @Override
    protected double expected(int count, int index) {
      return number(0, 0, index, count);
    }
  }

  /** A program of such members. */
  @Command(name = "lost")
  public static final class Lost extends ExchangeProgram {

    @Override
    protected Group<? extends ExchangeMember> members(ProgramNodes nodes) {
      return Group.of(Groups.on(nodes.nodes()).spmd(Forgetful.class));
    }

    @Override
    protected long doublesSent(int doubles, int nodes) {
      return doubles;
    }

    @Override
    protected String unit() {
      return "exchange";
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"concurrent", "prefix"})
  void nodesNeedNotBeAPowerOfTwo(String algorithm) throws Exception {
    var result = on(5, new AllToAll(), "--algorithm", algorithm, "--doubles", "1,33");

    assertThat(result.checks()).hasSize(2).allMatch(ResultCheck::isMet);
  }

  @Test
  void countsNumbersThatDoNotArrive() throws Exception {
    var result = on(2, new Lost(), "--doubles", "7");

    assertThat(result.checks())
        .containsExactly(
            ResultCheck.equal("the count of doubles that arrived wrong, in messages of 7", 0L, 4L));
  }

  @Test
  void eachSizeHasItsRate() throws Exception {
    var program = new AllToAll();
    var result = on(2, program, "--doubles", "1,33");

    assertThat(program.details(result).lines().map(line -> line.strip().split(" ")[0]))
        .containsExactly("1", "33");
  }

  private static RunResult on(int nodes, ClassicProgram program, String... options)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("--size", "tiny"));
    all.addAll(List.of(options));
    ClassicProgram.commandLine(program).parseArgs(all.toArray(String[]::new));
    try (var local = LocalNodes.start(nodes)) {
      program.prepare(nodes);
      return program.runOn(local.nodes());
    }
  }
}
