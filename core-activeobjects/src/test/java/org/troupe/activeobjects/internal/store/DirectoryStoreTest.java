package org.troupe.activeobjects.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.contract.StoreContract;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.StoreUser;

/** The store in a directory: the contract, and what only files can suffer. */
class DirectoryStoreTest {

  private static final StoreUser USER = new StoreUser("r1", 1, "h", Instant.EPOCH);

  /** A file system in memory, whose blocks a large file can use up. */
  abstract static class OnADiskThatCanBeFull extends StoreContract {
    private final Path root =
        Jimfs.newFileSystem(Configuration.unix().toBuilder().setMaxSize(32 << 20).build())
            .getPath("/store");
    private final Path filler = root.resolveSibling("filler");
    private final boolean isSynced;
    private final long segmentBytes;

    OnADiskThatCanBeFull(boolean isSynced, long segmentBytes) {
      this.isSynced = isSynced;
      this.segmentBytes = segmentBytes;
    }

    @Override
    protected Journals open(StoreUser user) throws IOException {
      return DirectoryJournals.open(
          root, isSynced ? DiskAccess.SYNCED : DiskAccess.CACHED, segmentBytes, user);
    }

    @Override
    protected void breakDown() throws IOException {
      for (var size = 1 << 20; size > 0; size /= 2) {
        try (var file =
            FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
          while (true) {
            var count = file.write(ByteBuffer.allocate(size));
            assertThat(count).isPositive();
          }
        } catch (IOException full) {
          // as wanted
        }
      }
    }

    @Override
    protected void mend() throws IOException {
      Files.delete(filler);
    }
  }

  @Nested
  class Cached extends OnADiskThatCanBeFull {
    Cached() {
      super(false, DirectoryJournal.SEGMENT_BYTES);
    }
  }

  @Nested
  class Synced extends OnADiskThatCanBeFull {
    Synced() {
      super(true, DirectoryJournal.SEGMENT_BYTES);
    }
  }

  @Nested
  class InSmallSegments extends OnADiskThatCanBeFull {
    InSmallSegments() {
      super(true, 64);
    }
  }

  /** A real disk, whose failures are injected. */
  @Nested
  class OnARealDisk extends StoreContract {
    @TempDir private Path folder;
    private boolean isBroken;

    private final DiskAccess disk =
        new DiskAccess(true) {
          @Override
          void write(FileChannel file, ByteBuffer... parts) throws IOException {
            if (isBroken) {
              super.write(file, parts[0]);
              throw new IOException("No space left on device");
            }
            super.write(file, parts);
          }
        };

    @Override
    protected Journals open(StoreUser user) throws IOException {
      return DirectoryJournals.open(folder.resolve("store"), disk, 4096, user);
    }

    @Override
    protected void breakDown() {
      isBroken = true;
    }

    @Override
    protected void mend() {
      isBroken = false;
    }
  }

  @TempDir private Path temporary;

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static List<String> records(Journal journal) throws IOException {
    List<String> found = new ArrayList<>();
    journal.records((number, content) -> found.add(new String(content, UTF_8)));
    return found;
  }

  private Journals store() throws IOException {
    return DirectoryJournals.open(temporary.resolve("s"), DiskAccess.CACHED, 1 << 20, USER);
  }

  private Path place() {
    return temporary.resolve("s").resolve("journals").resolve("a").resolve("0");
  }

  private void appendThree() throws IOException {
    try (var store = store();
        var journal = store.open("a", 0)) {
      journal.replace(0, bytes("born"));
      for (var each : List.of("first", "second\0\0", "third")) {
        journal.append(bytes(each));
      }
    }
  }

  @Test
  void isTheUsersAlone() throws IOException {
    appendThree();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.resolve("s"))))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place())))
        .isEqualTo("rwx------");
  }

  @Test
  void cutsALogThatIsTornAtAnyByte() throws IOException {
    appendThree();
    var log = place().resolve(LogSegment.name(1));
    var whole = Files.readAllBytes(log);
    var ends = new ArrayList<>(List.of((long) LogSegment.HEAD));
    for (var each : List.of(5, 8, 5)) {
      ends.add(ends.getLast() + LogSegment.frameBytes(each));
    }
    var all = List.of("first", "second\0\0", "third");
    for (int length = 0; length < whole.length; length++) {
      var torn = length;
      Files.write(log, Arrays.copyOf(whole, torn));
      var left = (int) ends.stream().skip(1).filter(end -> end <= torn).count();
      try (var store = store();
          var journal = store.open("a", 0)) {
        assertThat(records(journal)).as("cut at %d", torn).isEqualTo(all.subList(0, left));
        journal.append(bytes("next"));
      }
      try (var store = store();
          var journal = store.open("a", 0)) {
        assertThat(records(journal)).as("cut at %d", torn).hasSize(left + 1).endsWith("next");
        journal.replace(left + 1, bytes("born"));
        journal.close();
      }
      wipe();
    }
  }

  private void wipe() throws IOException {
    try (var store = store()) {
      store.delete("a");
    }
    appendThree();
  }

  @Test
  void cutsALogWhoseLastSectorsWereNeverWritten() throws IOException {
    appendThree();
    var log = place().resolve(LogSegment.name(1));
    var whole = Files.readAllBytes(log);
    var lastFrame = whole.length - (int) LogSegment.frameBytes(5);
    for (int from = lastFrame; from < whole.length; from++) {
      var zeroed = whole.clone();
      Arrays.fill(zeroed, from, zeroed.length, (byte) 0);
      Files.write(log, zeroed);
      try (var store = store();
          var journal = store.open("a", 0)) {
        assertThat(records(journal)).as("zero from %d", from).hasSize(2);
      }
    }
  }

  @Test
  void findsEveryFlippedBitOfALog() throws IOException {
    appendThree();
    assertFlipsAreFound(place().resolve(LogSegment.name(1)), "the log ");
  }

  @Test
  void findsEveryFlippedBitOfAnImage() throws IOException {
    appendThree();
    assertFlipsAreFound(place().resolve("image"), "the image ");
  }

  private void assertFlipsAreFound(Path file, String what) throws IOException {
    var whole = Files.readAllBytes(file);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      var flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, flipped);
      for (var epoch : List.of(0L, 1L)) {
        try (var store = store()) {
          assertThatThrownBy(() -> store.open("a", epoch))
              .as("bit %d, epoch %d", bit, epoch)
              .isInstanceOf(IOException.class)
              .hasMessageStartingWith(what + file)
              .hasMessageContaining(" is damaged")
              .hasMessageContaining("restore the store from a copy");
        }
      }
      assertThat(Files.readAllBytes(file)).isEqualTo(flipped);
    }
    Files.write(file, whole);
    try (var store = store();
        var journal = store.open("a", 0)) {
      assertThat(records(journal)).hasSize(3);
    }
  }

  @Test
  void namesFileAndOffsetOfADamagedRecord() throws IOException {
    appendThree();
    var log = place().resolve(LogSegment.name(1));
    var damaged = Files.readAllBytes(log);
    var second = LogSegment.HEAD + (int) LogSegment.frameBytes(5);
    damaged[second + LogSegment.FRAME_HEAD] ^= 1;
    Files.write(log, damaged);
    try (var store = store()) {
      assertThatThrownBy(() -> store.open("a", 0))
          .hasMessageContaining(
              "the log %s is damaged at offset %d: the record does not match its check"
                  .formatted(log, second));
    }
  }

  @Test
  void refusesALogWithoutOneOfItsSegments() throws IOException {
    var folder = temporary.resolve("small");
    try (var store = DirectoryJournals.open(folder, DiskAccess.CACHED, 64, USER);
        var journal = store.open("a", 0)) {
      for (int i = 0; i < 9; i++) {
        journal.append(bytes("record number " + i));
      }
    }
    var place = folder.resolve("journals").resolve("a").resolve("0");
    List<Path> segments;
    try (var listed = Files.list(place)) {
      segments = listed.sorted().toList();
    }
    assertThat(segments).hasSizeGreaterThan(3);
    for (var missing : List.of(segments.get(0), segments.get(1))) {
      var content = Files.readAllBytes(missing);
      Files.delete(missing);
      try (var store = DirectoryJournals.open(folder, DiskAccess.CACHED, 64, USER)) {
        assertThatThrownBy(() -> store.open("a", 0)).hasMessageContaining("are missing");
      }
      Files.write(missing, content);
    }
    var torn = segments.get(1);
    var content = Files.readAllBytes(torn);
    Files.write(torn, Arrays.copyOf(content, content.length - 1));
    try (var store = DirectoryJournals.open(folder, DiskAccess.CACHED, 64, USER)) {
      assertThatThrownBy(() -> store.open("a", 0))
          .hasMessageContaining("the log " + torn + " is damaged at offset ")
          .hasMessageContaining("a later file has records");
    }
  }

  @Test
  void ignoresADeletedSegmentThatAFailureOfTheHostHasBroughtBack() throws IOException {
    var folder = temporary.resolve("small");
    var place = folder.resolve("journals").resolve("a").resolve("0");
    var deleted = place.resolve(LogSegment.name(1));
    try (var store = DirectoryJournals.open(folder, DiskAccess.CACHED, 64, USER);
        var journal = store.open("a", 0)) {
      for (int i = 1; i <= 9; i++) {
        journal.append(bytes("record number " + i)); // one in each segment
      }
      var content = Files.readAllBytes(deleted);
      journal.replace(5, bytes("the first five"));
      assertThat(deleted).doesNotExist();
      Files.write(deleted, content); // but not the four behind it
    }
    for (var epoch : List.of(0L, 1L)) {
      try (var store = DirectoryJournals.open(folder, DiskAccess.CACHED, 64, USER);
          var journal = store.open("a", epoch)) {
        assertThat(records(journal)).hasSize(4).startsWith("record number 6");
        assertThat(journal.last()).isEqualTo(9);
      }
      assertThat(deleted).doesNotExist();
    }
  }

  @Test
  void losesNothingIfTwoProcessesTakeAJournalOverAtATime() throws IOException {
    appendThree();
    try (var first = store();
        var second =
            DirectoryJournals.open(
                temporary.resolve("s"),
                new DiskAccess(false) {
                  @Override
                  void createFolder(Path folder) throws IOException {
                    if (folder.endsWith("2.new") && Files.exists(place())) {
                      first.open("a", 1).close(); // a slow process, whose node is taken for lost
                    }
                    super.createFolder(folder);
                  }
                },
                1 << 20,
                USER)) {
      try (var journal = second.open("a", 2)) {
        assertThat(journal.image()).isPresent();
        assertThat(records(journal)).hasSize(3);
      }
      assertThat(place()).doesNotExist();
    }
  }

  @Test
  void continuesAJournalWhoseTakeOverWasBrokenOffAtAnyStep() throws IOException {
    for (var epoch : List.of(0L, 1L, 2L)) {
      appendThree();
      Files.move(place(), place().resolveSibling("0.closed"));
      Files.createDirectories(place().resolveSibling("1.new"));
      try (var store = store();
          var journal = store.openExisting("a", epoch)) {
        assertThat(records(journal)).hasSize(3);
        assertThat(journal.image()).isPresent();
        assertThat(store.epoch("a")).hasValue(epoch);
        store.delete("a");
        assertThat(store.names()).isEmpty();
      }
    }
  }

  @Test
  void survivesADiskThatIsFullAtAnyBlock() throws IOException {
    for (int blocks = 1; blocks < 40; blocks++) {
      var disk =
          Jimfs.newFileSystem(
              Configuration.unix().toBuilder().setBlockSize(64).setMaxSize(64L * blocks).build());
      var folder = disk.getPath("/s");
      List<String> stable = new ArrayList<>();
      try (var store = DirectoryJournals.open(folder, DiskAccess.CACHED, 200, USER)) {
        var journal = store.open("a", 0);
        for (int i = 0; i < 40; i++) {
          try {
            if (i % 10 == 9) {
              journal.replace(journal.last(), bytes("image up to " + journal.last()));
              stable.clear();
            } else {
              journal.append(bytes("record " + i));
              stable.add("record " + i);
            }
          } catch (IOException full) {
            assertThat(full).hasMessageContaining("out of disk space");
          }
        }
      } catch (IOException full) {
        continue; // not even room for the lock
      }
      try (var store = DirectoryJournals.open(folder, DiskAccess.CACHED, 200, USER);
          var journal = store.open("a", 0)) {
        assertThat(records(journal)).as("%d blocks", blocks).isEqualTo(stable);
      }
      disk.close();
    }
  }

  @Test
  void syncsManyRecordsAtOnce() throws Exception {
    var syncs = new AtomicInteger();
    var begun = new CountDownLatch(1);
    var mayEnd = new CountDownLatch(1);
    var disk =
        new DiskAccess(true) {
          @Override
          void sync(FileChannel file) throws IOException {
            if (syncs.incrementAndGet() == 1) {
              begun.countDown();
              try {
                mayEnd.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            }
          }
        };
    try (var store = DirectoryJournals.open(temporary.resolve("s"), disk, 1 << 20, USER);
        var journal = store.open("a", 0)) {
      var first = journal.stable(journal.append(bytes("first")));
      begun.await();
      List<CompletableFuture<Void>> gathered = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        gathered.add(journal.stable(journal.append(bytes("next " + i))));
      }
      assertThat(first.isDone()).isFalse();
      mayEnd.countDown();
      CompletableFuture.allOf(gathered.toArray(CompletableFuture[]::new)).join();
      first.join();
      assertThat(syncs).hasValue(2);
    }
  }

  @Test
  void failsForGoodWhenASyncFails() throws Exception {
    var disk =
        new DiskAccess(true) {
          private int syncs;

          @Override
          void sync(FileChannel file) throws IOException {
            if (++syncs == 1) {
              throw new IOException("Input/output error");
            }
          }
        };
    try (var store = DirectoryJournals.open(temporary.resolve("s"), disk, 1 << 20, USER);
        var journal = store.open("a", 0)) {
      var stable = journal.stable(journal.append(bytes("one")));
      assertThatThrownBy(stable::join)
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("s/journals/a could not be made stable: Input/output error");
      assertThatThrownBy(() -> journal.append(bytes("two"))).hasMessageContaining("Input/output");
    }
  }

  @Test
  void saysWhyItCannotBeOpened() throws IOException {
    var file = Files.writeString(temporary.resolve("file"), "");
    assertThatThrownBy(() -> Store.directory(file.resolve("below")).open(USER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the store " + file + "/below cannot be opened: ")
        .hasMessageContaining("give a directory that this user may write");
  }

  @Test
  void saysWhyAJournalCannotBeOpened() throws IOException {
    var folder = temporary.resolve("s");
    var disk =
        new DiskAccess(false) {
          @Override
          void createFolder(Path created) throws IOException {
            if (created.startsWith(folder.resolve("journals/a"))) {
              throw new FileSystemException(created.toString(), null, "Read-only file system");
            }
            super.createFolder(created);
          }
        };
    try (var store = DirectoryJournals.open(folder, disk, 4096, USER)) {
      assertThatThrownBy(() -> store.open("a", 0))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the store %s could not open the journal 'a': Read-only file system; mount it for writing"
                  .formatted(folder));
    }
  }

  @Test
  void isFoundByAnotherNameOfItsDirectory() throws IOException {
    var link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("s"));
    var other = new StoreUser("r2", 2, "h", Instant.EPOCH);
    try (var store = Store.directory(temporary.resolve("s")).open(USER)) {
      assertThatThrownBy(() -> Store.directory(link).open(other))
          .hasMessageContaining("is used by the run 'r1'");
      assertThat(store).hasToString(temporary.resolve("s").toString());
    }
  }

  @Test
  void finishesATakeOverThatWasBrokenOff() throws IOException {
    appendThree();
    var half = Files.createDirectories(place().resolveSibling("1.new"));
    Files.writeString(half.resolve("image"), "half");
    try (var store = store();
        var journal = store.open("a", 1)) {
      assertThat(records(journal)).hasSize(3);
      assertThat(journal.image()).isPresent();
    }
    assertThat(place()).doesNotExist();
    assertThat(half).doesNotExist();
  }

  @Test
  void neitherDeletesNorWritesWhatALinkLeadsTo() throws IOException {
    appendThree();
    var others = Files.createDirectory(temporary.resolve("others"));
    var file = Files.writeString(others.resolve("file"), "precious");
    Files.createSymbolicLink(place().resolve("link"), others);
    Files.createSymbolicLink(place().resolve("image.new"), file);

    try (var store = store()) {
      try (var journal = store.open("a", 0)) {
        assertThatThrownBy(() -> journal.replace(3, bytes("new")))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(place().toString());
        journal.replace(3, bytes("newer")); // the link is gone
      }
      store.delete("a");
    }

    assertThat(file).hasContent("precious");
    assertThat(place()).doesNotExist();
  }

  @Test
  void isNotLockedThroughALink() throws IOException {
    var folder = Files.createDirectory(temporary.resolve("s"));
    var file = Files.writeString(temporary.resolve("file"), "precious");
    Files.createSymbolicLink(folder.resolve("lock"), file);

    assertThatThrownBy(this::store)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be opened: its file 'lock' is a symbolic link; give a");

    assertThat(file).hasContent("precious");
  }

  @Test
  void filesInThePlaceOfFoldersAreNamed() throws IOException {
    appendThree();
    var journals = temporary.resolve("s").resolve("journals");
    Files.writeString(journals.resolve("b"), "no folder");
    try (var store = store()) {
      assertThat(store.names()).containsExactlyInAnyOrder("a", "b");
      for (var action :
          List.<ThrowingCallable>of(() -> store.epoch("b"), () -> store.open("b", 0))) {
        assertThatThrownBy(action)
            .isInstanceOf(IOException.class)
            .hasMessageContaining(journals.resolve("b") + " is a file, where the store needs a")
            .hasMessageContaining("delete the file to give up what it keeps");
      }
    }
    Files.delete(journals.resolve("b"));
    Files.move(journals, temporary.resolve("aside"));
    Files.writeString(journals, "no folder");
    assertThatThrownBy(this::store)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(journals + " is a file, where the store needs a folder; restore");
  }

  @Test
  void aFolderWithoutAStoreIsDistinguishedFromNone() throws IOException {
    var user = new StoreUser("r", 1, "localhost", Instant.now());
    var folder = Files.createDirectory(temporary.resolve("empty"));
    assertThatThrownBy(() -> DirectoryJournals.openExisting(folder, false, user))
        .isInstanceOf(MissingJournalException.class)
        .hasMessageContaining(
            "the folder " + folder + " on host localhost exists, but has no store")
        .hasMessageContaining("deploy without resuming to begin one there");
    assertThat(folder).isEmptyDirectory();
  }
}
