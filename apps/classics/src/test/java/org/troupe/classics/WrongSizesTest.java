package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.classics.alltoall.AllToAll;
import org.troupe.classics.asp.Asp;
import org.troupe.classics.barneshut.BarnesHut;
import org.troupe.classics.cg.Cg;
import org.troupe.classics.fft.Fft;
import org.troupe.classics.lu.Lu;
import org.troupe.classics.pingpong.PingPong;
import org.troupe.classics.radix.Radix;
import org.troupe.classics.sor.Sor;
import org.troupe.classics.superoptimizer.Superoptimizer;
import org.troupe.classics.water.Water;
import org.troupe.classics.webserver.Webserver;

/** Programs reject impossible sizes before anything starts. */
class WrongSizesTest {

  @Test
  void memoryIsNamedWithItsRemedy() {
    List<String> wrong = new ArrayList<>();

    ClassicProgram.requireMemory("class C, by rows", "this JVM", 1.152e9, 1 << 30, wrong);
    ClassicProgram.requireMemory("class S, by rows", "this JVM", 1e6, 1 << 30, wrong);

    assertThat(wrong)
        .containsExactly(
            "class C, by rows: about 1.2 GB are needed in this JVM, whose heap has at most 1.1 GB;"
                + " choose a smaller problem, or a larger heap with JDK_JAVA_OPTIONS=-Xmx2g");
  }

  private static ClassicProgram program(String name) {
    return switch (name) {
      case "sor" -> new Sor();
      case "asp" -> new Asp();
      case "radix" -> new Radix();
      case "fft" -> new Fft();
      case "water" -> new Water();
      case "barnes-hut" -> new BarnesHut();
      case "lu" -> new Lu();
      case "superoptimizer" -> new Superoptimizer();
      case "webserver" -> new Webserver();
      case "cg" -> new Cg();
      case "pingpong" -> new PingPong();
      case "alltoall" -> new AllToAll();
      default -> throw new AssertionError(name);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sor | --points 3 | each of 2 nodes needs a row between the edges; give at least 4",
        "sor | --points 50000 | --points 50000: one array holds all points; give at most 46,340",
        "sor | --points 46000 | 46000 x 46000 points, 1,000 iterations: about 84.6 GB are needed in this JVM, whose heap has at most ",
        "asp | --vertices 46000 | about 33.9 GB are needed in this JVM",
        "radix | --keys 1073741824 | about 25.8 GB are needed in this JVM",
        "fft | --points 1073741824 | about 120.3 GB are needed in this JVM",
        "water | --molecules 200000000 | about 100.8 GB are needed in this JVM",
        "barnes-hut | --bodies 200000000 | about 120.0 GB are needed in this JVM",
        "lu | --rows 46000 --block 16 | about 101.6 GB are needed in this JVM",
        "superoptimizer | --queue 2147483647 | GB are needed in each node's JVM",
        "webserver | --pages 10000000 --bytes 100000 | about 2,000.0 GB are needed in this JVM",
        "alltoall | --doubles 71000000 --jvms 30 | about 51.1 GB are needed in each node's JVM",
        "sor | --iterations 0 | --iterations 0: at least one is needed",
        "asp | --vertices 1 | each of 2 nodes needs one; give at least 2",
        "asp | --vertices 50000 | give at most 46,340",
        "radix | --keys 0 | --keys 0: at least one is needed",
        "radix | --keys 2147483647 | give at most 1,073,741,824",
        "fft | --points 1000 | give a power of four, such as 65536 or 1048576",
        "fft | --jvms 3 | rows cannot be divided equally among 3 nodes; use a power of two of nodes",
        "water | --molecules 1 | each molecule another; give at least 2",
        "water | --molecules 300000000 | give at most 200,000,000",
        "water | --steps 2147483647 | give at most 100,000",
        "barnes-hut | --bodies 1 | each body another; give at least 2",
        "barnes-hut | --bodies 300000000 | give at most 200,000,000",
        "barnes-hut | --theta NaN | give more than 0 and at most 1",
        "lu | --rows 50000 | give at most 46,340",
        "lu | --rows 100 --block 16 | cannot be cut into blocks of 16 rows; give a multiple of that, such as 96",
        "lu | --block 0 | --block 0: at least one is needed",
        "superoptimizer | --tails -1 --queue 0 | --queue 0: at least one is needed",
        "superoptimizer | --function sine | --function must be 'less', 'signum' or 'abs', not 'sine'",
        "webserver | --port 70000 | --port 70000: give 1 to 65535",
        "superoptimizer | --batch 2147483647 | give at most 1,000,000",
        "webserver | --bytes 1 | a page has at least 128 bytes",
        "webserver | --bytes 2147483647 | give at most 100,000,000",
        "webserver | --browsers 2147483647 | give at most 10,000",
        "cg | --decomposition blocks --jvms 3 | 3 nodes are not a power of two; use 2 or 4",
        "pingpong | --jvms 1 | pingpong needs at least 2 nodes, but 1 is planned",
        "pingpong | --doubles 1,0 | --doubles 0: at least one is needed",
        "alltoall | --jvms 1 | alltoall needs at least 2 nodes, but 1 is planned",
        "alltoall | --doubles 1500000000 | give at most 100,000,000",
        "alltoall | --doubles 90000000 --jvms 30 | give at most 71,582,788"
      })
  void areRejected(String name, String arguments, String message) {
    var err = new StringWriter();

    var code =
        ClassicProgram.commandLine(program(name))
            .setErr(new PrintWriter(err))
            .execute(arguments.split(" "));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains(message).doesNotContain("\tat ");
  }
}
