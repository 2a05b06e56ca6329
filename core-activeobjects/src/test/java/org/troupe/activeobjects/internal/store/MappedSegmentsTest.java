package org.troupe.activeobjects.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/** Long segments of a log, whose ends are mapped. */
class MappedSegmentsTest {

  private static final StoreUser USER = new StoreUser("r1", 1, "h", Instant.EPOCH);
  private static final int SEGMENT = 1 << 18;
  private static final int RECORD = 1_000;

  @TempDir private Path temporary;

  /** Counts the zeros that are written, and refuses them if it is full. */
  private static final class CountedZeros extends DiskAccess {
    private int pieces;
    private boolean isFull;

    CountedZeros() {
      super(false);
    }

    @Override
    void write(FileChannel file, ByteBuffer... parts) throws IOException {
      if (parts.length == 1 && parts[0].isReadOnly()) {
        if (isFull) {
          super.write(file, parts[0].slice(0, 100));
          throw new IOException("No space left on device");
        }
        pieces++;
      }
      super.write(file, parts);
    }
  }

  private final CountedZeros disk = new CountedZeros();

  @BeforeEach
  void requireMappedFiles() throws IOException {
    assumeThat(MappedSegmentEnd.isPossible(temporary)).isTrue();
  }

  private Journals store(Path folder) throws IOException {
    return DirectoryJournals.open(folder, disk, SEGMENT, USER);
  }

  private Path place(Path folder) {
    return folder.resolve("journals").resolve("a").resolve("0");
  }

  private static ByteBuffer record(long number, int length) {
    var bytes = new byte[length];
    Arrays.fill(bytes, (byte) (number | 1)); // not zero
    return ByteBuffer.wrap(bytes).putLong(number).rewind();
  }

  private static void append(Journal journal, int count) throws IOException {
    for (var i = 0; i < count; i++) {
      journal.append(record(journal.last() + 1, RECORD));
    }
  }

  private static void check(Journal journal, long records) throws IOException {
    List<Long> numbers = new ArrayList<>();
    journal.records(
        (number, content) -> {
          assertThat(ByteBuffer.wrap(content)).isEqualTo(record(number, content.length));
          numbers.add(number);
        });
    assertThat(numbers).hasSize((int) records);
    assertThat(journal.last()).isEqualTo(records);
  }

  /** Copies the files of the store as they are while the journal is open, and opens the copy. */
  private Path copied() throws IOException {
    var copy = temporary.resolve("copy");
    Files.createDirectories(place(copy));
    try (var files = Files.list(place(temporary.resolve("s")))) {
      for (var each : files.toList()) {
        Files.copy(each, place(copy).resolve(each.getFileName()));
      }
    }
    return copy;
  }

  private Path newest(Path folder) throws IOException {
    try (var files = Files.list(place(folder))) {
      return files.max(Path::compareTo).orElseThrow();
    }
  }

  @Test
  void areReadWhileTheyGrowAndAfterwards() throws IOException {
    var folder = temporary.resolve("s");
    try (var store = store(folder);
        var journal = store.open("a", 0)) {
      append(journal, 700);
      check(journal, 700);
      append(journal, 100);
      journal.append(record(801, SEGMENT + 1)); // larger than a segment
      append(journal, 99);
      check(journal, 900);
      assertThat(disk.pieces).isPositive();
    }
    try (var files = Files.list(place(folder))) {
      for (var each : files.toList()) {
        var bytes = Files.readAllBytes(each);
        assertThat(bytes[bytes.length - 1]).as("the end of %s", each).isNotZero();
      }
    }
    try (var store = store(folder);
        var journal = store.open("a", 0)) {
      check(journal, 900);
      append(journal, 300);
      check(journal, 1_200);
      journal.replace(1_200, record(0, 8));
      append(journal, 1);
    }
    try (var store = store(folder);
        var journal = store.open("a", 1)) {
      assertThat(journal.last()).isEqualTo(1_201);
    }
  }

  @Test
  void endWithTheLastRecordOfAProcessThatWasKilled() throws IOException {
    try (var store = store(temporary.resolve("s"));
        var journal = store.open("a", 0)) {
      append(journal, 100);
      try (var after = store(copied());
          var again = after.open("a", 0)) {
        check(again, 100);
        append(again, 100);
        check(again, 200);
      }
    }
  }

  @Test
  void areCutWhereAProcessWasKilledWithinARecord() throws IOException {
    byte[] whole;
    Path torn;
    try (var store = store(temporary.resolve("s"));
        var journal = store.open("a", 0)) {
      append(journal, 100);
      torn = newest(copied());
      whole = Files.readAllBytes(torn);
    }
    var frame = (int) LogSegment.frameBytes(RECORD);
    var end = LogSegment.HEAD + 100 * frame;
    assertThat(whole.length).isGreaterThan(end);
    for (var left :
        List.of(0, 3, 12, 15, 16, 17, 500, frame - 6, frame - 5, frame - 3, frame - 1)) {
      var content = whole.clone();
      Arrays.fill(content, end - frame + left, end, (byte) 0);
      Files.write(torn, content);
      try (var after = store(temporary.resolve("copy"));
          var again = after.open("a", 0)) {
        check(again, 99);
      }
    }
  }

  @Test
  void reportAByteThatHasChanged() throws IOException {
    try (var store = store(temporary.resolve("s"));
        var journal = store.open("a", 0)) {
      append(journal, 100);
      var damaged = newest(copied());
      var content = Files.readAllBytes(damaged);
      var end = LogSegment.HEAD + 100 * (int) LogSegment.frameBytes(RECORD);
      content[end - 500] ^= 1;
      Files.write(damaged, content);
      try (var after = store(temporary.resolve("copy"))) {
        assertThatThrownBy(() -> after.open("a", 0))
            .hasMessageContaining("the record does not match its check");
      }
      content[end - 500] ^= 1;
      content[end - 1] = 0;
      content[end + 700] = 1; // not written by a process that was killed within the last record
      Files.write(damaged, content);
      try (var after = store(temporary.resolve("copy"))) {
        assertThatThrownBy(() -> after.open("a", 0))
            .hasMessageContaining("the record does not match its check");
      }
    }
  }

  @Test
  void areWrittenByCallsIfTheDiskHasNoRoomForZeros() throws IOException {
    disk.isFull = true;
    try (var store = store(temporary.resolve("s"));
        var journal = store.open("a", 0)) {
      append(journal, 600);
      check(journal, 600);
    }
    disk.isFull = false;
    try (var store = store(temporary.resolve("s"));
        var journal = store.open("a", 0)) {
      check(journal, 600);
      append(journal, 100);
      disk.isFull = true; // while a part is mapped
      append(journal, 600);
      check(journal, 1_300);
    }
    try (var store = store(temporary.resolve("s"));
        var journal = store.open("a", 0)) {
      check(journal, 1_300);
    }
  }
}
