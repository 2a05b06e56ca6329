package org.troupe.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.contract.StoreContract;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.store.s3.S3Server.Conditions;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;

/** The store in S3: the contract, and the faults that only a server of objects can have. */
@Timeout(120)
class S3StoreTest {

  static final StoreUser USER = new StoreUser("r1", 1, "h", Instant.EPOCH);
  static final StoreUser OTHER = new StoreUser("r2", 2, "h", Instant.EPOCH);
  static final String PARTS = "troupe/journals/a/";

  private S3Server server;

  @BeforeEach
  void start() {
    server = S3Server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Nested
  class InMemory extends StoreContract {
    @Override
    protected Journals open(StoreUser user) throws IOException {
      return S3StoreTest.this.open(user);
    }

    @Override
    protected void breakDown() {
      server.objects.refusesPuts = key -> true;
    }

    @Override
    protected void mend() {
      server.objects.refusesPuts = key -> false;
    }
  }

  private Journals open(StoreUser user) throws IOException {
    return S3Journals.open(server.bucket(server.store()), user);
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  static List<String> records(Journal journal) throws IOException {
    List<String> found = new ArrayList<>();
    journal.records((number, content) -> found.add(number + ":" + new String(content, UTF_8)));
    return found;
  }

  static String image(Journal journal) throws IOException {
    return journal
        .image()
        .map(each -> each.upTo() + ":" + new String(each.content(), UTF_8))
        .orElse("none");
  }

  /** Returns the key of a part of a journal that the first run has created. */
  static String key(long slot) {
    return PARTS + "%016x".formatted(slotOfFirstRun(slot));
  }

  private static long slotOfFirstRun(long slot) {
    return (1L << 32) + slot;
  }

  // The lease

  @Test
  void aRunThatGivesNoSignIsForgotten() throws Exception {
    var dead = open(USER);
    dead.open("a", 0).append(bytes("lost"));
    assertThatThrownBy(() -> open(OTHER))
        .hasMessageContaining("the store s3://grid/troupe/ at http://127.0.0.1:")
        .hasMessageContaining("is used by the run 'r1' (process 1 on host h)")
        .hasMessageContaining("if it was killed, try again in ")
        .hasMessageContaining("it is forgotten after 60 s");

    var signs = server.objects.keys("troupe/run/sign-");
    assertThat(signs).hasSize(1);
    server.objects.isAged = signs::contains;
    server.objects.age = Duration.ofSeconds(90);
    try (var store = open(OTHER);
        var journal = store.open("a", 0)) {
      assertThat(journal.last()).isZero();
      journal.append(bytes("new"));
      journal.stable(1).join();
      assertThatThrownBy(dead::close).hasMessageContaining("has been taken over or deleted");
      assertThat(records(journal)).containsExactly("1:new");
    }
    assertThat(server.objects.keys("troupe/run/")).hasSize(1); // the last user, for its number
  }

  @Test
  void aRunThatHasLostTheStoreWritesNothing() throws Exception {
    try (var bucket = server.bucket(server.store())) {
      var lease = RunLease.take(bucket, USER);
      lease.renew();
      lease.check();
      var signs = server.objects.keys("troupe/run/sign-");
      server.objects.isAged = signs::contains;
      server.objects.age = Duration.ofSeconds(90);
      try (var others = open(OTHER)) {
        lease.renew();
        assertThatThrownBy(lease::check)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("another run has taken over the store s3://grid/troupe/");
        server.objects.isAged = key -> false;
        open(OTHER).close(); // the sign that came too late refuses nobody
        assertThat(others.names()).isEmpty();
      }
      lease.release();
    }
  }

  @Test
  void runsThatComeAtOnceDoNotShareTheStore() throws Exception {
    for (int round = 0; round < 5; round++) {
      var together = new CyclicBarrier(6);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Journals>> opening = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          var user = new StoreUser("run" + i % 3, i, "h", Instant.EPOCH);
          opening.add(
              threads.submit(
                  () -> {
                    together.await();
                    try {
                      return open(user);
                    } catch (IOException refused) {
                      assertThat(refused).hasMessageContaining("is used by the run 'run");
                      return null;
                    }
                  }));
        }
        List<Integer> entered = new ArrayList<>();
        List<Journals> stores = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          var store = opening.get(i).get(60, TimeUnit.SECONDS);
          if (store != null) {
            entered.add(i % 3);
            stores.add(store);
          }
        }
        assertThat(entered.stream().distinct()).hasSize(1);
        assertThat(entered).hasSize(2);
        for (var each : stores) {
          each.close();
        }
      }
    }
  }

  @Test
  void aProcessWhoseSlotWasUsedAndDeletedMeanwhileListsAgain() throws Exception {
    open(USER).close();
    List<Journals> others = new ArrayList<>();
    server.objects.afterList(
        "troupe/run/",
        () -> {
          others.add(open(OTHER));
          others.add(open(OTHER));
          others.getFirst().close(); // deletes its slot, which is not the highest
          return null;
        });
    assertThatThrownBy(() -> open(new StoreUser("r3", 3, "h", Instant.EPOCH)))
        .hasMessageContaining("is used by the run 'r2'");
    assertThat(others).hasSize(2);
    others.get(1).close();
    open(USER).close();
  }

  // Writers of the same journal

  @Test
  void anOpeningWhoseSlotWasUsedAndDeletedMeanwhileBeginsAnew() throws Exception {
    try (var store = open(USER)) {
      var old = store.open("a", 0);
      server.objects.afterList(
          PARTS,
          () -> {
            old.stable(old.append(bytes("one"))).join();
            old.replace(1, bytes("image of one"));
            return null;
          });
      try (var fresh = store.open("a", 1)) {
        assertThat(fresh.last()).isEqualTo(1);
        assertThatThrownBy(() -> old.replace(1, bytes("late")))
            .hasMessageContaining("has been taken over or deleted");
        fresh.append(bytes("two"));
        fresh.stable(2).join();
        assertThat(image(fresh)).isEqualTo("1:image of one");
        assertThat(records(fresh)).containsExactly("2:two");
      }
    }
  }

  @Test
  void everythingThatWasStableIsFoundByTheNextWriterAndNothingElse() throws Exception {
    try (var store = open(USER);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 5; round++) {
        var old = store.open("a", 2 * round);
        var stable = new AtomicLong(old.last());
        var writer =
            threads.submit(
                () -> {
                  while (true) {
                    var number = old.append(bytes("record"));
                    old.stable(number).get(60, TimeUnit.SECONDS);
                    stable.set(number);
                    if (number % 3 == 0) {
                      old.replace(number, bytes("image"));
                    }
                  }
                });
        var goal = stable.get() + 4;
        Waits.until(() -> stable.get() >= goal, "the writer has written");
        var fresh = store.open("a", 2 * round + 1);
        assertThatThrownBy(() -> writer.get(60, TimeUnit.SECONDS))
            .hasStackTraceContaining("the journal 'a' in s3://grid/troupe/ at ")
            .hasStackTraceContaining("has been taken over or deleted");
        assertThat(fresh.last()).isBetween(stable.get(), stable.get() + 1);
        var from = fresh.image().orElseThrow().upTo();
        assertThat(records(fresh)).hasSize((int) (fresh.last() - from));
        fresh.close();
      }
    }
  }

  @Test
  void anImageOfAFormerWriterHasNoEffect() throws Exception {
    try (var store = open(USER)) {
      var old = store.open("a", 0);
      old.replace(0, bytes("born"));
      try (var fresh = store.open("a", 0)) { // of the same epoch
        assertThatThrownBy(() -> old.replace(0, bytes("late")))
            .hasMessageContaining("has been taken over or deleted");
        assertThat(image(fresh)).isEqualTo("0:born");
        fresh.replace(0, bytes("current"));
      }
      try (var again = store.open("a", 1)) {
        assertThat(image(again)).isEqualTo("0:current");
      }
      assertThat(server.objects.keys("troupe/images/a/")).hasSize(1);
    }
  }

  @Test
  void aWriterThatWasLeftBehindTwiceHasNoEffect() throws Exception {
    try (var store = open(USER)) {
      var old = store.open("a", 0);
      old.append(bytes("one"));
      old.stable(1).join();
      var second = store.open("a", 1);
      second.append(bytes("two"));
      second.stable(2).join();
      var third = store.open("a", 2);
      third.replace(2, bytes("image"));
      third.close();
      try {
        old.append(bytes("late"));
        old.stable(2).join();
      } catch (IOException | CompletionException e) {
        // it may notice
      }
      try (var fourth = store.open("a", 3)) {
        assertThat(image(fourth)).isEqualTo("2:image");
        assertThat(records(fourth)).isEmpty();
        fourth.append(bytes("three"));
        fourth.stable(3).join();
        assertThat(records(fourth)).containsExactly("3:three");
      }
    }
  }

  @Test
  void readingAJournalThatWasTakenOverSaysSo() throws Exception {
    try (var store = open(USER)) {
      var old = bornWithOneRecord(store);
      try (var fresh = store.open("a", 1)) {
        fresh.replace(1, bytes("image of one"));
        assertThatThrownBy(old::image).hasMessageContaining("has been taken over or deleted");
        assertThatThrownBy(() -> records(old))
            .hasMessageContaining("has been taken over or deleted");
      }
    }
  }

  static Journal bornWithOneRecord(Journals store) throws IOException {
    var journal = store.open("a", 0); // slot 1
    journal.replace(0, bytes("born")); // slot 2
    journal.stable(journal.append(bytes("one"))).join(); // slot 3
    return journal;
  }

  // Answers that are lost

  @Test
  void aPutWhoseAnswerWasLostIsDone() throws Exception {
    var lost = new AtomicInteger();
    server.objects.losesAnswers = key -> lost.getAndIncrement() % 2 == 0;
    try (var store = open(USER);
        var journal = store.open("a", 0)) {
      journal.replace(0, bytes("image"));
      for (int i = 1; i <= 3; i++) {
        journal.append(bytes("record " + i));
        journal.stable(i).join();
      }
      assertThat(image(journal)).isEqualTo("0:image");
      assertThat(records(journal)).containsExactly("1:record 1", "2:record 2", "3:record 3");
    }
    assertThat(lost.get()).isGreaterThan(5);
  }

  @Test
  void anImageWhosePutSeemedToFailCounts() throws Exception {
    try (var store = open(USER)) {
      var journal = store.open("a", 0);
      journal.replace(0, bytes("born"));
      journal.append(bytes("one"));
      journal.append(bytes("two"));
      journal.stable(2).join();
      server.objects.losesAnswers = key -> key.startsWith(PARTS);
      server.objects.refusesPuts = key -> key.startsWith(PARTS) && isThere(key);
      assertThatThrownBy(() -> journal.replace(1, bytes("image of one")))
          .hasMessageContaining("could not replace an image: the server answered 500");
      server.objects.losesAnswers = key -> false;
      server.objects.refusesPuts = key -> false;

      journal.append(bytes("three"));
      journal.stable(3).join();
      assertThat(records(journal)).containsExactly("2:two", "3:three");
      assertThat(image(journal)).isEqualTo("1:image of one");
      journal.replace(2, bytes("image of two"));
      journal.close();
      try (var again = store.open("a", 1)) {
        assertThat(image(again)).isEqualTo("2:image of two");
        assertThat(records(again)).containsExactly("3:three");
      }
      assertThat(server.objects.keys("troupe/images/a/")).hasSize(1);
    }
  }

  private boolean isThere(String key) {
    return server.objects.blobExists(S3Server.BUCKET, key);
  }

  @Test
  void aRecordWhosePutSeemedToFailIsFoundOrLostButNeverDoubled() throws Exception {
    try (var store = open(USER)) {
      var journal = store.open("a", 0);
      server.objects.losesAnswers = key -> key.startsWith(PARTS);
      server.objects.refusesPuts = key -> key.startsWith(PARTS) && isThere(key);
      assertThatThrownBy(() -> journal.stable(journal.append(bytes("one"))).join())
          .hasCauseInstanceOf(IOException.class);
      server.objects.losesAnswers = key -> false;
      server.objects.refusesPuts = key -> false;
      assertThatThrownBy(() -> journal.append(bytes("two"))).isInstanceOf(IOException.class);
      try (var again = store.open("a", 1)) {
        assertThat(records(again)).containsExactly("1:one"); // as its put was done
      }
    }
  }

  @Test
  void anImageBehindRecordsWhosePutSeemedToFailKeepsThem() throws Exception {
    try (var store = open(USER)) {
      var journal = store.open("a", 0);
      server.objects.losesAnswers = key -> key.startsWith(PARTS);
      server.objects.refusesPuts = key -> key.startsWith(PARTS) && isThere(key);
      for (var each : List.of("one", "two", "three")) {
        journal.append(bytes(each));
      }
      assertThatThrownBy(() -> journal.stable(3).join()).hasCauseInstanceOf(IOException.class);
      server.objects.losesAnswers = key -> false;
      server.objects.refusesPuts = key -> false;
      journal.replace(1, bytes("image of one"));
      try (var again = store.open("a", 1)) {
        assertThat(image(again)).isEqualTo("1:image of one");
        assertThat(records(again)).containsExactly("2:two", "3:three");
      }
    }
  }

  // Damage

  @Test
  void aMissingPartIsFound() throws Exception {
    writeThreeParts();
    server.objects.remove(key(3));
    try (var store = open(USER)) {
      assertThatThrownBy(() -> store.open("a", 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the journal 'a' is damaged: s3://grid/" + key(3) + " is missing")
          .hasMessageContaining("restore that object");
    }
  }

  private void writeThreeParts() throws IOException {
    try (var store = open(USER);
        var journal = store.open("a", 0)) {
      for (int i = 1; i <= 3; i++) {
        journal.stable(journal.append(bytes("record " + i))).join();
      }
    }
    assertThat(server.objects.keys(PARTS)).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 40, 90, 100})
  void aChangedBitIsFound(int offset) throws Exception {
    writeThreeParts();
    for (var slot : List.of(2L, 4L)) {
      var sound = server.objects.content(key(slot));
      var changed = sound.clone();
      changed[offset] ^= 4;
      server.objects.replace(key(slot), changed);
      assertDamaged(key(slot), "do not match their checksum");
      server.objects.replace(key(slot), sound);
    }
  }

  @Test
  void aPartThatWasCutIsFound() throws Exception {
    writeThreeParts();
    for (var length : List.of(0, 3, 20, 90)) {
      var sound = server.objects.content(key(4));
      server.objects.replace(key(4), Arrays.copyOf(sound, length));
      assertDamaged(key(4), length < 4 ? "it has " + length + " bytes" : "do not match");
      server.objects.replace(key(4), sound);
    }
  }

  @Test
  void aPartInTheWrongPlaceIsFound() throws Exception {
    writeThreeParts();
    server.objects.replace(key(3), server.objects.content(key(2)));
    assertDamaged(key(3), "it is the part of slot " + slotOfFirstRun(2));
  }

  private void assertDamaged(String key, String reason) throws IOException {
    try (var store = open(USER)) {
      assertThatThrownBy(
              () -> {
                try (var journal = store.open("a", 0)) {
                  records(journal);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the journal 'a' is damaged: of s3://grid/" + key + ", ")
          .hasMessageContaining(reason);
    }
  }

  @Test
  void aDamagedImageIsFound() throws Exception {
    try (var store = open(USER);
        var journal = store.open("a", 0)) {
      journal.replace(0, bytes("image"));
    }
    var key = server.objects.keys("troupe/images/a/").getFirst();
    try (var store = open(USER);
        var journal = store.open("a", 0)) {
      server.objects.replace(key, "imagf".getBytes(UTF_8));
      assertThatThrownBy(journal::image)
          .hasMessageContaining("s3://grid/" + key + ", its 5 bytes do not match");
      server.objects.replace(key, "imag".getBytes(UTF_8));
      assertThatThrownBy(journal::image)
          .hasMessageContaining("s3://grid/" + key + ", it has 4 of 5 bytes");
      server.objects.remove(key);
      assertThatThrownBy(journal::image).hasMessageContaining("s3://grid/" + key + " is missing");
    }
  }

  // Servers

  @Test
  void aServerThatIsAwayIsNamed() throws Exception {
    URI away;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      away = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    var store = server.store().withEndpoint(away);
    assertThatThrownBy(() -> S3Journals.open(server.bucket(store), USER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the store s3://grid/troupe/ at " + away + " could not be leased")
        .hasMessageContaining("the server does not answer (")
        .hasMessageContaining("check the endpoint, the network, and that the server runs");
  }

  private static final Bucket.Limits SHORT =
      new Bucket.Limits(
          Duration.ofMillis(300), Duration.ofMillis(300), 1 << 30, 64 << 20, 16 << 20);

  @Test
  void aServerThatIsSilentIsNotAwaited() throws Exception {
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var store =
          server.store().withEndpoint(URI.create("http://127.0.0.1:" + socket.getLocalPort()));
      var bucket = Bucket.open(store, S3Server.credentials(), SHORT);
      assertThatThrownBy(() -> S3Journals.open(bucket, USER))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the store s3://grid/troupe/ at http://127.0.0.1:")
          .hasMessageContaining("check the ")
          .hasMessageContaining("that the server runs");
    }
  }

  @Test
  void aServerThatStopsReadingIsNotAwaited() throws Exception {
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var store =
          server.store().withEndpoint(URI.create("http://127.0.0.1:" + socket.getLocalPort()));
      var quick = Bucket.open(store, S3Server.credentials(), SHORT);
      try (quick) {
        var large = ObjectContent.of(new byte[32 << 20]); // more than sockets take
        assertThatThrownBy(() -> quick.create("append to a log", "x", large))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("could not append to a log");
      }
    }
  }

  @Test
  void wrongCredentialsAreNamedWithoutTheSecret() throws Exception {
    for (var each :
        List.of(
            AwsBasicCredentials.create("AKIAUNKNOWN", S3Server.SECRET),
            AwsBasicCredentials.create(S3Server.KEY_ID, "a-wrong-secret"))) {
      var bucket =
          Bucket.open(server.store(), StaticCredentialsProvider.create(each), S3Server.LIMITS);
      assertThatThrownBy(() -> S3Journals.open(bucket, USER))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the server answered 403 ")
          .hasMessageContaining("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile")
          .satisfies(
              failure ->
                  assertThat(failure.getMessage())
                      .doesNotContain(S3Server.SECRET, "a-wrong-secret"));
    }
  }

  @Test
  void missingCredentialsAreNamed() throws Exception {
    var none = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
    var bucket = Bucket.open(server.store(), none, S3Server.LIMITS);
    assertThatThrownBy(() -> S3Journals.open(bucket, USER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("this process has no credentials; set AWS_ACCESS_KEY_ID");
  }

  @Test
  void aMissingBucketIsNamed() throws Exception {
    var store = S3Store.of("nowhere").withEndpoint(server.endpoint());
    assertThatThrownBy(() -> S3Journals.open(server.bucket(store), USER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the bucket 'nowhere' does not exist; create it, or give another");
  }

  @Test
  void aServerWithoutConditionalPutsIsRefused() {
    for (var each : List.of(Conditions.IGNORED, Conditions.REFUSED)) {
      server.objects.conditions = each;
      assertThatThrownBy(() -> open(USER))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not support puts with 'If-None-Match: *'")
          .hasMessageContaining("use a server that does, or another store");
    }
    assertThat(server.objects.keys("")).isEmpty();
  }

  // What a store costs

  @Test
  void recordsThatComeTogetherAreOnePart() throws Exception {
    try (var store = open(USER);
        var journal = store.open("a", 0)) {
      var before = server.objects.puts.get();
      for (int i = 0; i < 500; i++) {
        journal.append(bytes("record " + i));
      }
      journal.stable(500).join();
      assertThat(server.objects.puts.get() - before).isEqualTo(1);
      assertThat(records(journal)).hasSize(500);
    }
  }

  @Test
  void aLargeImageIsUploadedInParts() throws Exception {
    var large = new byte[13 << 20];
    new Random(1).nextBytes(large);
    try (var store = open(USER);
        var journal = store.open("a", 0)) {
      journal.replace(
          0, ByteBuffer.wrap(large, 0, 100), ByteBuffer.wrap(large, 100, large.length - 100));
      assertThat(server.objects.uploads).hasValue(3);
      assertThat(Arrays.equals(journal.image().orElseThrow().content(), large)).isTrue();
    }
  }

  @Test
  void anImageDeletesWhatItReplaces() throws Exception {
    try (var store = open(USER)) {
      try (var journal = store.open("a", 0)) {
        for (int i = 1; i <= 5; i++) {
          journal.append(bytes("record " + i));
          journal.stable(i).join();
          journal.replace(i, bytes("image " + i));
        }
        // The part by which the journal was opened, and the one that names the image.
        assertThat(server.objects.keys(PARTS)).hasSize(2);
        assertThat(server.objects.keys("troupe/images/a/")).hasSize(1);
      }
      try (var journal = store.open("a", 1)) {
        assertThat(image(journal)).isEqualTo("5:image 5");
        journal.replace(5, bytes("image 6"));
        assertThat(server.objects.keys(PARTS)).hasSize(2);
        assertThat(server.objects.keys("troupe/images/a/")).hasSize(1);
      }
    }
  }

  @Test
  void whatCouldNotBeDeletedIsDeletedLater() throws Exception {
    try (var store = open(USER)) {
      try (var journal = store.open("a", 0)) {
        server.objects.refusesDeletions = key -> true;
        for (int i = 0; i < 3; i++) {
          journal.replace(0, bytes("image " + i));
        }
        assertThat(server.objects.keys("troupe/images/a/")).hasSize(3);
      }
      server.objects.refusesDeletions = key -> false;
      try (var journal = store.open("a", 1)) {
        assertThat(server.objects.keys("troupe/images/a/")).hasSize(1);
        assertThat(image(journal)).isEqualTo("0:image 2");
      }
    }
  }

  // Values

  @Test
  void addressesWithCredentialsAreRefusedWithoutShowingThem() {
    for (var each : List.of("https://user:pass-word@host", "ftp://host", "https://host/path")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> S3Store.of("grid").withEndpoint(URI.create(each)))
          .withMessageContaining("is not the address of a server")
          .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("pass-word"));
    }
  }

  @Test
  void namesThatNoServerHasAreRefused() {
    for (Callable<S3Store> each :
        List.<Callable<S3Store>>of(
            () -> S3Store.of("a/b"),
            () -> S3Store.of("x"),
            () -> S3Store.of("grid").withPrefix("/a"),
            () -> S3Store.of("grid").withPrefix("a//b"),
            () -> S3Store.of("grid").withPrefix("ä"),
            () -> S3Store.of("grid").withRegion("Europe (Frankfurt)"))) {
      assertThatIllegalArgumentException().isThrownBy(each::call);
    }
    assertThat(S3Store.of("grid").withPrefix("").toString()).isEqualTo("s3://grid/");
  }
}
