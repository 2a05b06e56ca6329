package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.classics.lu.Lu;
import org.troupe.classics.superoptimizer.Superoptimizer;
import org.troupe.classics.webserver.Webserver;

/** Sizes that a program cannot have are told before anything starts. */
class WrongSizesTest {

  private static Classic program(String name) {
    return switch (name) {
      case "lu" -> new Lu();
      case "superoptimizer" -> new Superoptimizer();
      case "webserver" -> new Webserver();
      default -> throw new AssertionError(name);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lu | --rows 100 --block 16 | cannot be cut into blocks of 16 rows; give a multiple of that, such as 96",
        "lu | --block 0 | a block has at least one row",
        "superoptimizer | --tails -1 --queue 0 | --queue 0: at least one is needed",
        "superoptimizer | --function sine | expected one of [LESS, SIGNUM, ABS]",
        "webserver | --port 70000 | --port 70000: give 1 to 65535",
        "webserver | --bytes 1 | a page has at least 128 bytes"
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
