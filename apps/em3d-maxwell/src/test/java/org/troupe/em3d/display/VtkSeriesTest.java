package org.troupe.em3d.display;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.em3d.views.FieldInstant;

class VtkSeriesTest {

  private static final int BLOCK = 64; // bytes
  private static final byte[] PIECE = new byte[3 * BLOCK];
  private static final int RANKS = 2;
  private static final List<Integer> STEPS = List.of(0, 10, 20);

  /** Writes all steps; gives up those that fail, as an assembler does. */
  private static int written(VtkSeries series) throws IOException {
    var whole = 0;
    series.begin(RANKS);
    for (var step : STEPS) {
      var moment = new FieldInstant(step, 0.5);
      try {
        for (var rank = 0; rank < RANKS; rank++) {
          series.append(0, moment, rank, PIECE);
          series.written(0, moment, rank);
        }
        whole++;
      } catch (IOException e) {
        series.giveUp(moment);
      }
    }
    series.removeUnfinished();
    return whole;
  }

  private static List<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void namesOnlyWholeStepsAtWhicheverBlockTheDiskIsFull() throws IOException {
    var whole = 0;
    for (var blocks = 0; whole < STEPS.size(); blocks++) {
      var disk =
          Jimfs.newFileSystem(
              Configuration.unix().toBuilder()
                  .setBlockSize(BLOCK)
                  .setMaxSize((long) Math.max(1, blocks) * BLOCK)
                  .build());
      var out = Files.createDirectories(disk.getPath("/work/out"));

      whole = written(new VtkSeries(out));

      var index = out.resolve("fields.pvd");
      var named = whole == 0 ? List.<String>of() : named(index);
      assertThat(named).as("with %d blocks", blocks).hasSize(whole);
      assertThat(names(out)).hasSize(whole == 0 ? 1 : 2);
      assertThat(names(out.resolve("fields"))).hasSize(whole * (1 + RANKS));
      for (var step : named) {
        for (var rank = 0; rank < RANKS; rank++) {
          assertThat(out.resolve("fields").resolve(step + "-part-" + rank + ".vtu"))
              .hasBinaryContent(PIECE);
        }
      }
    }
  }

  private static List<String> named(Path index) throws IOException {
    return Files.readAllLines(index).stream()
        .filter(line -> line.contains("DataSet"))
        .map(line -> line.replaceAll(".*file=\"fields/([^.]*).*", "$1"))
        .toList();
  }
}
