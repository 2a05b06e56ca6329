package org.troupe.activeobjects.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.StoreUser;

/** What every store does. A test of a store extends this class, in the module of the store. */
@Timeout(120)
public abstract class StoreContract {

  private static final StoreUser OURS =
      new StoreUser("r17", 4242, "h", Instant.now().truncatedTo(ChronoUnit.MILLIS));
  private static final StoreUser OTHERS =
      new StoreUser("r18", 4243, "h2", Instant.now().truncatedTo(ChronoUnit.MILLIS));

  private static final int ROUNDS = 20; // of races

  /** Opens the store under test, which is empty when a test begins. */
  protected abstract Journals open(StoreUser user) throws IOException;

  /** Lets all writes fail until {@link #mend}. */
  protected abstract void breakDown() throws IOException;

  /** Lets writes succeed again. */
  protected abstract void mend() throws IOException;

  private Journals open() throws IOException {
    return open(OURS);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static List<String> records(Journal journal) throws IOException {
    List<String> found = new ArrayList<>();
    journal.records((number, content) -> found.add(number + ":" + new String(content, UTF_8)));
    return found;
  }

  private static String image(Journal journal) throws IOException {
    return journal
        .image()
        .map(each -> each.upTo() + ":" + new String(each.content(), UTF_8))
        .orElse("none");
  }

  @Test
  void createsAnEmptyJournal() throws IOException {
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(image(journal)).isEqualTo("none");
      assertThat(records(journal)).isEmpty();
      assertThat(journal.last()).isZero();
    }
  }

  @Test
  void copiesAJournalToAnotherNameWhileItIsWritten() throws IOException {
    try (var store = open();
        var journal = store.open("object-1", 3)) {
      journal.append(bytes("one"));
      journal.replace(1, bytes("image"));
      journal.append(bytes("two"));
      var mark = journal.append(bytes("three"));
      journal.stable(mark).join();
      journal.append(bytes("behind the mark"));
      try (var copy = store.open("save.s.object-1", 3)) { // as save points do
        copy.replace(0, ByteBuffer.wrap(journal.image().orElseThrow().content()));
        journal.records(
            (number, content) -> {
              if (number <= mark) {
                copy.append(ByteBuffer.wrap(content));
                journal.append(bytes("meanwhile"));
              }
            });
      }
      journal.replace(journal.last(), bytes("later"));
    }
    try (var store = open()) {
      store.delete("object-1");
      assertThat(store.names()).containsExactly("save.s.object-1");
      try (var copy = store.openExisting("save.s.object-1", 3)) {
        assertThat(image(copy)).isEqualTo("0:image");
        assertThat(records(copy)).containsExactly("1:two", "2:three");
      }
    }
  }

  @Test
  void createsNoJournalThatShouldBeThere() throws IOException {
    try (var store = open()) {
      assertThatThrownBy(() -> store.openExisting("a", 1))
          .isInstanceOf(MissingJournalException.class)
          .hasMessageContaining("has no journal 'a' here");
      assertThat(store.names()).isEmpty();
      assertThat(store.epoch("a")).isEmpty();
      store.open("a", 3).close();
      assertThat(store.epoch("a")).hasValue(3);
      store.openExisting("a", 5).close();
      assertThat(store.epoch("a")).hasValue(5);
      store.delete("a");
      assertThat(store.epoch("a")).isEmpty();
    }
  }

  @Test
  void findsStableRecordsAgainInTheirOrder() throws IOException {
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(journal.append(bytes("one"))).isEqualTo(1);
      assertThat(journal.append(bytes("t"), bytes(""), bytes("wo"))).isEqualTo(2);
      assertThat(journal.append()).isEqualTo(3);
      journal.stable(3).join();
      assertThat(records(journal)).containsExactly("1:one", "2:two", "3:");
    }
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(journal.last()).isEqualTo(3);
      assertThat(records(journal)).containsExactly("1:one", "2:two", "3:");
      assertThat(journal.append(bytes("four"))).isEqualTo(4);
      journal.stable(4).join();
      assertThat(records(journal)).endsWith("3:", "4:four");
    }
  }

  @Test
  void makesWhatWasAppendedStableWhenItIsClosed() throws IOException {
    try (var store = open();
        var journal = store.open("a", 0)) {
      journal.append(bytes("one"));
    }
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(records(journal)).containsExactly("1:one");
    }
  }

  @Test
  void replacesRecordsByAnImageThatHasTheirEffect() throws IOException {
    try (var store = open();
        var journal = store.open("a", 0)) {
      for (var each : List.of("one", "two", "three")) {
        journal.append(bytes(each));
      }
      journal.replace(2, bytes("image"), bytes(" of two"));
      assertThat(image(journal)).isEqualTo("2:image of two");
      journal.stable(3).join();
      assertThat(records(journal)).containsExactly("3:three");
    }
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(image(journal)).isEqualTo("2:image of two");
      assertThat(records(journal)).containsExactly("3:three");
      journal.replace(3, bytes("image of three"));
      assertThat(journal.append(bytes("four"))).isEqualTo(4);
      journal.stable(4).join();
    }
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(image(journal)).isEqualTo("3:image of three");
      assertThat(records(journal)).containsExactly("4:four");
    }
  }

  @Test
  void goesOnCountingBehindAnImageWithoutRecords() throws IOException {
    try (var store = open();
        var journal = store.open("a", 0)) {
      journal.replace(0, bytes("born"));
      journal.append(bytes("one"));
      journal.replace(1, bytes("later"));
    }
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(journal.last()).isEqualTo(1);
      assertThat(journal.append(bytes("two"))).isEqualTo(2);
      journal.stable(2).join();
      assertThat(image(journal)).isEqualTo("1:later");
      assertThat(records(journal)).containsExactly("2:two");
    }
  }

  @Test
  void refusesAnImageOfRecordsThatAreNotThere() throws IOException {
    try (var store = open();
        var journal = store.open("a", 0)) {
      journal.append(bytes("one"));
      assertThatIllegalArgumentException().isThrownBy(() -> journal.replace(2, bytes("image")));
      journal.replace(1, bytes("image"));
      assertThatIllegalArgumentException().isThrownBy(() -> journal.replace(0, bytes("older")));
      assertThatIllegalArgumentException().isThrownBy(() -> journal.stable(2));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4095, 4096, 65_536, 3_000_001})
  void keepsRecordsAndImagesOfAnySize(int size) throws IOException {
    var large = new byte[size];
    new Random(size).nextBytes(large);
    try (var store = open();
        var journal = store.open("a", 0)) {
      journal.replace(0, ByteBuffer.wrap(large));
      journal.append(ByteBuffer.wrap(large));
      journal.append(bytes("behind"));
      journal.stable(2).join();
    }
    try (var store = open();
        var journal = store.open("a", 0)) {
      assertThat(journal.image().orElseThrow().content()).isEqualTo(large);
      List<byte[]> found = new ArrayList<>();
      journal.records((number, content) -> found.add(content));
      assertThat(found).hasSize(2);
      assertThat(Arrays.equals(found.getFirst(), large)).isTrue();
    }
  }

  @Test
  void copiesWhatItIsGiven() throws IOException {
    var record = "before".getBytes(UTF_8);
    try (var store = open();
        var journal = store.open("a", 0)) {
      journal.append(ByteBuffer.wrap(record));
      record[0] = '!';
      journal.stable(1).join();
      assertThat(records(journal)).containsExactly("1:before");
    }
  }

  @Test
  void listsAndDeletesJournals() throws IOException {
    try (var store = open()) {
      assertThat(store.names()).isEmpty();
      for (var name : List.of("b", "a-1.x_Y", "A-1.x_Y")) {
        var journal = store.open(name, 0);
        journal.replace(0, bytes(name));
        journal.close();
      }
      assertThat(store.names()).containsExactlyInAnyOrder("b", "a-1.x_Y", "A-1.x_Y");
      store.delete("b");
      store.delete("never");
      assertThat(store.names()).containsExactlyInAnyOrder("a-1.x_Y", "A-1.x_Y");
    }
    try (var store = open();
        var journal = store.open("b", 0)) {
      assertThat(image(journal)).isEqualTo("none");
      assertThat(journal.append(bytes("one"))).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", ".x", "a/b", "a b", "ä", "a\0", "a\nb"})
  void refusesNamesThatWouldLeadElsewhere(String name) throws IOException {
    try (var store = open()) {
      assertThatIllegalArgumentException().isThrownBy(() -> store.open(name, 0));
      assertThatIllegalArgumentException().isThrownBy(() -> store.delete(name));
    }
  }

  @Test
  void continuesAJournalInAHigherEpoch() throws IOException {
    try (var store = open()) {
      try (var journal = store.open("a", 3)) {
        for (var each : List.of("one", "two", "three")) {
          journal.append(bytes(each));
        }
        journal.replace(1, bytes("image"));
      }
      try (var journal = store.open("a", 7)) {
        assertThat(image(journal)).isEqualTo("1:image");
        assertThat(records(journal)).containsExactly("2:two", "3:three");
        assertThat(journal.append(bytes("four"))).isEqualTo(4);
      }
      assertThat(store.names()).containsExactly("a");
      assertThatThrownBy(() -> store.open("a", 3))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was opened with epoch 7");
    }
  }

  @Test
  void passesTheRecordsOfAFormerEpochAsOftenAsAskedAndWithLaterOnes() throws IOException {
    try (var store = open()) {
      try (var journal = store.open("a", 3)) {
        journal.append(bytes("one"));
        journal.append(bytes("two"));
        journal.replace(1, bytes("image"));
      }
      try (var journal = store.open("a", 7)) {
        assertThat(records(journal)).containsExactly("2:two");
        assertThat(records(journal)).containsExactly("2:two");
      }
      try (var journal = store.open("a", 8)) {
        journal.append(bytes("three"));
        assertThat(records(journal)).containsExactly("2:two", "3:three");
      }
      try (var journal = store.open("a", 9)) {
        journal.replace(3, bytes("later"));
        assertThat(records(journal)).isEmpty();
        assertThat(image(journal)).isEqualTo("3:later");
      }
    }
  }

  @Test
  void ignoresWhateverALowerEpochWritesAfterwards() throws IOException {
    try (var store = open();
        var old = store.open("a", 0)) {
      old.replace(0, bytes("born"));
      old.append(bytes("one"));
      old.stable(1).join();
      try (var fresh = store.open("a", 1)) {
        attempt(() -> old.append(bytes("late")));
        attempt(() -> old.stable(2).get());
        attempt(
            () -> {
              old.replace(1, bytes("late image"));
              return null;
            });
        assertThat(image(fresh)).isEqualTo("0:born");
        assertThat(records(fresh)).containsExactly("1:one");
        assertThat(fresh.append(bytes("two"))).isEqualTo(2);
        fresh.stable(2).join();
      }
      attempt(() -> old.append(bytes("later")));
      try (var again = store.open("a", 1)) {
        assertThat(image(again)).isEqualTo("0:born");
        assertThat(records(again)).containsExactly("1:one", "2:two");
      }
    }
  }

  @Test
  void deletesNoJournalThatAHigherEpochHasOpened() throws IOException {
    try (var store = open();
        var old = store.open("a", 3)) {
      old.replace(0, bytes("born"));
      old.append(bytes("one"));
      old.stable(1).join();
      try (var fresh = store.openExisting("a", 4)) {
        store.delete("a", 3);
        assertThat(store.epoch("a")).hasValue(4);
        assertThat(image(fresh)).isEqualTo("0:born");
        assertThat(records(fresh)).containsExactly("1:one");
        fresh.replace(1, bytes("later"));
      }
      store.delete("a", 4);
      assertThat(store.epoch("a")).isEmpty();
      assertThat(store.names()).isEmpty();
      assertThatThrownBy(() -> store.openExisting("a", 5))
          .isInstanceOf(MissingJournalException.class);
      assertThat(store.names()).isEmpty();
    }
  }

  @Test
  void readingADeletedJournalSaysSo() throws IOException {
    try (var store = open();
        var journal = store.open("a", 0)) {
      journal.replace(0, bytes("born"));
      journal.append(bytes("one"));
      journal.stable(1).join();
      store.delete("a");
      assertThatThrownBy(journal::image)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has been taken over or deleted");
      assertThatThrownBy(() -> records(journal))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has been taken over or deleted");
    }
  }

  /** A process that is only taken for lost ends its object while another one goes on with it. */
  @Test
  void opensAWholeJournalOrNoneWhileALowerEpochDeletesIt() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var store = open()) {
      for (int round = 0; round < ROUNDS; round++) {
        var name = "a" + round;
        try (var old = store.open(name, 0)) {
          old.replace(0, bytes("born"));
          old.append(bytes("one"));
        }
        var deleted =
            threads.submit(
                () -> {
                  store.delete(name, 0);
                  return name;
                });
        try (var journal = store.openExisting(name, 1)) {
          deleted.get(60, TimeUnit.SECONDS);
          assertThat(image(journal)).as("round %d", round).isEqualTo("0:born");
          assertThat(records(journal)).as("round %d", round).containsExactly("1:one");
          assertThat(store.names()).contains(name);
        } catch (MissingJournalException gone) {
          deleted.get(60, TimeUnit.SECONDS);
          assertThat(store.names()).doesNotContain(name);
        }
      }
    }
  }

  /** A process that is only taken for lost goes on with its object. */
  @Test
  void findsWhatWasStableWhileALowerEpochReplacesItsImage() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var store = open()) {
      var journal = store.open("a", 0);
      journal.replace(0, bytes("0"));
      for (int epoch = 1; epoch <= ROUNDS; epoch++) {
        var old = journal;
        var stable = new AtomicLong(old.last());
        var taken = threads.submit(() -> writeUntilTakenOver(old, stable));
        var before = stable.get();
        journal = store.open("a", epoch);
        var image = journal.image().orElseThrow();
        assertThat(new String(image.content(), UTF_8)).isEqualTo("" + image.upTo());
        var last = new AtomicLong(image.upTo());
        journal.records(
            (number, content) -> {
              assertThat(number).isEqualTo(last.incrementAndGet());
              assertThat(new String(content, UTF_8)).isEqualTo("" + number);
            });
        assertThat(last.get()).isEqualTo(journal.last()).isGreaterThanOrEqualTo(before);
        journal.append(bytes("" + (journal.last() + 1))); // so that the former one cannot go on
        journal.stable(journal.last()).join();
        attempt(
            () -> {
              old.close();
              return null;
            });
        taken.get(60, TimeUnit.SECONDS);
      }
      journal.close();
    }
  }

  /**
   * Appends records and replaces images, until the journal is closed or says that it has failed.
   */
  private static void writeUntilTakenOver(Journal journal, AtomicLong stable) {
    try {
      while (true) {
        for (int i = 0; i < 3; i++) {
          var number = journal.append(bytes("" + (journal.last() + 1)));
          journal.stable(number).join();
          stable.set(number);
        }
        journal.replace(journal.last(), bytes("" + journal.last()));
      }
    } catch (IOException | CompletionException over) {
      // a higher epoch has the journal, or it was closed
    }
  }

  /** Tries what may fail. */
  private static void attempt(Callable<?> work) {
    try {
      work.call();
    } catch (Exception e) {
      // may fail
    }
  }

  @Test
  void belongsToOneRunAtATime() throws IOException {
    try (var ours = open();
        var more = open(new StoreUser("r17", 4711, "h3", Instant.now()))) {
      assertThatThrownBy(() -> open(OTHERS))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is used by the run 'r17' (process 4242 on host h) since ")
          .hasMessageContaining("; end that, or give another");
      ours.open("a", 0).close();
      ours.close();
      assertThatThrownBy(() -> open(OTHERS)).hasMessageContaining("is used by the run 'r17'");
      more.open("b", 0).close();
    }
    try (var others = open(OTHERS)) {
      assertThat(others.names()).containsExactlyInAnyOrder("a", "b");
      assertThatThrownBy(this::open)
          .hasMessageContaining("is used by the run 'r18' (process 4243 on host h2)");
    }
    open().close();
  }

  @Test
  void writesNothingAfterItIsClosed() throws IOException {
    var store = open();
    var journal = store.open("a", 0);
    var other = store.open("b", 0);
    journal.close();
    journal.close();
    assertThatThrownBy(() -> journal.append(bytes("late"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> journal.replace(0, bytes("late"))).isInstanceOf(IOException.class);
    store.close();
    store.close();
    assertThatThrownBy(() -> other.append(bytes("late"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.open("c", 0)).isInstanceOf(IOException.class);
  }

  @Test
  void numbersRecordsOfSeveralThreadsWithoutGaps() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var store = open();
        var journal = store.open("a", 0)) {
      List<Future<List<Long>>> numbers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        var thread = i;
        numbers.add(
            threads.submit(
                () -> {
                  List<Long> own = new ArrayList<>();
                  for (int each = 0; each < 50; each++) {
                    var number = journal.append(bytes("t" + thread + "." + each));
                    journal.stable(number).get(60, TimeUnit.SECONDS);
                    own.add(number);
                  }
                  return own;
                }));
      }
      for (int i = 0; i < 20; i++) {
        journal.replace(journal.last(), bytes("image " + i));
      }
      List<Long> all = new ArrayList<>();
      for (var each : numbers) {
        all.addAll(each.get(60, TimeUnit.SECONDS));
      }
      assertThat(all)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 400).boxed().toList());
      assertThat(journal.last()).isEqualTo(400);
      var upTo = journal.image().orElseThrow().upTo();
      assertThat(records(journal)).hasSize((int) (400 - upTo));
    }
  }

  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // whatever it waits for
  void appendsManyBytesUnderALockThatStagesOfFormerRecordsNeed() throws IOException {
    var store = open();
    var journal = store.open("a", 0);
    var lock = new ReentrantLock();
    CompletableFuture<Void> stage;
    lock.lock();
    try {
      stage =
          journal
              .stable(journal.append(bytes("one")))
              .thenRun(
                  () -> {
                    lock.lock();
                    lock.unlock();
                  });
      journal.append(ByteBuffer.wrap(new byte[2 << 20])); // more than a store keeps in memory
    } finally {
      lock.unlock();
    }
    stage.join();
    assertThat(journal.last()).isEqualTo(2);
    journal.close();
    store.close();
  }

  @Test
  void keepsTheFormerImageAndTheLogWhileItCannotWrite() throws IOException {
    try (var store = open()) {
      var journal = store.open("a", 0);
      journal.replace(0, bytes("born"));
      journal.append(bytes("one"));
      journal.stable(1).join();

      breakDown();
      assertThatThrownBy(() -> journal.replace(1, ByteBuffer.wrap(new byte[100_000])))
          .isInstanceOf(IOException.class);
      mend();
      assertThat(image(journal)).isEqualTo("0:born");
      assertThat(records(journal)).containsExactly("1:one");
      journal.replace(1, bytes("mended"));
      assertThat(image(journal)).isEqualTo("1:mended");
      journal.close();
    }
  }

  @Test
  void takesNoRecordAfterOneThatItCouldNotWrite() throws IOException {
    try (var store = open()) {
      var journal = store.open("a", 0);
      journal.append(bytes("one"));
      journal.stable(1).join();

      breakDown();
      assertThatThrownBy(() -> appendStable(journal, new byte[100_000]))
          .satisfiesAnyOf(
              failure -> assertThat(failure).isInstanceOf(IOException.class),
              failure ->
                  assertThat(failure)
                      .isInstanceOf(CompletionException.class)
                      .hasCauseInstanceOf(IOException.class));
      mend();
      assertThatThrownBy(() -> appendStable(journal, new byte[1])).isInstanceOf(IOException.class);
      attempt(
          () -> {
            journal.close();
            return null;
          });
      try (var again = store.open("a", 1)) {
        assertThat(records(again)).containsExactly("1:one");
        assertThat(again.append(bytes("two"))).isEqualTo(2);
        again.stable(2).join();
        assertThat(records(again)).containsExactly("1:one", "2:two");
      }
    }
  }

  private static void appendStable(Journal journal, byte[] record) throws IOException {
    journal.stable(journal.append(ByteBuffer.wrap(record))).join();
  }

  @Test
  void keepsManyJournalsApart() throws IOException {
    try (var store = open()) {
      for (int i = 0; i < 50; i++) {
        try (var journal = store.open("object-" + i, 0)) {
          journal.replace(0, bytes("image " + i));
          journal.append(bytes("record " + i));
        }
      }
      assertThat(store.names())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, 50).mapToObj(each -> "object-" + each).toList());
      for (int i = 0; i < 50; i++) {
        try (var journal = store.open("object-" + i, 1)) {
          assertThat(image(journal)).isEqualTo("0:image " + i);
          assertThat(records(journal)).containsExactly("1:record " + i);
        }
      }
    }
  }
}
