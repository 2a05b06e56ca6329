package org.troupe.activeobjects.internal.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.object.WrappedJournal;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;

/**
 * A scripted program of three logged objects in a store: a client has a teller transfer money
 * between two accounts. One object, at one of the steps that it passes, vanishes and is made again.
 */
final class JournaledBank {

  /** The steps at which an object can vanish. */
  enum Step {
    LOG_BEGUN,
    LOGGED,
    CALL_SENT,
    ANSWER_SENT,
    TAKEN_SENT,
    ACKNOWLEDGED,
    SERVE_BEGUN,
    ONCE_DONE,
    SERVED,
    IMAGE_BEGUN,
    IMAGE_STABLE,
    RESENT
  }

  static final List<String> NAMES = List.of("teller", "savings", "giro");
  static final LogCodec<String, Long> CODEC =
      new LogCodec<>(
          new LogCodec.Content<>() {
            @Override
            public void write(ByteOutput out, String value) {
              out.writeString(value);
            }

            @Override
            public String read(ByteInput in) {
              return in.readString(1000);
            }
          },
          new LogCodec.Content<>() {
            @Override
            public void write(ByteOutput out, Long value) {
              out.writeLong(value);
            }

            @Override
            public Long read(ByteInput in) {
              return in.readLong();
            }
          });

  private static final int TRANSFERS = 4;
  private static final int REQUESTS_PER_IMAGE = 2;
  private static final CallOrigin CLIENT = new CallOrigin.Process(new NodeId("client", 1));

  /** What a run has ended with: the client's replies, and the balances of the accounts. */
  record Result(Map<Long, Long> replies, Map<String, Long> balances, boolean isSettled) {}

  private final class Vanished extends Error {
    private static final long serialVersionUID = 1;
    final transient Member member;

    Vanished(Member member) {
      super(member.name, null, false, false);
      this.member = member;
    }
  }

  private record Delivery(@Nullable Member from, @Nullable Member to, Runnable action) {}

  private final Journals store;
  private final String run;
  private final int vanishesAt; // the passage, counted from 1
  private final Map<ObjectIdentity, Member> members = new LinkedHashMap<>();
  private final Deque<Delivery> network = new ArrayDeque<>();
  private final SentCalls<String> sent = new SentCalls<>();
  private final Map<Long, Long> replies = new TreeMap<>();
  int passages;

  /**
   * Creates the objects.
   *
   * @param run distinguishes this run in the store
   * @param vanishesAt the passage of a step at which an object vanishes; 0 for none
   */
  JournaledBank(Journals store, String run, int vanishesAt) {
    this.store = store;
    this.run = run;
    this.vanishesAt = vanishesAt;
    for (var name : NAMES) {
      var member = new Member(name, members.size() + 1);
      members.put(member.identity, member);
    }
  }

  /** Runs the program until nothing happens any more. */
  Result run() throws IOException {
    for (var each : members.values()) {
      guarded(() -> each.embody(Long.MAX_VALUE));
    }
    for (var i = 1; i <= TRANSFERS; i++) {
      var call = "transfer " + i;
      var numbered = sent.add(i, call, new CallFingerprint(call, i));
      var teller = member("teller");
      network.add(
          new Delivery(
              null,
              teller,
              () -> teller.object().perform(object -> object.arrive(CLIENT, numbered))));
    }
    var isBusy = true;
    while (isBusy) {
      isBusy = false;
      for (Delivery next; (next = network.poll()) != null; ) {
        isBusy = true;
        guarded(next.action::run);
      }
      for (var each : members.values()) {
        while (each.canStep()) {
          isBusy = true;
          guarded(each::step);
        }
        guarded(() -> each.object().perform(LoggedObject::report));
      }
      isBusy |= !network.isEmpty();
    }
    Map<String, Long> balances = new TreeMap<>();
    var isSettled = sent.isSettled();
    for (var each : members.values()) {
      balances.put(each.name, each.balance);
      List<Boolean> settled = new ArrayList<>();
      each.object().perform(object -> settled.add(object.isSettled()));
      isSettled &= settled.equals(List.of(true));
      each.object().close();
    }
    return new Result(replies, balances, isSettled);
  }

  private interface Action {
    void run() throws IOException;
  }

  private void guarded(Action action) throws IOException {
    try {
      action.run();
    } catch (Vanished vanished) {
      var lost = vanished.member;
      network.removeIf(each -> each.from == lost || each.to == lost);
      lost.epoch++;
      lost.embody(Long.MAX_VALUE);
      resume(lost);
      for (var each : members.values()) {
        if (each != lost && each.object != null) {
          each.object().perform(object -> object.resume(lost.identity));
        }
      }
    }
  }

  private void resume(Member teller) {
    if (teller.name.equals("teller") && sent.made() > 0) {
      var resumption = sent.resumption(sent.made());
      network.add(
          new Delivery(
              null,
              teller,
              () -> teller.object().perform(object -> object.resumed(CLIENT, resumption))));
    }
  }

  private Member member(String name) {
    return members.values().stream()
        .filter(each -> each.name.equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void passes(Step step, Member member) {
    Objects.requireNonNull(step);
    if (++passages == vanishesAt) {
      throw new Vanished(member);
    }
  }

  private final class Member implements LoggedObjectHost<String, Long> {
    final String name;
    final ObjectIdentity identity;
    int epoch;
    @Nullable JournaledObject<String, Long> object;
    long balance;
    final Map<List<Object>, Long> ended = new HashMap<>();
    @Nullable TakenRequest<String> request;
    int step;
    @Nullable List<Object> awaited;
    int servedSinceImage;
    private int waiting;

    Member(String name, long number) {
      this.name = name;
      this.identity = new ObjectIdentity(new NodeId("birth", 9), "", number);
    }

    JournaledObject<String, Long> object() {
      return Objects.requireNonNull(object, "an embodied object");
    }

    void embody(long lastBegun) throws IOException {
      var journal = new SteppedJournal(this, store.open(run + "-" + name, epoch));
      var made =
          new JournaledObject<String, Long>(
              name,
              identity,
              journal,
              CODEC,
              this,
              failure -> {
                throw new UncheckedIOException(failure);
              });
      object = made;
      request = null;
      awaited = null;
      ended.clear();
      servedSinceImage = 0;
      var stored = made.storedObject();
      balance = stored.isEmpty() ? 0 : stored.get().readLong();
      if (stored.isEmpty()) {
        writeImage();
      } else {
        made.recover(lastBegun);
      }
    }

    private void writeImage() throws IOException {
      var image = object().image(ByteBuffer.wrap(bytes(balance)));
      if (image != null) {
        servedSinceImage = 0;
        image.write();
      }
    }

    private static byte[] bytes(long value) {
      var out = new ByteOutput();
      out.writeLong(value);
      return out.toByteArray();
    }

    @Override
    public void sendCall(
        CallOrigin origin, ObjectIdentity target, NumberedCall<String> call, boolean isAwaited) {
      passes(Step.CALL_SENT, this);
      post(target, to -> to.arrive(origin, call));
    }

    @Override
    public void sendAgain(
        CallOrigin origin, ObjectIdentity target, NumberedCall<String> call, long before) {
      sendCall(origin, target, call, false);
    }

    @Override
    public void sendAnswer(CallOrigin origin, long number, Long outcome) {
      passes(Step.ANSWER_SENT, this);
      switch (origin) {
        case CallOrigin.Process _ ->
            network.add(new Delivery(this, null, () -> replied(number, outcome)));
        case CallOrigin.Logged(ObjectIdentity caller) ->
            post(caller, to -> to.answered(identity, number, outcome));
        case CallOrigin.Near() -> throw new AssertionError("no such caller");
      }
    }

    private void replied(long number, long outcome) {
      if (sent.ended(number) != null) {
        sent.taken(number);
        replies.put(number, outcome);
      }
      network.add(
          new Delivery(null, this, () -> object().perform(o -> o.acknowledged(CLIENT, number))));
    }

    @Override
    public void sendTaken(CallOrigin origin, long upTo) {
      passes(Step.TAKEN_SENT, this);
      switch (origin) {
        case CallOrigin.Process _ -> network.add(new Delivery(this, null, () -> sent.taken(upTo)));
        case CallOrigin.Logged(ObjectIdentity caller) ->
            post(caller, to -> to.taken(identity, upTo));
        case CallOrigin.Near() -> throw new AssertionError("no such caller");
      }
    }

    @Override
    public void sendAcknowledgement(ObjectIdentity target, long number) {
      passes(Step.ACKNOWLEDGED, this);
      post(target, to -> to.acknowledged(new CallOrigin.Logged(identity), number));
    }

    @Override
    public void sendResumption(ObjectIdentity target, Resumption<String> resumption) {
      passes(Step.RESENT, this);
      post(target, to -> to.resumed(new CallOrigin.Logged(identity), resumption));
    }

    private void post(ObjectIdentity target, Consumer<LoggedObject<String, Long>> action) {
      var to = Objects.requireNonNull(members.get(target), "a member");
      network.add(new Delivery(this, to, () -> to.object().perform(action)));
    }

    @Override
    public void deliver(ObjectIdentity target, long number, Long outcome) {
      ended.put(List.of(target, number), outcome);
    }

    boolean canStep() {
      if (request != null) {
        return awaited == null || ended.containsKey(awaited);
      }
      object().perform(o -> waiting = o.queued());
      return waiting > 0;
    }

    void step() throws IOException {
      if (request == null) {
        if (servedSinceImage >= REQUESTS_PER_IMAGE) {
          writeImage();
        }
        object().perform(o -> request = o.begin());
        step = 0;
        awaited = null;
        passes(Step.SERVE_BEGUN, this);
        return;
      }
      var words = request.call().split(" ");
      var amount = Long.parseLong(words[1]);
      if (words[0].equals("transfer")) {
        transfer(amount);
      } else {
        balance += amount;
        end(words[0].equals("withdraw") ? balance : null);
      }
    }

    private void transfer(long amount) throws IOException {
      switch (step++) {
        case 0 -> {
          List<Long> known = new ArrayList<>(1);
          object().perform(o -> Optional.ofNullable(o.loggedOnce()).ifPresent(known::add));
          if (known.isEmpty()) {
            passes(Step.ONCE_DONE, this);
            object().perform(o -> o.obtainedOnce(amount));
          }
        }
        case 1 -> call("savings", "withdraw " + -amount, true);
        case 2 -> call("giro", "deposit " + amount, false);
        default -> {
          var left = Objects.requireNonNull(ended.remove(awaited), "an answer");
          awaited = null;
          balance += amount;
          end(left * 1000 + balance);
        }
      }
    }

    private void call(String target, String call, boolean isAwaited) {
      var to = member(target).identity;
      object()
          .perform(
              o -> {
                var fingerprint = new CallFingerprint(call, call.hashCode());
                var made = o.call(to, call, fingerprint, isAwaited);
                List<Object> key = List.of(to, made.number());
                if (isAwaited) {
                  awaited = key;
                }
                if (made.logged() != null) {
                  ended.put(key, made.logged());
                }
              });
    }

    private void end(@Nullable Long answer) {
      object().perform(o -> o.end(answer, answer == null ? 0 : answer));
      request = null;
      servedSinceImage++;
      passes(Step.SERVED, this);
    }
  }

  /** A journal at whose steps the object can vanish; what was appended before is in the store. */
  private final class SteppedJournal extends WrappedJournal {
    private final Member member;

    SteppedJournal(Member member, Journal journal) {
      super(journal);
      this.member = member;
    }

    @Override
    public long append(ByteBuffer... parts) throws IOException {
      passes(Step.LOG_BEGUN, member);
      var number = super.append(parts);
      passes(Step.LOGGED, member);
      return number;
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) throws IOException {
      passes(Step.IMAGE_BEGUN, member);
      super.replace(upTo, parts);
      passes(Step.IMAGE_STABLE, member);
    }
  }
}
