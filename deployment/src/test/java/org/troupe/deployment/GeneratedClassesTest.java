package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.program.Quick;
import org.troupe.program.Worker;

/** A short program generates few classes on a node: no AOT cache can keep them for the next one. */
@Timeout(120)
class GeneratedClassesTest {

  /** The generated codecs: of the program's classes, of a node and of a view of the grid. */
  private static final int MOST_CODECS = 12;

  @TempDir private Path folder;

  @Test
  void aNodeGeneratesCodecsOfClassesOnly() throws IOException {
    var log = folder.resolve("classes.log");
    var options =
        Stream.concat(Quick.JVM.stream(), Stream.of("-Xlog:class+load:file=" + log)).toList();
    try (var grid = Grid.local(1, GridOptions.standard().withJvmOptions(options))) {
      var worker = ActiveObjects.on(grid.nodes().first()).create(Worker.class);
      worker.note();
      assertThat(worker.count()).isEqualTo(2);
      assertThat(worker.text()).isEqualTo("answer 3");
    }

    assertThat(codecs(log))
        .isNotEmpty()
        .noneMatch(each -> each.contains("Call$"))
        .hasSizeLessThan(MOST_CODECS);
  }

  private static List<String> codecs(Path log) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines
          .filter(each -> each.contains("org.troupe.serialization.internal.fields."))
          .filter(each -> each.contains("$Codec/0x"))
          .toList();
    }
  }
}
