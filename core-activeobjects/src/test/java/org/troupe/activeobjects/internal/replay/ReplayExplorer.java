package org.troupe.activeobjects.internal.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.ReplayException;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * Drives the protocol of logged objects through one random order of calls, deliveries, flushes,
 * images, crashes and failures.
 *
 * <p>Four logged objects live on two hosts: a teller, two accounts, and a ledger that the accounts
 * notify. A plain object quotes rates. Two processes call the teller, of which the second may end.
 */
final class ReplayExplorer {

  /** A rule of the protocol that a run does without, to show that the check would miss it. */
  enum WithoutRule {
    NONE,
    OUTPUT_COMMIT,
    RECOGNISED_DUPLICATES,
    WAITING_EARLY_CALLS,
    KEPT_CALLS,
    KEPT_ANSWERS,
    ANSWERS_IN_IMAGE(893),
    NUMBERS_IN_IMAGE(74),
    WAITING_REQUESTS_IN_IMAGE(258),
    ANSWERS_FROM_LOG,
    ENDED_CALLS_SENT_AGAIN(1880),
    TAKEN_AFTER_STABLE,
    ACKNOWLEDGED_AFTER_STABLE,
    PREMATURE_ANSWERS_IGNORED,
    BOUNDED_RESUMPTION,
    SKIPPED_NUMBERS(6597),
    WANTED_ANSWERS,
    LOGGED_ONCE,
    CALLS_OF_FAILED_REQUESTS(83),
    SETTLED_BEFORE_FORGOTTEN,
    NUMBERS_WITHOUT_ACCOUNT,
    NAMES_OF_SENT_CALLS,
    UNSENT_IN_LOG;

    /** The first seed whose run fails without the rule; the search begins there. */
    final long firstSeed;

    WithoutRule() {
      this(0);
    }

    WithoutRule(long firstSeed) {
      this.firstSeed = firstSeed;
    }
  }

  /** What a run has ended with. */
  enum End {
    SOUND,
    DIVERGED,
    STUCK,
    CALL_LOST,
    SERVED_TWICE,
    ORDER_BROKEN,
    MONEY_WRONG,
    REPLY_WRONG,
    ORPHAN,
    LEFTOVER
  }

  private static final int CLIENT = 0;
  private static final int HOST = 1;
  private static final int OTHER_HOST = 2;
  private static final int RATES_HOST = 3;
  private static final int ENDING_CLIENT = 4;
  private static final int NODES = 5;
  private static final int COORDINATOR = 5;
  private static final int STEPS_WITH_FAULTS = 400;
  private static final int MOST_STEPS = 20_000;
  private static final int CALLS = 8;
  private static final int MOST_FAULTS = 4;
  private static final int MOST_IMAGES = 6;
  private static final long FAILED = -1;
  private static final long LOST = -2;
  private static final long RATE = 7;

  private static final ObjectIdentity TELLER = identity(1);
  private static final ObjectIdentity ACCOUNT = identity(2);
  private static final ObjectIdentity OTHER_ACCOUNT = identity(3);
  private static final ObjectIdentity LEDGER = identity(4);
  private static final ObjectIdentity RATES = identity(5);
  private static final List<ObjectIdentity> LOGGED =
      List.of(TELLER, ACCOUNT, OTHER_ACCOUNT, LEDGER);

  private static final Comparator<List<Integer>> LINKS =
      Comparator.<List<Integer>>comparingInt(each -> each.getFirst())
          .thenComparingInt(each -> each.getLast());

  private enum Method {
    TRANSFER,
    PEEK,
    COLLECT,
    WITHDRAW,
    DEPOSIT,
    BALANCE,
    NOTE,
    RATE,
    UNSENDABLE
  }

  private record Call(Method method, long amount, long key) {

    CallFingerprint fingerprint() {
      return new CallFingerprint(toString(), hashCode() + 1L);
    }
  }

  private record Sent(ObjectIdentity target, long number) {}

  private record Served(CallOrigin origin, long number, long answer) {}

  /** Who sends a message; a logged object tells where it is. */
  private record Sender(int node, @Nullable Kept object, int epoch) {}

  private record Delivery(int life, Runnable action) {}

  private record StoredImage(LoggedObjectImage<Call, Long> accounts, State state, long upTo) {}

  /** What an object of any of the classes knows; copied into images. */
  private static final class State {
    long balance;
    long notes;
    final Map<Sent, Long> ended = new LinkedHashMap<>(); // own calls, by the order of their ends
    final Deque<Sent> pending = new ArrayDeque<>(); // of which no request has waited
    final List<Served> served = new ArrayList<>();
    final List<Sent> observed = new ArrayList<>(); // in the order of use
    final List<Long> observedOutcomes = new ArrayList<>();

    State copy() {
      var copy = new State();
      copy.balance = balance;
      copy.notes = notes;
      copy.ended.putAll(ended);
      copy.pending.addAll(pending);
      copy.served.addAll(served);
      copy.observed.addAll(observed);
      copy.observedOutcomes.addAll(observedOutcomes);
      return copy;
    }
  }

  /** A store that survives all crashes, but for the records that are not stable. */
  private static final class Disk {
    StoredImage image;
    final List<LogRecord<Call, Long>> records = new ArrayList<>(); // behind the image
    long stable;

    Disk(StoredImage image) {
      this.image = image;
    }

    long last() {
      return image.upTo + records.size();
    }
  }

  /** A logged object, embodied or not. */
  private final class Kept implements LoggedObjectHost<Call, Long>, ObjectLog<Call, Long> {
    final ObjectIdentity identity;
    final Disk disk;
    int home;
    int epoch;
    @Nullable LoggedObject<Call, Long> logged;
    State state = new State();
    @Nullable StoredImage unstableImage;
    final Set<Sent> unsent = new HashSet<>(); // calls that could not be sent, as the log says

    // of the request that is served
    @Nullable TakenRequest<Call> request;
    int step;
    @Nullable Sent awaited;
    @Nullable Sent inVain; // could not be sent, and has no end
    long key;
    long before;

    Kept(ObjectIdentity identity, int home) {
      this.identity = identity;
      this.home = home;
      var empty =
          new LoggedObjectImage<Call, Long>(
              0, 0, LoggedObjectImage.Deaths.NONE, List.of(), Map.of(), Map.of());
      disk = new Disk(new StoredImage(empty, new State(), 0));
      logged = newLogged();
    }

    private LoggedObject<Call, Long> newLogged() {
      return new LoggedObject<>("object " + identity.number(), identity, this, this) {
        @Override
        ReceivedCalls<Call, Long> newReceivedCalls() {
          return new ReceivedCallsWithoutRules();
        }

        @Override
        boolean isPremature(@Nullable SentCalls<Call> account, long number) {
          return without != WithoutRule.PREMATURE_ANSWERS_IGNORED
              && super.isPremature(account, number);
        }

        @Override
        long skipped() {
          return without == WithoutRule.SKIPPED_NUMBERS ? 0 : super.skipped();
        }

        @Override
        long mostBehind() {
          return mostBehind;
        }

        @Override
        boolean mayForget(SentCalls<Call> account) {
          return switch (without) {
            case SETTLED_BEFORE_FORGOTTEN -> isBehind(account) && !account.isLost();
            case NUMBERS_WITHOUT_ACCOUNT -> account.isSettled() && !account.isLost();
            default -> super.mayForget(account);
          };
        }
      };
    }

    LoggedObject<Call, Long> live() {
      return Objects.requireNonNull(logged, "an embodied object");
    }

    // The surroundings of the object

    @Override
    public long append(LogRecord<Call, Long> entry) {
      disk.records.add(entry);
      var position = disk.last();
      if (without == WithoutRule.OUTPUT_COMMIT) {
        live().stable(position);
      } else if (without == WithoutRule.TAKEN_AFTER_STABLE
          && entry instanceof LogRecord.Request<Call, Long>(TakenRequest<Call> taken)) {
        takenBy(from(), identity, taken.origin(), taken.number());
      }
      return position;
    }

    @Override
    public void sendCall(
        CallOrigin origin, ObjectIdentity target, NumberedCall<Call> call, boolean isAwaited) {
      if (call.call().method() == Method.UNSENDABLE) { // it might be sent now, behind later ones
        unsentIsSent |= unsent.contains(new Sent(target, call.number()));
        return;
      }
      if (!target.equals(RATES)) {
        postTo(target, from(), k -> k.live().arrive(origin, call));
        return;
      }
      post(from(), RATES_HOST, () -> plainArrives(origin, call));
      if (nodes[home].knowsRatesLost && isAwaited) {
        post(
            from(),
            home,
            () -> with(identity, k -> k.live().endedHere(RATES, call.number(), LOST)));
      }
    }

    @Override
    public void sendAgain(
        CallOrigin origin, ObjectIdentity target, NumberedCall<Call> call, long before) {
      sendCall(origin, target, call, false);
    }

    @Override
    public void sendAnswer(CallOrigin origin, long number, Long outcome) {
      answer(from(), identity, origin, number, outcome);
      if (without == WithoutRule.KEPT_ANSWERS) {
        post(from(), home, () -> with(identity, k -> k.live().acknowledged(origin, number)));
      }
    }

    @Override
    public void sendTaken(CallOrigin origin, long upTo) {
      takenBy(from(), identity, origin, upTo);
    }

    @Override
    public void sendAcknowledgement(ObjectIdentity target, long number) {
      acknowledge(from(), new CallOrigin.Logged(identity), target, number);
    }

    @Override
    public void sendResumption(ObjectIdentity target, Resumption<Call> resumption) {
      ReplayExplorer.this.sendResumption(
          from(), new CallOrigin.Logged(identity), target, resumption);
    }

    private Sender from() {
      return new Sender(home, this, epoch);
    }

    @Override
    public void deliver(ObjectIdentity target, long number, Long outcome) {
      state.ended.put(new Sent(target, number), outcome);
    }

    // Crashes and images

    void crash(boolean losesTail) {
      if (losesTail) {
        var kept = disk.stable + random.nextInt((int) (disk.last() - disk.stable) + 1);
        while (disk.last() > kept) {
          disk.records.removeLast();
        }
        logged = null;
        unstableImage = null;
      }
      disk.stable = disk.last();
    }

    void embody(int node, long lastBegun) {
      if (logged != null) {
        logged.stop();
      }
      home = node;
      epoch++;
      request = null;
      awaited = null;
      state = disk.image.state.copy();
      disk.stable = disk.last();
      var image = disk.image.accounts;
      if (without == WithoutRule.NUMBERS_IN_IMAGE) {
        image =
            new LoggedObjectImage<>(
                image.begun(), 0, image.deaths(), image.waiting(), Map.of(), image.received());
      } else if (without == WithoutRule.WAITING_REQUESTS_IN_IMAGE) {
        image =
            new LoggedObjectImage<>(
                image.begun(),
                image.counted(),
                image.deaths(),
                List.of(),
                image.sent(),
                image.received());
      } else if (without == WithoutRule.ANSWERS_IN_IMAGE) {
        var received = new HashMap<>(image.received());
        received.replaceAll((origin, each) -> new ReceivedCalls.State<>(each.highest(), Map.of()));
        image =
            new LoggedObjectImage<>(
                image.begun(),
                image.counted(),
                image.deaths(),
                image.waiting(),
                image.sent(),
                received);
      }
      logged = newLogged();
      var log = readLog();
      logged.recover(image, disk.image.upTo + log.size(), log, lastBegun);
      if (nodes[node].knowsRatesLost) {
        logged.targetLost(RATES, LOST);
      }
      if (nodes[node].knowsClientEnded) {
        logged.forget(process(ENDING_CLIENT));
      }
      for (var each : nodes) {
        var number = epoch;
        post(COORDINATOR, each.index, () -> each.hears(this, node, number));
      }
    }

    private List<LogRecord<Call, Long>> readLog() {
      List<LogRecord<Call, Long>> read = new ArrayList<>();
      unsent.clear();
      for (var each : disk.records) {
        if (each instanceof LogRecord.Unsent<Call, Long>(ObjectIdentity target, long number, _)) {
          unsent.add(new Sent(target, number));
        }
        read.add(
            switch (each) {
              case LogRecord.Answer<Call, Long> answer
                  when without == WithoutRule.ANSWERS_FROM_LOG ->
                  new LogRecord.Taken<>(answer.target(), 0);
              case LogRecord.Answer<Call, Long> answer
                  when without == WithoutRule.ENDED_CALLS_SENT_AGAIN ->
                  new LogRecord.Answer<>(
                      answer.target(),
                      answer.number(),
                      answer.fingerprint(),
                      answer.outcome(),
                      true);
              case LogRecord.Unsent<Call, Long> _ when without == WithoutRule.UNSENT_IN_LOG ->
                  new LogRecord.Taken<>(LEDGER, 0);
              case LogRecord.Once<Call, Long> _ when without == WithoutRule.LOGGED_ONCE ->
                  new LogRecord.Taken<>(LEDGER, 0);
              case LogRecord.SetAside<Call, Long>(long failed, Long outcome, var accounts)
                  when without == WithoutRule.CALLS_OF_FAILED_REQUESTS -> {
                Map<ObjectIdentity, SentCalls.State<Call>> withoutCalls = new HashMap<>();
                accounts.forEach(
                    (target, account) ->
                        withoutCalls.put(
                            target,
                            new SentCalls.State<>(
                                account.made(),
                                account.sent(),
                                account.taken(),
                                List.of(),
                                account.wanted())));
                yield new LogRecord.SetAside<>(failed, outcome, withoutCalls);
              }
              default -> each;
            });
      }
      return read;
    }

    void flush() {
      disk.stable += 1 + random.nextInt((int) (disk.last() - disk.stable));
      live().stable(disk.stable);
    }

    boolean mayMakeImage() {
      return request == null && unstableImage == null && live().mayMakeImage();
    }

    void makeImage() {
      images++;
      unstableImage = new StoredImage(live().image(), state.copy(), disk.last());
    }

    void imageStable() {
      var image = Objects.requireNonNull(unstableImage, "an image");
      unstableImage = null;
      while (disk.image.upTo < image.upTo) {
        disk.records.removeFirst();
        disk.image = new StoredImage(disk.image.accounts, disk.image.state, disk.image.upTo + 1);
      }
      disk.image = image;
      disk.stable = Math.max(disk.stable, image.upTo);
      live().stable(image.upTo);
    }

    // The program of the object

    boolean canStep() {
      return request == null
          ? live().queued() > 0
          : awaited == null || state.ended.containsKey(awaited);
    }

    boolean mayFail() { // where no money is on the way
      return request != null
          && request.call().method() == Method.TRANSFER
          && (step == 0 || step == 4)
          && live().isBegunFirst();
    }

    /** Returns whether the node has died while a request was next that moves no money. */
    boolean isPoisoned() {
      return request != null
          && request.call().method() == Method.PEEK
          && step == 0
          && live().deaths() > 0;
    }

    void fail() {
      var failing = Objects.requireNonNull(request, "a request");
      setAside.add(new Served(failing.origin(), failing.number(), FAILED));
      if (step == 4) {
        moved += failing.call().amount();
      }
      live().setAside(FAILED);
      restart();
    }

    /** Makes the object again in its process. */
    void restart() {
      crash(false);
      embody(home, live().lastBegun());
    }

    void step() {
      if (request == null) {
        request = live().begin();
        step = 0;
        awaited = null;
        inVain = null;
        return;
      }
      switch (request.call().method()) {
        case TRANSFER -> transfer(request.call());
        case PEEK -> peek(request.call());
        case COLLECT -> collect();
        case WITHDRAW -> move(-request.call().amount(), true);
        case DEPOSIT -> move(request.call().amount(), false);
        case BALANCE -> end(state.balance, true);
        case NOTE -> {
          state.notes += request.call().amount();
          end(0, false);
        }
        case RATE, UNSENDABLE -> throw new AssertionError("no logged object serves this");
      }
    }

    private Sent call(ObjectIdentity target, Call call, boolean isAwaited) {
      var made = live().call(target, call, call.fingerprint(), isAwaited);
      var sent = new Sent(target, made.number());
      var ended = made.logged();
      if (ended != null) {
        state.ended.put(sent, ended);
      }
      return sent;
    }

    /** Makes a call that cannot be sent. */
    private void callInVain(ObjectIdentity target) {
      var call = new Call(Method.UNSENDABLE, 0, 0);
      var made = live().call(target, call, call.fingerprint(), true);
      if (made.logged() == null) {
        inVain = new Sent(target, made.number());
        if (!made.isUnsent() && without != WithoutRule.NAMES_OF_SENT_CALLS) {
          live().notSent(target, made.number(), made.after());
        }
      }
    }

    /** Ends that call, after a later one to the same object was sent. */
    private void endInVain() {
      var unsent = inVain;
      if (unsent != null) {
        inVain = null;
        live().endedHere(unsent.target, unsent.number, FAILED);
        state.ended.remove(unsent);
      }
    }

    private long outcome(Sent sent) {
      var outcome = Objects.requireNonNull(state.ended.remove(sent), "the end of a call");
      state.observed.add(sent);
      state.observedOutcomes.add(outcome);
      return outcome;
    }

    private void transfer(Call call) {
      switch (step++) {
        case 0 -> {
          var known = live().loggedOnce();
          key = known == null ? ++externalEffects : known;
          if (known == null) {
            live().obtainedOnce(key);
          }
        }
        case 1 -> awaited = call(source(call), new Call(Method.WITHDRAW, call.amount, key), true);
        case 2 -> {
          before = outcome(Objects.requireNonNull(awaited, "a call"));
          awaited = null;
          if (call.amount % 3 == 0) {
            callInVain(destination(call));
          }
        }
        case 3 -> call(destination(call), new Call(Method.DEPOSIT, call.amount, before), false);
        case 4 -> {
          endInVain();
          awaited = call(RATES, new Call(Method.RATE, call.amount, key), true);
        }
        default -> {
          var rate = outcome(Objects.requireNonNull(awaited, "a call"));
          answersOfOthers |= rate != LOST && rate != key * 10 + RATE;
          state.balance += rate;
          end(call.amount, true);
        }
      }
    }

    private void peek(Call call) {
      if (step++ < 2) {
        var target = step == 1 ? source(call) : destination(call);
        state.pending.add(call(target, new Call(Method.BALANCE, 0, 0), true));
      } else {
        end(3, true);
      }
    }

    private void collect() {
      if (awaited != null) {
        state.balance += 31 * outcome(awaited);
        awaited = null;
      } else if (state.pending.isEmpty()) {
        end(4, true);
      } else {
        awaited = state.pending.remove();
      }
    }

    private void move(long amount, boolean isAnswered) {
      if (step++ == 0) {
        state.balance += amount;
      } else if (step == 2) {
        call(LEDGER, new Call(Method.NOTE, Math.abs(amount), state.balance), false);
      } else {
        end(state.balance, isAnswered);
      }
    }

    private void end(long answer, boolean isAnswered) {
      var ending = Objects.requireNonNull(request, "a request");
      state.served.add(new Served(ending.origin(), ending.number(), answer));
      live().end(isAnswered ? answer : null, answer);
      request = null;
    }
  }

  private final class ReceivedCallsWithoutRules extends ReceivedCalls<Call, Long> {

    @Override
    public Map<Long, Long> resumed(Resumption<?> resumption) {
      return super.resumed(
          without == WithoutRule.BOUNDED_RESUMPTION
              ? new Resumption<>(state().highest(), List.of(), resumption.wanted())
              : resumption);
    }

    @Override
    public boolean isDuplicate(long number) {
      return without != WithoutRule.RECOGNISED_DUPLICATES && super.isDuplicate(number);
    }

    @Override
    boolean mayTake(NumberedCall<Call> call) {
      return switch (without) {
        case RECOGNISED_DUPLICATES, WAITING_EARLY_CALLS -> true;
        default -> super.mayTake(call);
      };
    }
  }

  /** A process: what it believes, and its calls if it is a client. */
  private final class Simulated {
    final int index;
    int life;
    final Map<ObjectIdentity, Integer> places = new HashMap<>();
    final Map<ObjectIdentity, Integer> epochs = new HashMap<>();
    boolean knowsRatesLost;
    boolean knowsClientEnded;
    int made;
    final SentCalls<Call> sent = new SentCalls<>(); // to the teller
    final Map<Long, Call> calls = new TreeMap<>();
    final Map<Long, Long> replies = new TreeMap<>();

    Simulated(int index) {
      this.index = index;
    }

    private Sender here() {
      return new Sender(index, null, 0);
    }

    void hears(Kept moved, int node, int epoch) {
      if (epochs.getOrDefault(moved.identity, 0) >= epoch) {
        return;
      }
      epochs.put(moved.identity, epoch);
      places.put(moved.identity, node);
      if (sent.made() > 0 && moved.identity.equals(TELLER)) {
        sendResumption(here(), process(index), TELLER, sent.resumption(sent.made()));
      }
      for (var each : objects.values()) {
        if (each.logged != null && each.home == index) {
          each.logged.resume(moved.identity);
        }
      }
    }

    void callTeller() {
      made++;
      var method =
          switch (random.nextInt(4)) {
            case 0 -> Method.PEEK;
            case 1 -> Method.COLLECT;
            default -> Method.TRANSFER;
          };
      var call = new Call(method, 1 + random.nextInt(100), 0);
      var numbered = sent.add(sent.made() + 1, call, call.fingerprint());
      calls.put(numbered.number(), call);
      postTo(TELLER, here(), k -> k.live().arrive(process(index), numbered));
    }

    void answered(long number, long outcome) {
      if (sent.ended(number) != null) {
        sent.taken(number);
        replies.put(number, outcome);
      }
      acknowledge(here(), process(index), TELLER, number);
    }
  }

  private final Random random;
  private final WithoutRule without;
  private final long mostBehind;
  private final Simulated[] nodes = new Simulated[NODES];
  private final Map<ObjectIdentity, Kept> objects = new LinkedHashMap<>();
  private final Map<List<Integer>, Deque<Delivery>> links = new TreeMap<>(LINKS);
  private final Map<CallOrigin, ReceivedCalls<Call, Long>> ratesAccounts = new HashMap<>();
  private final List<Served> ratesServed = new ArrayList<>();
  private final Set<Served> setAside = new HashSet<>();
  private boolean ratesLive = true;
  private boolean endingClientLives = true;
  private long externalEffects;
  private long moved; // by transfers that failed afterwards
  private boolean answersOfOthers;
  private boolean unsentIsSent;
  private int faults;
  private int images;

  ReplayExplorer(long seed, WithoutRule without) {
    random = new Random(seed);
    this.without = without;
    mostBehind = 1 + seed % 4;
    for (var i = 0; i < NODES; i++) {
      nodes[i] = new Simulated(i);
    }
    for (var each : LOGGED) {
      objects.put(each, new Kept(each, random.nextBoolean() ? HOST : OTHER_HOST));
    }
    for (var node : nodes) {
      objects.forEach((identity, each) -> node.places.put(identity, each.home));
    }
  }

  private static ObjectIdentity identity(long number) {
    return new ObjectIdentity(new NodeId("birth", 99), "", number);
  }

  private static CallOrigin process(int index) {
    return new CallOrigin.Process(new NodeId("n" + index, index));
  }

  private static ObjectIdentity source(Call transfer) {
    return transfer.amount % 2 == 0 ? ACCOUNT : OTHER_ACCOUNT;
  }

  private static ObjectIdentity destination(Call transfer) {
    return transfer.amount % 2 == 0 ? OTHER_ACCOUNT : ACCOUNT;
  }

  // Links

  private void post(int from, int to, Runnable action) {
    post(new Sender(from, null, 0), to, action);
  }

  private void post(Sender from, int to, Runnable action) {
    if (from.node == RATES_HOST && !ratesLive || from.node == ENDING_CLIENT && !endingClientLives) {
      return;
    }
    var life = from.node == COORDINATOR ? 0 : nodes[from.node].life;
    Runnable delivered =
        () -> {
          if (from.object != null) {
            nodes[to].hears(from.object, from.node, from.epoch);
          }
          action.run();
        };
    links
        .computeIfAbsent(List.of(from.node, to), link -> new ArrayDeque<>())
        .add(new Delivery(life, delivered));
  }

  private Kept object(ObjectIdentity identity) {
    return Objects.requireNonNull(objects.get(identity), "a logged object");
  }

  /** Sends a message to a logged object where the sender believes it to be. */
  private void postTo(ObjectIdentity target, Sender from, Consumer<Kept> action) {
    int place = Objects.requireNonNull(nodes[from.node].places.get(target), "a place");
    post(
        from,
        place,
        () -> {
          var object = object(target);
          if (object.logged != null && object.home == place) {
            action.accept(object);
          }
        });
  }

  private void with(ObjectIdentity identity, Consumer<Kept> action) {
    var object = object(identity);
    if (object.logged != null) {
      action.accept(object);
    }
  }

  private void answer(
      Sender from, ObjectIdentity target, CallOrigin origin, long number, long outcome) {
    switch (origin) {
      case CallOrigin.Process(NodeId node) -> {
        var client = nodes[(int) node.incarnation()];
        post(from, client.index, () -> client.answered(number, outcome));
      }
      case CallOrigin.Logged(ObjectIdentity caller) ->
          postTo(
              caller,
              from,
              k -> {
                if (without == WithoutRule.ACKNOWLEDGED_AFTER_STABLE) {
                  acknowledge(k.from(), origin, target, number);
                }
                k.live().answered(target, number, outcome);
              });
      case CallOrigin.Near() -> throw new AssertionError("no such caller");
    }
  }

  private void takenBy(Sender from, ObjectIdentity target, CallOrigin origin, long upTo) {
    switch (origin) {
      case CallOrigin.Process(NodeId node) -> {
        var client = nodes[(int) node.incarnation()];
        post(from, client.index, () -> client.sent.taken(upTo));
      }
      case CallOrigin.Logged(ObjectIdentity caller) ->
          postTo(caller, from, k -> k.live().taken(target, upTo));
      case CallOrigin.Near() -> throw new AssertionError("no such caller");
    }
  }

  private void acknowledge(Sender from, CallOrigin origin, ObjectIdentity target, long number) {
    if (target.equals(RATES)) {
      post(
          from,
          RATES_HOST,
          () -> {
            if (ratesLive) {
              ratesAccount(origin).acknowledged(number);
            }
          });
    } else {
      postTo(target, from, k -> k.live().acknowledged(origin, number));
    }
  }

  private void sendResumption(
      Sender from, CallOrigin origin, ObjectIdentity target, Resumption<Call> resumption) {
    var sendable = new ArrayList<>(resumption.untaken());
    sendable.removeIf(each -> each.call().method() == Method.UNSENDABLE);
    var sent =
        switch (without) {
          case NAMES_OF_SENT_CALLS, UNSENT_IN_LOG ->
              new Resumption<>(resumption.made(), sendable, resumption.wanted());
          case KEPT_CALLS ->
              new Resumption<Call>(resumption.made(), List.of(), resumption.wanted());
          case WANTED_ANSWERS ->
              new Resumption<>(resumption.made(), resumption.untaken(), Set.of());
          default -> resumption;
        };
    if (target.equals(RATES)) {
      post(from, RATES_HOST, () -> plainResumes(origin, sent));
    } else {
      postTo(target, from, k -> k.live().resumed(origin, sent));
    }
  }

  // The plain object

  private ReceivedCalls<Call, Long> ratesAccount(CallOrigin origin) {
    return ratesAccounts.computeIfAbsent(origin, each -> new ReceivedCallsWithoutRules());
  }

  private void plainArrives(CallOrigin origin, NumberedCall<Call> call) {
    if (!ratesLive) {
      return;
    }
    var rates = new Sender(RATES_HOST, null, 0);
    var account = ratesAccount(origin);
    if (account.isDuplicate(call.number())) {
      var answer = account.repeated(call.number());
      if (answer != null) {
        answer(rates, RATES, origin, call.number(), answer);
      }
      return;
    }
    for (var each : account.accept(call)) {
      var outcome = each.call().key() * 10 + RATE;
      ratesServed.add(new Served(origin, each.number(), RATE));
      if (account.answered(each.number(), outcome)) {
        answer(rates, RATES, origin, each.number(), outcome);
      }
    }
  }

  private void plainResumes(CallOrigin origin, Resumption<Call> resumption) {
    if (!ratesLive) {
      return;
    }
    var answers = ratesAccount(origin).resumed(resumption);
    resumption.untaken().forEach(each -> plainArrives(origin, each));
    answers.forEach(
        (number, outcome) ->
            answer(new Sender(RATES_HOST, null, 0), RATES, origin, number, outcome));
  }

  // Runs

  /** Runs until nothing can happen any more, and checks what has. */
  End run() {
    try {
      for (var step = 0; step < MOST_STEPS; step++) {
        var isEnding = step > STEPS_WITH_FAULTS;
        List<Runnable> possible = new ArrayList<>();
        addCalls(possible);
        addDeliveries(possible);
        objects.values().forEach(each -> addWork(possible, each, isEnding));
        if (!isEnding && faults < MOST_FAULTS && random.nextInt(8) == 0) {
          addFaults(possible);
        }
        if (possible.isEmpty()) {
          return check();
        }
        possible.get(random.nextInt(possible.size())).run();
      }
      return End.STUCK;
    } catch (ReplayException e) {
      return End.DIVERGED;
    }
  }

  private void addCalls(List<Runnable> possible) {
    for (var each : List.of(CLIENT, ENDING_CLIENT)) {
      var client = nodes[each];
      if (client.made < CALLS && (each == CLIENT || endingClientLives)) {
        possible.add(client::callTeller);
      }
    }
  }

  private void addDeliveries(List<Runnable> possible) {
    links.forEach(
        (link, queue) -> {
          if (!queue.isEmpty()) {
            Runnable deliver = () -> queue.remove().action.run();
            possible.addAll(List.of(deliver, deliver));
          }
        });
  }

  private void addWork(List<Runnable> possible, Kept object, boolean isEnding) {
    if (object.logged == null) {
      possible.add(() -> revive(object));
      return;
    }
    if (object.canStep()) {
      possible.addAll(List.of(object::step, object::step, object::step));
    }
    if (object.disk.stable < object.disk.last()) {
      possible.add(object::flush);
    }
    if (object.logged.hasReport()) {
      possible.add(object.logged::report);
    }
    if (object.unstableImage != null) {
      possible.add(object::imageStable);
    } else if (!isEnding
        && images < MOST_IMAGES
        && random.nextInt(40) == 0
        && object.mayMakeImage()) {
      possible.add(object::makeImage);
    }
  }

  private void addFaults(List<Runnable> possible) {
    for (var host : List.of(HOST, OTHER_HOST)) {
      fault(possible, () -> crash(host));
    }
    for (var each : objects.values()) {
      if (each.logged != null) {
        fault(possible, each::restart);
        if (each.mayFail()) {
          fault(possible, each::fail);
        }
        for (var chances = each.isPoisoned() ? 12 : 0; chances > 0; chances--) {
          fault(possible, each::fail);
        }
        if (each.unstableImage != null) {
          fault(possible, () -> each.unstableImage = null);
        }
        var awaited = each.awaited;
        if (awaited != null && !each.state.ended.containsKey(awaited)) {
          if (awaited.target.equals(RATES)) {
            fault(possible, () -> each.live().endedHere(RATES, awaited.number, LOST));
          }
        }
      }
    }
    if (ratesLive) {
      fault(possible, this::loseRates);
    }
    if (endingClientLives) {
      fault(possible, this::endClient);
    }
  }

  private void fault(List<Runnable> possible, Runnable action) {
    possible.add(
        () -> {
          faults++;
          action.run();
        });
  }

  private void crash(int host) {
    nodes[host].life++;
    for (var each : objects.values()) {
      if (each.home == host && each.logged != null) {
        each.crash(true);
      }
    }
    cut(host);
    for (var each : objects.values()) {
      nodes[host].places.put(each.identity, each.home);
      nodes[host].epochs.put(each.identity, each.epoch);
    }
    nodes[host].knowsRatesLost = !ratesLive;
    nodes[host].knowsClientEnded = !endingClientLives;
  }

  /** Loses what is under way to a node, and what the node has not sent yet. */
  private void cut(int index) {
    links.forEach(
        (link, queue) -> {
          if (link.getLast() == index) {
            queue.clear();
          } else if (link.getFirst() == index) {
            for (var left = random.nextInt(queue.size() + 1); queue.size() > left; ) {
              queue.removeLast();
            }
          }
        });
  }

  /** Makes an object again, after every node has learnt that its former host has died. */
  private void revive(Kept object) {
    links.forEach(
        (link, queue) -> {
          if (link.getFirst() == object.home) {
            queue.removeIf(each -> each.life < nodes[object.home].life);
          }
        });
    var host = random.nextBoolean() ? HOST : OTHER_HOST;
    var news = links.getOrDefault(List.of(COORDINATOR, host), new ArrayDeque<>());
    while (!news.isEmpty()) { // the grant comes behind the deaths before it
      news.remove().action.run();
    }
    object.embody(host, Long.MAX_VALUE);
  }

  private void loseRates() {
    ratesLive = false;
    cut(RATES_HOST);
    for (var node : nodes) {
      post(
          COORDINATOR,
          node.index,
          () -> {
            node.knowsRatesLost = true;
            links.getOrDefault(List.of(RATES_HOST, node.index), new ArrayDeque<>()).clear();
            objects.values().stream()
                .filter(each -> each.logged != null && each.home == node.index)
                .forEach(each -> each.live().targetLost(RATES, LOST));
          });
    }
  }

  private void endClient() {
    endingClientLives = false;
    cut(ENDING_CLIENT);
    for (var node : nodes) {
      post(
          COORDINATOR,
          node.index,
          () -> {
            node.knowsClientEnded = true;
            links.getOrDefault(List.of(ENDING_CLIENT, node.index), new ArrayDeque<>()).clear();
            objects.values().stream()
                .filter(each -> each.logged != null && each.home == node.index)
                .forEach(each -> each.live().forget(process(ENDING_CLIENT)));
          });
    }
  }

  // Checks

  private End check() {
    for (var each : objects.values()) {
      if (each.logged == null || each.request != null || each.logged.queued() > 0) {
        return End.STUCK;
      }
    }
    if (!nodes[CLIENT].sent.isSettled()) {
      return End.STUCK;
    }
    for (var each : objects.values()) {
      var end = checkServed(each);
      if (end != End.SOUND) {
        return end;
      }
    }
    if (new HashSet<>(ratesServed).size() != ratesServed.size()) {
      return End.SERVED_TWICE;
    }
    var end = checkReplies();
    if (end != End.SOUND) {
      return end;
    }
    settleForgotten();
    return objects.values().stream().allMatch(each -> each.live().isSettled())
            && ratesAccounts.values().stream().allMatch(each -> !ratesLive || each.isSettled())
        ? End.SOUND
        : End.LEFTOVER;
  }

  /** Ends the calls of logged objects to those that they do not account for any more. */
  private void settleForgotten() {
    for (var caller : objects.values()) {
      var origin = new CallOrigin.Logged(caller.identity);
      for (var called : objects.values()) {
        if (!caller.live().called().contains(called.identity)) {
          called.live().settled(origin, Long.MAX_VALUE);
        }
      }
      var account = ratesAccounts.get(origin);
      if (account != null && !caller.live().called().contains(RATES)) {
        account.settled(Long.MAX_VALUE);
      }
    }
  }

  private End checkServed(Kept object) {
    Map<CallOrigin, List<Long>> numbers = new HashMap<>();
    for (var each : object.state.served) {
      numbers.computeIfAbsent(each.origin, origin -> new ArrayList<>()).add(each.number);
    }
    if (object.identity.equals(TELLER)) {
      numbers.computeIfAbsent(process(CLIENT), origin -> new ArrayList<>());
    }
    for (var origin : numbers.keySet()) {
      if (origin instanceof CallOrigin.Logged) { // its numbers have gaps; sums tell what is lost
        if (!isIncreasing(numbers.get(origin))) {
          return isDistinct(numbers.get(origin)) ? End.ORDER_BROKEN : End.SERVED_TWICE;
        }
        continue;
      }
      var next = 1L;
      for (var number : numbers.get(origin)) {
        while (setAside.contains(new Served(origin, next, FAILED))
            && object.identity.equals(TELLER)) {
          next++;
        }
        if (number < next) {
          return isDistinct(numbers.get(origin)) ? End.ORDER_BROKEN : End.SERVED_TWICE;
        }
        if (number > next) {
          return numbers.get(origin).contains(next) ? End.ORDER_BROKEN : End.CALL_LOST;
        }
        next++;
      }
      while (object.identity.equals(TELLER)
          && setAside.contains(new Served(origin, next, FAILED))) {
        next++;
      }
      if (origin.equals(process(CLIENT)) && next != nodes[CLIENT].sent.made() + 1) {
        return End.CALL_LOST;
      }
    }
    return End.SOUND;
  }

  private static boolean isDistinct(List<Long> numbers) {
    return new HashSet<>(numbers).size() == numbers.size();
  }

  private static boolean isIncreasing(List<Long> numbers) {
    return numbers.equals(numbers.stream().distinct().sorted().toList());
  }

  private End checkReplies() {
    // What a run without faults would leave: sums do not depend on the order of the transfers.
    var transferred = moved;
    for (var each : object(TELLER).state.served) {
      var caller = nodes[(int) ((CallOrigin.Process) each.origin).node().incarnation()];
      var call = Objects.requireNonNull(caller.calls.get(each.number), "a call");
      if (call.method == Method.TRANSFER) {
        transferred += call.amount;
      }
      if (each.answer != expected(call)) {
        return End.REPLY_WRONG;
      }
    }
    for (var each : nodes[CLIENT].replies.entrySet()) {
      var call = Objects.requireNonNull(nodes[CLIENT].calls.get(each.getKey()), "a call");
      var failed = setAside.contains(new Served(process(CLIENT), each.getKey(), FAILED));
      var wasAnswered = failed && call.method == Method.PEEK && each.getValue() == expected(call);
      if (!wasAnswered && each.getValue() != (failed ? FAILED : expected(call))) {
        return End.REPLY_WRONG;
      }
    }
    if (answersOfOthers) {
      return End.REPLY_WRONG;
    }
    if (unsentIsSent) {
      return End.ORDER_BROKEN;
    }
    var balance = object(ACCOUNT).state.balance + object(OTHER_ACCOUNT).state.balance;
    if (balance != 0 || object(LEDGER).state.notes != 2 * transferred) {
      return End.MONEY_WRONG;
    }
    // What the teller has seen must be what the accounts remember.
    var teller = object(TELLER).state;
    for (var i = 0; i < teller.observed.size(); i++) {
      var sent = teller.observed.get(i);
      if (!sent.target.equals(RATES)) {
        var answer =
            new Served(new CallOrigin.Logged(TELLER), sent.number, teller.observedOutcomes.get(i));
        if (!object(sent.target).state.served.contains(answer)) {
          return End.ORPHAN;
        }
      }
    }
    return End.SOUND;
  }

  private static long expected(Call call) {
    return switch (call.method) {
      case PEEK -> 3;
      case COLLECT -> 4;
      default -> call.amount;
    };
  }
}
