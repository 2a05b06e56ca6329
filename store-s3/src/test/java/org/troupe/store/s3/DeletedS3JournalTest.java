package org.troupe.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.store.s3.S3StoreTest.OTHER;
import static org.troupe.store.s3.S3StoreTest.PARTS;
import static org.troupe.store.s3.S3StoreTest.USER;
import static org.troupe.store.s3.S3StoreTest.bornWithOneRecord;
import static org.troupe.store.s3.S3StoreTest.bytes;
import static org.troupe.store.s3.S3StoreTest.image;
import static org.troupe.store.s3.S3StoreTest.key;
import static org.troupe.store.s3.S3StoreTest.records;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.StoreUser;

/** Journals in S3 that are deleted while others open or write them, request by request. */
@Timeout(120)
class DeletedS3JournalTest {

  private static final Duration LONG = Duration.ofHours(2);

  private S3Server server;

  @BeforeEach
  void start() {
    server = S3Server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Journals open(StoreUser user) throws IOException {
    return S3Journals.open(server.bucket(server.store()), user);
  }

  /** Makes all parts and signs as old as if the last deletion had happened some time ago. */
  private void isDeletedFor(Duration time) {
    var signs = server.objects.keys("troupe/run/sign-");
    server.objects.isAged = key -> key.startsWith(PARTS) || signs.contains(key);
    server.objects.age = time;
  }

  @Test
  void deletesAllObjectsOfAJournalButTheLast() throws Exception {
    try (var store = open(USER)) {
      var journal = store.open("a", 5);
      journal.replace(0, bytes("image"));
      store.delete("a");
      store.delete("a");
      assertThat(server.objects.keys("troupe/journals/")).containsExactly(key(3));
      assertThat(server.objects.keys("troupe/images/")).isEmpty();
      assertThat(store.names()).isEmpty();
      try (var again = store.open("a", 0)) {
        assertThat(image(again)).isEqualTo("none");
        assertThat(server.objects.keys(PARTS)).containsExactly(key(4));
      }
    }
  }

  @Test
  void theNextRunForgetsDeletedJournals() throws Exception {
    try (var store = open(USER)) {
      store.open("b", 0).close();
      store.open("a", 0).close();
      server.objects.refusesDeletions = key(1)::equals;
      assertThatThrownBy(() -> store.delete("a")).isInstanceOf(IOException.class);
      server.objects.refusesDeletions = key -> false;
      assertThat(server.objects.keys(PARTS)).containsExactly(key(1), key(2));
    }
    isDeletedFor(LONG);
    try (var store = open(OTHER)) {
      Waits.until(() -> server.objects.keys(PARTS).isEmpty(), "the deleted journal is forgotten");
      assertThat(store.names()).containsExactly("b");
    }
  }

  @Test
  void theNextRunDeletesTheImagesThatADeletionHasLeft() throws Exception {
    try (var store = open(USER)) {
      store.open("a", 0).replace(0, bytes("image"));
      server.objects.refusesDeletions = key -> key.startsWith("troupe/images/");
      assertThatThrownBy(() -> store.delete("a")).isInstanceOf(IOException.class);
      server.objects.refusesDeletions = key -> false;
      assertThat(server.objects.keys("troupe/images/")).hasSize(1);
    }
    isDeletedFor(LONG);
    try (var store = open(OTHER)) {
      Waits.until(() -> server.objects.keys(PARTS).isEmpty(), "the deleted journal is forgotten");
      assertThat(server.objects.keys("troupe/images/")).isEmpty();
      assertThat(store.names()).isEmpty();
    }
  }

  @Test
  void anOpeningThatADeletionOvertakesFindsNoJournal() throws Exception {
    try (var store = open(USER)) {
      bornWithOneRecord(store);
      server.objects.beforePut(key(4), () -> deleted(store));
      assertThatThrownBy(() -> store.openExisting("a", 1))
          .isInstanceOf(MissingJournalException.class);
      assertThat(store.names()).isEmpty();
      assertThat(store.epoch("a")).isEmpty();
    }
  }

  private static boolean deleted(Journals store) throws IOException {
    store.delete("a", 0);
    return true;
  }

  @Test
  void aListDuringADeletionShowsNoDamage() throws Exception {
    try (var store = open(USER)) {
      bornWithOneRecord(store);
      server.objects.refusesDeletions = key(3)::equals; // all but the last part are deleted
      server.objects.duringList(
          PARTS,
          () ->
              assertThatThrownBy(() -> store.delete("a", 0))
                  .hasMessageContaining("could not delete"));
      assertThatThrownBy(() -> store.openExisting("a", 1))
          .isInstanceOf(MissingJournalException.class);
      server.objects.refusesDeletions = key -> false;
      assertThat(store.names()).isEmpty();
    }
  }

  @Test
  void aJournalWhoseImageIsReplacedIsFound() throws Exception {
    try (var store = open(USER)) {
      var old = bornWithOneRecord(store);
      server.objects.afterList(PARTS, () -> imaged(old));
      assertThat(store.epoch("a")).hasValue(0);
      server.objects.afterList(PARTS, () -> imaged(old));
      try (var fresh = store.openExisting("a", 1)) {
        assertThat(image(fresh)).isEqualTo("3:image");
      }
    }
  }

  private static boolean imaged(Journal journal) throws IOException {
    journal.replace(journal.append(bytes("more")), bytes("image"));
    return true;
  }

  @Test
  void aWriterOfADeletedJournalHasNoEffectOnTheNextOfThatName() throws Exception {
    try (var store = open(USER)) {
      var old = bornWithOneRecord(store);
      store.openExisting("a", 1).close();
      store.delete("a", 1);
      try (var next = store.open("a", 0)) {
        next.replace(0, bytes("of the next"));
        next.stable(next.append(bytes("two"))).join();
        writeLate(old);
        assertThat(next.append(bytes("three"))).isEqualTo(2);
      }
      assertIsNext(store);
    }
  }

  /** Its process is stopped until another run has the store, and has forgotten what was deleted. */
  @Test
  void aWriterOfAnEarlierRunHasNoEffectOnTheNextJournalOfThatName() throws Exception {
    var dead = open(USER);
    var old = bornWithOneRecord(dead);
    dead.delete("a", 0);
    isDeletedFor(LONG);
    try (var store = open(OTHER)) {
      Waits.until(() -> server.objects.keys(PARTS).isEmpty(), "the deleted journal is forgotten");
      try (var next = store.open("a", 0)) {
        next.replace(0, bytes("of the next"));
        next.append(bytes("two"));
        next.append(bytes("three"));
      }
      writeLate(old);
      assertIsNext(store);
    }
    dead.close();
  }

  /**
   * Its process is stopped until another run has the store, which does not forget what was deleted
   * so soon: else the late part would be all that is left of a journal.
   */
  @Test
  void aWriterOfAnEarlierRunHasNoEffectBeforeTheNextJournalOfThatName() throws Exception {
    var dead = open(USER);
    var old = bornWithOneRecord(dead);
    dead.delete("a", 0);
    isDeletedFor(Duration.ofSeconds(90));
    try (var store = open(OTHER)) {
      writeLate(old);
      try (var next = store.open("a", 0)) {
        assertThat(image(next)).isEqualTo("none");
        next.replace(0, bytes("of the next"));
        next.append(bytes("two"));
        next.append(bytes("three"));
      }
      assertIsNext(store);
    }
    dead.close();
  }

  private static void writeLate(Journal old) {
    try {
      old.replace(1, bytes("late"));
      old.stable(old.append(bytes("late"))).join();
    } catch (IOException | CompletionException e) {
      // it may notice
    }
  }

  private static void assertIsNext(Journals store) throws IOException {
    assertThat(store.epoch("a")).hasValue(0);
    try (var again = store.openExisting("a", 1)) {
      assertThat(image(again)).isEqualTo("0:of the next");
      assertThat(records(again)).containsExactly("1:two", "2:three");
    }
  }
}
