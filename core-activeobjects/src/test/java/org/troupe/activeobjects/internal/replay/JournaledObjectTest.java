package org.troupe.activeobjects.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.activeobjects.store.StoredImage;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;

/** Logged objects whose logs are in a store. */
@Timeout(300)
class JournaledObjectTest {

  private static final StoreUser USER = new StoreUser("r1", 1, "h", Instant.now());
  private static final NodeId NODE = new NodeId("n", 1);
  private static final CallOrigin CLIENT = new CallOrigin.Process(NODE);
  private static final ObjectIdentity OBJECT = new ObjectIdentity(NODE, "a", 1);
  private static final ObjectIdentity OTHER = new ObjectIdentity(NODE, "a", 2);

  @TempDir private Path folder;

  private final List<Integer> deaths = new ArrayList<>();

  private Journals open() throws IOException {
    return Store.directory(folder).open(USER);
  }

  @Test
  void anObjectThatVanishesAtAnyStepLeavesNoTraceInTheOutcome() throws IOException {
    try (var store = open()) {
      var calm = new JournaledBank(store, "calm", 0);
      var expected = calm.run();
      assertThat(expected.replies()).hasSize(4);
      assertThat(expected.balances()).containsEntry("savings", -10L).containsEntry("giro", 10L);
      assertThat(expected.isSettled()).isTrue();
      for (var passage = 1; passage <= calm.passages; passage++) {
        var faulty = new JournaledBank(store, "fault-" + passage, passage);
        assertThat(faulty.run()).as("vanished at passage %d", passage).isEqualTo(expected);
      }
    }
  }

  @Test
  void lettingAnObjectGoOnAfterItsLogHasFailedIsImpossible() {
    var journal = new ManualJournal();
    var host = new RecordingHost();
    var object = object(journal, host);
    journal.failure = new IOException("No space left on device");

    assertThat(object.perform(o -> o.arrive(CLIENT, first("add 1")))).isFalse();
    assertThat(object.perform(LoggedObject::report)).isFalse();

    assertThat(host.failures)
        .containsExactly(
            "Account '17' could not write its log in a manual journal: No space left on device; it"
                + " has stopped, and nothing that it did since has got out");
    assertThat(host.sent).isEmpty();
  }

  @Test
  void outputWaitsUntilAllInputIsStable() {
    var journal = new ManualJournal();
    var host = new RecordingHost();
    var object = object(journal, host);

    object.perform(o -> o.arrive(CLIENT, first("add 1")));
    object.perform(
        o -> {
          o.begin();
          o.call(OTHER, "note", new CallFingerprint("note", 1), false);
          o.end(1L, 1);
        });
    assertThat(host.sent).isEmpty();

    journal.flush();
    assertThat(host.sent).containsExactly("call note 1", "answer 1");
  }

  @Test
  void aFlushThatFailsStopsTheObjectWithoutOutput() {
    var journal = new ManualJournal();
    var host = new RecordingHost();
    var object = object(journal, host);

    object.perform(o -> o.arrive(CLIENT, first("add 1")));
    object.perform(
        o -> {
          o.begin();
          o.end(1L, 1);
        });
    journal.fail(new IOException("Input/output error"));

    assertThat(host.sent).isEmpty();
    assertThat(host.failures).hasSize(1).first().asString().contains("Input/output error");
    assertThat(object.perform(LoggedObject::report)).isFalse();
  }

  @Test
  void anImageThatCannotBeWrittenLeavesTheObjectServing() {
    var journal = new ManualJournal();
    var host = new RecordingHost();
    var object = object(journal, host);
    var image = object.image(ByteBuffer.allocate(1));
    journal.failure = new IOException("No space left on device");

    assertThat(image).isNotNull();
    assertThatThrownBy(() -> write(image)).hasMessage("No space left on device");

    journal.failure = null;
    assertThat(object.perform(o -> o.arrive(CLIENT, first("add 1")))).isTrue();
    assertThat(host.failures).isEmpty();
  }

  private static void write(JournaledObject.@Nullable ImageWriter image) throws IOException {
    if (image != null) {
      image.write();
    }
  }

  @Test
  void noImageIsMadeWhileARequestIsServed() {
    var object = object(new ManualJournal(), new RecordingHost());

    object.perform(o -> o.arrive(CLIENT, first("add 1")));
    object.perform(LoggedObject::begin);

    assertThat(object.image(ByteBuffer.allocate(1))).isNull();
  }

  @Test
  void aReplayThatDiffersStopsTheObjectAndNamesBothCalls() throws IOException {
    try (var store = open()) {
      try (var first = journaled(store, 0, new RecordingHost())) {
        write(first.image(ByteBuffer.allocate(0)));
        first.perform(o -> o.arrive(CLIENT, first("Account.settle(..)")));
        first.perform(
            o -> {
              o.begin();
              o.call(OTHER, "x", new CallFingerprint("Bank.open(..)", 1), false);
              o.call(OTHER, "x", new CallFingerprint("Bank.rate()", 2), true);
            });
        first.perform(o -> o.answered(OTHER, 2, 5L));
      }
      var host = new RecordingHost();
      try (var again = journaled(store, 1, host)) {
        again.recover(Long.MAX_VALUE);
        again.perform(
            o -> {
              o.begin();
              o.call(OTHER, "x", new CallFingerprint("Bank.open(..)", 1), false);
            });
        host.sent.clear();
        assertThatThrownBy(
                () ->
                    again.perform(
                        o -> o.call(OTHER, "x", new CallFingerprint("Bank.fee(..)", 3), true)))
            .hasMessage(
                "Account '17' does not replay: in request 1 (Account.settle(..)) it called"
                    + " Bank.fee(..) as call 2, where it had called Bank.rate() before; wrap in"
                    + " ActiveObjects.once(..) what differs each time, or resume with the program"
                    + " that wrote the log");
        assertThat(again.perform(o -> o.arrive(CLIENT, new NumberedCall<>(2, 1, "next"))))
            .isFalse();
        assertThat(host.sent).isEmpty();
      }
    }
  }

  @Test
  void aCallWithoutANameSaysNothingOfEarlierOnesThatHaveNames() throws IOException {
    try (var store = open();
        var object = journaled(store, 0, new RecordingHost())) {
      write(object.image(ByteBuffer.allocate(0)));
      var named = new ArrayList<Long>();
      object.perform(
          o -> {
            o.arrive(CLIENT, first("work"));
            o.begin();
            callsNear(o, 100);
            named.add(o.call(OTHER, "x", new CallFingerprint("x", 1), false).number());
            callsNear(o, 200);
            o.end(1L, 1);
            assertThat(sent(o).untaken()).extracting(NumberedCall::number).isEqualTo(named);
            assertThat(sent(o).taken()).isLessThan(named.getFirst());
            o.taken(OTHER, named.getFirst());
            o.arrive(CLIENT, new NumberedCall<>(2, 1, "work"));
            o.begin();
            callsNear(o, 1);
            o.end(2L, 2);
            assertThat(sent(o).untaken()).isEmpty();
            assertThat(sent(o).taken()).isEqualTo(301);
          });
    }
  }

  private static void callsNear(LoggedObject<String, Long> object, int count) {
    for (var i = 0; i < count; i++) {
      var made = object.call(OTHER, "y", new CallFingerprint("y", 1), false);
      object.unnamed(OTHER, made.number());
    }
  }

  private static SentCalls.State<String> sent(LoggedObject<String, Long> object) {
    return Objects.requireNonNull(object.image().sent().get(OTHER), "the account");
  }

  @Test
  void aRequestThatEndsItsProcessAgainAndAgainIsSetAside() throws IOException {
    try (var store = open()) {
      try (var first = journaled(store, 0, new RecordingHost())) {
        write(first.image(ByteBuffer.allocate(0)));
        first.perform(o -> o.arrive(CLIENT, first("explode")));
        first.perform(o -> o.arrive(CLIENT, new NumberedCall<>(2, 1, "note")));
      }
      for (var epoch = 1; epoch <= 3; epoch++) {
        try (var again = journaled(store, epoch, new RecordingHost())) {
          again.recover(Long.MAX_VALUE);
          again.perform(LoggedObject::begin);
          again.perform(o -> deaths.add(o.deaths()));
          again.perform(o -> o.call(OTHER, "x", new CallFingerprint("x", 1), false));
        }
      }
      assertThat(deaths).containsExactly(1, 2, 3);
      try (var last = journaled(store, 4, new RecordingHost())) {
        last.recover(Long.MAX_VALUE);
        last.perform(LoggedObject::begin);
        last.perform(o -> o.setAside(-1L));
      }
      var host = new RecordingHost();
      try (var without = journaled(store, 5, host)) {
        without.recover(1);
        without.perform(
            o -> {
              assertThat(Objects.requireNonNull(o.begin()).call()).isEqualTo("note");
              o.call(OTHER, "y", new CallFingerprint("y", 1), false);
              o.end(2L, 2);
            });
        without.perform(o -> o.resumed(CLIENT, new Resumption<>(2, List.of(), Set.of(1L, 2L))));
        assertThat(host.sent)
            .as("the caller of the failed request has its failure, the number of x is skipped")
            .containsExactly("call y " + ((1L << 32) + 1), "answer -1", "answer 2");
      }
    }
  }

  @Test
  void everyRecordAndTheAccountsSurviveTheirEncodingAndDamageIsReported() throws IOException {
    var logged = new CallOrigin.Logged(OTHER);
    var sent =
        new SentCalls.State<>(
            9,
            9,
            7,
            List.of(new NumberedCall<>(8, 7, "x"), new NumberedCall<>(9, 8, "y")),
            Set.of(3L));
    var request = new TakenRequest<>(logged, 1L << 40, "call");
    List<LogRecord<String, Long>> records =
        List.of(
            new LogRecord.Request<>(new TakenRequest<>(CLIENT, 1, "call")),
            new LogRecord.Request<>(request),
            new LogRecord.Answer<>(OTHER, 4, new CallFingerprint("Bank.rate()", -1), 5L, true),
            new LogRecord.Taken<>(OTHER, 17),
            new LogRecord.Unsent<>(OTHER, 18, 16),
            new LogRecord.Once<>(12, 3, -4L),
            new LogRecord.End<>(12, Long.MIN_VALUE),
            new LogRecord.MadeAgain<>(12),
            new LogRecord.SetAside<>(12, -1L, Map.of(OTHER, sent)));
    for (var each : records) {
      var out = new ByteOutput();
      JournaledBank.CODEC.write(out, each);
      var bytes = out.toByteArray();
      assertThat(JournaledBank.CODEC.readRecords(bytes, "a record")).containsExactly(each);
      for (var length = 0; length < bytes.length; length++) {
        var cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> JournaledBank.CODEC.readRecords(cut, "record 3"))
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("record 3 cannot be read: ");
      }
    }
    var image =
        new LoggedObjectImage<>(
            4,
            9,
            new LoggedObjectImage.Deaths(4, 2),
            List.of(request),
            Map.of(OTHER, sent),
            Map.of(CLIENT, new ReceivedCalls.State<>(6, Map.of(5L, 50L))));
    var out = new ByteOutput();
    JournaledBank.CODEC.write(out, image);
    var bytes = out.toByteArray();
    assertThat(JournaledBank.CODEC.readImage(new ByteInput(bytes), "an image")).isEqualTo(image);
    var earlier = bytes.clone();
    earlier[0] = 1;
    assertThatThrownBy(() -> JournaledBank.CODEC.readImage(new ByteInput(earlier), "an image"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "an image cannot be read: its format 1 is unknown; read it with the version of the library that wrote it");
    for (var length = 0; length < bytes.length; length++) {
      var cut = new ByteInput(bytes, 0, length);
      assertThatThrownBy(() -> JournaledBank.CODEC.readImage(cut, "an image"))
          .isInstanceOf(IOException.class);
    }
  }

  private static NumberedCall<String> first(String call) {
    return new NumberedCall<>(1, 0, call);
  }

  private static JournaledObject<String, Long> journaled(
      Journals store, long epoch, RecordingHost host) throws IOException {
    return new JournaledObject<>(
        "Account '17'",
        OBJECT,
        store.open("account", epoch),
        JournaledBank.CODEC,
        host,
        host::failed);
  }

  private static JournaledObject<String, Long> object(Journal journal, RecordingHost host) {
    return new JournaledObject<>(
        "Account '17'", OBJECT, journal, JournaledBank.CODEC, host, host::failed);
  }

  /** Records what leaves an object. */
  private static final class RecordingHost implements LoggedObjectHost<String, Long> {
    final List<String> sent = new ArrayList<>();
    final List<String> failures = new ArrayList<>();

    void failed(IOException failure) {
      failures.add(String.valueOf(failure.getMessage()));
    }

    @Override
    public void sendCall(
        CallOrigin origin, ObjectIdentity target, NumberedCall<String> call, boolean isAwaited) {
      sent.add("call " + call.call() + " " + call.number());
    }

    @Override
    public void sendAgain(
        CallOrigin origin, ObjectIdentity target, NumberedCall<String> call, long before) {
      sendCall(origin, target, call, false);
    }

    @Override
    public void sendAnswer(CallOrigin origin, long number, Long outcome) {
      sent.add("answer " + outcome);
    }

    @Override
    public void sendTaken(CallOrigin origin, long upTo) {
      sent.add("taken " + upTo);
    }

    @Override
    public void sendAcknowledgement(ObjectIdentity target, long number) {
      sent.add("acknowledgement " + number);
    }

    @Override
    public void sendResumption(ObjectIdentity target, Resumption<String> resumption) {
      sent.add("resumption");
    }

    @Override
    public void deliver(ObjectIdentity target, long number, Long outcome) {}
  }

  /** A journal that makes records stable, or fails, when a test says so. */
  private static final class ManualJournal implements Journal {
    @Nullable IOException failure;
    private long last;
    private final List<CompletableFuture<Void>> flushes = new ArrayList<>();

    void flush() {
      flushes.forEach(each -> each.complete(null));
    }

    void fail(IOException cause) {
      flushes.forEach(each -> each.completeExceptionally(cause));
    }

    private void check() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public Optional<StoredImage> image() {
      return Optional.empty();
    }

    @Override
    public void records(RecordReader reader) {}

    @Override
    public long last() {
      return last;
    }

    @Override
    public long append(ByteBuffer... parts) throws IOException {
      check();
      return ++last;
    }

    @Override
    public CompletableFuture<Void> stable(long number) {
      var flush = new CompletableFuture<Void>();
      flushes.add(flush);
      return flush;
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) throws IOException {
      check();
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return "a manual journal";
    }
  }
}
