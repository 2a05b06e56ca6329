package org.troupe.activeobjects.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.store.StoreUser;

/** The names of the folders of a journal, with which its records go if the host fails. */
class DirectoryStoreNamesTest {

  private static final StoreUser USER = new StoreUser("r1", 1, "h", Instant.EPOCH);

  @TempDir private Path store;
  private Path journal;
  private final List<Path> stable = new ArrayList<>();
  private boolean isBroken;

  private final DiskAccess disk =
      new DiskAccess(true) {
        @Override
        void syncNames(Path folder) throws IOException {
          if (isBroken) {
            isBroken = false;
            throw new IOException("Input/output error");
          }
          super.syncNames(folder);
          stable.add(folder);
        }
      };

  @BeforeEach
  void nameJournal() {
    journal = store.resolve("journals").resolve("j");
  }

  private void append(long epoch, boolean isInterrupted) throws IOException {
    try (var open = DirectoryJournals.open(store, disk, 1 << 20, USER)) {
      stable.clear();
      isBroken = isInterrupted;
      try (var appended = open.open("j", epoch)) {
        appended.append(ByteBuffer.wrap(new byte[1]));
        appended.stable(1).join();
      }
    }
  }

  private void assertAllAreStable(long epoch) {
    assertThat(stable).contains(journal.getParent(), journal, journal.resolve("" + epoch));
  }

  @Test
  void areStableIfAProcessEndedWhileItMadeThem() throws IOException {
    Files.createDirectories(journal.resolve("1"));
    append(1, false);
    assertAllAreStable(1);
  }

  @Test
  void areStableIfAProcessEndedWhileItMadeThoseOfAFormerEpoch() throws IOException {
    Files.createDirectories(journal.resolve("1"));
    append(2, false);
    assertAllAreStable(2);
  }

  @Test
  void areStableIfASyncOfThemFailed() throws IOException {
    append(1, true);
    assertAllAreStable(1);
  }
}
