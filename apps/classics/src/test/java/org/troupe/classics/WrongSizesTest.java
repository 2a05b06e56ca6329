package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
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

/** Sizes that a program cannot have are told before anything starts. */
class WrongSizesTest {

  private static Classic program(String name) {
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
        "sor | --points 3 | between the edges each of 2 nodes needs a row; give at least 4",
        "sor | --points 50000 | --points 50000: one array has all; give at most 46,340",
        "sor | --iterations 0 | --iterations 0: at least one is needed",
        "asp | --vertices 1 | each of 2 nodes needs one; give at least 2",
        "asp | --vertices 50000 | give at most 46,340",
        "radix | --keys 0 | --keys 0: at least one is needed",
        "radix | --keys 2147483647 | give at most 1,073,741,824",
        "fft | --points 1000 | give a power of four, such as 65536 or 1048576",
        "fft | --jvms 3 | which 3 nodes cannot share equally; take a power of two of nodes",
        "water | --molecules 1 | each molecule another; give at least 2",
        "water | --molecules 300000000 | give at most 200,000,000",
        "water | --steps 2147483647 | give at most 100,000",
        "barnes-hut | --bodies 1 | each body another; give at least 2",
        "barnes-hut | --bodies 300000000 | give at most 200,000,000",
        "barnes-hut | --theta NaN | give more than 0, and at most 1",
        "lu | --rows 50000 | give at most 46,340",
        "lu | --rows 100 --block 16 | cannot be cut into blocks of 16 rows; give a multiple of that, such as 96",
        "lu | --block 0 | --block 0: at least one is needed",
        "superoptimizer | --tails -1 --queue 0 | --queue 0: at least one is needed",
        "superoptimizer | --function sine | expected one of [less, signum, abs]",
        "webserver | --port 70000 | --port 70000: give 1 to 65535",
        "superoptimizer | --batch 2147483647 | give at most 1,000,000",
        "webserver | --bytes 1 | a page has at least 128 bytes",
        "webserver | --bytes 2147483647 | give at most 100,000,000",
        "webserver | --browsers 2147483647 | give at most 10,000",
        "cg | --decomposition blocks --jvms 3 | 3 nodes make no square of blocks, nor half of one; take 2 or 4",
        "pingpong | --jvms 1 | pingpong needs at least 2 nodes, and there is to be 1",
        "pingpong | --doubles 1,0 | --doubles 0: at least one is needed",
        "alltoall | --jvms 1 | alltoall needs at least 2 nodes, and there is to be 1",
        "alltoall | --doubles 1500000000 | give at most 100,000,000",
        "alltoall | --doubles 90000000 --jvms 30 | give at most 71,582,788"
      })
  void areRefused(String name, String arguments, String told) {
    var err = new StringWriter();

    var code =
        Classic.commandLine(program(name))
            .setErr(new PrintWriter(err))
            .execute(arguments.split(" "));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains(told).doesNotContain("\tat ");
  }
}
