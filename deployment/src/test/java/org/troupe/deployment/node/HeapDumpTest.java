package org.troupe.deployment.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapDumpTest {

  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  @TempDir private Path folder;

  @Test
  void aDiskWithoutRoomForTwoCopiesOfTheHeapIsRefused() {
    assertThatThrownBy(() -> HeapDump.requireSpace(100 << 20, (232 << 20) - 1, folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the dump of a heap with 100 MiB in use may need 232 MiB, and the disk of "
                + folder
                + " has 231 MiB left; free some, or collect the node's garbage first");
    assertThatCode(() -> HeapDump.requireSpace(100 << 20, 232 << 20, folder))
        .doesNotThrowAnyException();
  }

  @Test
  void aHeapThatTakesLongerThanANodeMayBeSilentIsRefused() {
    assertThatThrownBy(() -> HeapDump.write(folder, "a1", "h1", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the JVM stands still while it writes the ")
        .hasMessageContaining("longer than the 0 s after which")
        .hasMessageEndingWith("GridOptions.withSilence");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws IOException {
    var file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> HeapDump.write(file.resolve("dumps"), "a1", "h1", LONG))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be written to a file in " + file);
  }
}
