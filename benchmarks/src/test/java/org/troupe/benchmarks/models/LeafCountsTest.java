package org.troupe.benchmarks.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeafCountsTest {

  @Test
  void countsLeavesThatAreBegunAgain(@TempDir Path folder) throws IOException {
    var file = Files.createFile(folder.resolve("counts")).toString();
    var counts = LeafCounts.of(file, 4);
    counts.add(1);
    counts.add(3);
    counts.add(3);
    LeafCounts.of(file, 4).add(3);

    assertThat(counts.begun()).isEqualTo(2);
    assertThat(counts.repeated()).isEqualTo(2);
  }
}
