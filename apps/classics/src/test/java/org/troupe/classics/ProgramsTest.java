package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.transport.Transport;

/** Runs each program that the jar lists, in its smallest size, on several nodes of this JVM. */
@Timeout(120)
class ProgramsTest {

  private static final String LIST = "/META-INF/troupe/apps";

  static Stream<Arguments> programsAndNodes() throws IOException {
    List<String> lines;
    try (var in =
        new BufferedReader(
            new InputStreamReader(
                ClassicProgram.class.getResourceAsStream(LIST), StandardCharsets.UTF_8))) {
      lines = in.lines().toList();
    }
    return lines.stream()
        .map(line -> line.split("[ =#]+")[1])
        .flatMap(
            program ->
                IntStream.of(1, 2, 4)
                    .filter(nodes -> nodes >= instance(program).fewestNodes())
                    .mapToObj(nodes -> Arguments.of(program, nodes)));
  }

  @ParameterizedTest
  @MethodSource("programsAndNodes")
  void isRightOnAnyNumberOfNodes(String program, int count) throws Exception {
    var classic = instance(program);
    ClassicProgram.commandLine(classic).parseArgs("--size", "tiny");
    try (var nodes = count == 2 ? LocalNodes.start(count, ibis()) : LocalNodes.start(count)) {
      classic.prepare(count);

      var result = classic.runOn(nodes.nodes());

      assertThat(result.checks()).isNotEmpty().allMatch(ResultCheck::isMet, "as expected");
      assertThat(result.checksum()).isNotEmpty();
    }
  }

  /** Covers real links, too. */
  private static Transport ibis() {
    return ServiceLoader.load(Transport.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.name().equals("ibis"))
        .findAny()
        .orElseThrow();
  }

  private static ClassicProgram instance(String program) {
    try {
      return (ClassicProgram) Class.forName(program).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(program, e);
    }
  }
}
