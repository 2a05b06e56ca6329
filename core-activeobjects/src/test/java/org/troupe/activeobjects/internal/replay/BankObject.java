package org.troupe.activeobjects.internal.replay;

import static org.troupe.activeobjects.internal.replay.SimulatedBank.COORDINATOR;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.ENDING_CLIENT;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.LEDGER;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.LOST;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATES;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATES_HOST;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.BankDisk.StoredImage;
import org.troupe.activeobjects.internal.replay.BankState.Sent;
import org.troupe.activeobjects.internal.replay.ReplayExplorer.WithoutRule;
import org.troupe.activeobjects.internal.replay.SimulatedBank.Sender;

/** A logged object of the simulated bank, embodied or not, with its store. */
final class BankObject implements LoggedObjectHost<BankCall, Long>, ObjectLog<BankCall, Long> {

  final ObjectIdentity identity;
  final BankDisk disk;
  int home;
  int epoch;
  @Nullable LoggedObject<BankCall, Long> logged;
  BankProgram program;
  @Nullable StoredImage unstableImage;
  private final SimulatedBank bank;
  private final WithoutRule without;
  private final Set<Sent> unsent = new HashSet<>(); // calls that could not be sent, as the log says

  BankObject(SimulatedBank bank, ObjectIdentity identity, int home) {
    this.bank = bank;
    without = bank.without;
    this.identity = identity;
    this.home = home;
    var empty =
        new LoggedObjectImage<BankCall, Long>(
            0, 0, LoggedObjectImage.Deaths.NONE, List.of(), Map.of(), Map.of());
    disk = new BankDisk(new StoredImage(empty, new BankState(), 0));
    logged = newLogged();
    program = new BankProgram(logged, new BankState(), bank);
  }

  private LoggedObject<BankCall, Long> newLogged() {
    return new LoggedObject<>("object " + identity.number(), identity, this, this) {
      @Override
      ReceivedCalls<BankCall, Long> newReceivedCalls() {
        return new ReceivedCallsWithoutRules(without);
      }

      @Override
      boolean isPremature(@Nullable SentCalls<BankCall> account, long number) {
        return without != WithoutRule.PREMATURE_ANSWERS_IGNORED
            && super.isPremature(account, number);
      }

      @Override
      long skipped() {
        return without == WithoutRule.SKIPPED_NUMBERS ? 0 : super.skipped();
      }

      @Override
      long mostBehind() {
        return bank.mostBehind;
      }

      @Override
      boolean mayForget(SentCalls<BankCall> account) {
        return switch (without) {
          case SETTLED_BEFORE_FORGOTTEN -> isBehind(account) && !account.isLost();
          case NUMBERS_WITHOUT_ACCOUNT -> account.isSettled() && !account.isLost();
          default -> super.mayForget(account);
        };
      }
    };
  }

  LoggedObject<BankCall, Long> live() {
    return Objects.requireNonNull(logged, "an embodied object");
  }

  // The surroundings of the logged object

  @Override
  public long append(LogRecord<BankCall, Long> entry) {
    disk.records.add(entry);
    var position = disk.last();
    if (without == WithoutRule.OUTPUT_COMMIT) {
      live().stable(position);
    } else if (without == WithoutRule.TAKEN_AFTER_STABLE
        && entry instanceof LogRecord.Request<BankCall, Long>(TakenRequest<BankCall> taken)) {
      bank.takenBy(from(), identity, taken.origin(), taken.number());
    }
    return position;
  }

  @Override
  public void sendCall(
      CallOrigin origin, ObjectIdentity target, NumberedCall<BankCall> call, boolean isAwaited) {
    if (call.call().method()
        == BankCall.Method.UNSENDABLE) { // it might be sent now, behind later ones
      if (unsent.contains(new Sent(target, call.number()))) {
        bank.unsentIsSent = true;
      }
      return;
    }
    if (!target.equals(RATES)) {
      bank.postTo(target, from(), k -> k.live().arrive(origin, call));
      return;
    }
    bank.post(from(), RATES_HOST, () -> bank.rates.arrive(origin, call));
    if (bank.processes[home].knowsRatesLost && isAwaited) {
      bank.post(
          from(),
          home,
          () -> bank.with(identity, k -> k.live().endedHere(RATES, call.number(), LOST)));
    }
  }

  @Override
  public void sendAgain(
      CallOrigin origin, ObjectIdentity target, NumberedCall<BankCall> call, long before) {
    sendCall(origin, target, call, false);
  }

  @Override
  public void sendAnswer(CallOrigin origin, long number, Long outcome) {
    bank.answer(from(), identity, origin, number, outcome);
    if (without == WithoutRule.KEPT_ANSWERS) {
      bank.post(
          from(), home, () -> bank.with(identity, k -> k.live().acknowledged(origin, number)));
    }
  }

  @Override
  public void sendTaken(CallOrigin origin, long upTo) {
    bank.takenBy(from(), identity, origin, upTo);
  }

  @Override
  public void sendAcknowledgement(ObjectIdentity target, long number) {
    bank.acknowledge(from(), new CallOrigin.Logged(identity), target, number);
  }

  @Override
  public void sendResumption(ObjectIdentity target, Resumption<BankCall> resumption) {
    bank.sendResumption(from(), new CallOrigin.Logged(identity), target, resumption);
  }

  /** Returns this object as the sender of a message. */
  Sender from() {
    return new Sender(home, this, epoch);
  }

  @Override
  public void deliver(ObjectIdentity target, long number, Long outcome) {
    program.state.ended.put(new Sent(target, number), outcome);
  }

  // Crashes and images

  /**
   * Ends the current embodiment.
   *
   * @param losesTail whether the process ends with it, so that records may be lost
   */
  void crash(boolean losesTail) {
    if (losesTail) {
      var kept = disk.stable + bank.random.nextInt((int) (disk.last() - disk.stable) + 1);
      disk.cut(kept);
      logged = null;
      unstableImage = null;
    }
    disk.stable = disk.last();
  }

  /** Makes the object again on a node. */
  void embody(int node, long lastBegun) {
    if (logged != null) {
      logged.stop();
    }
    home = node;
    epoch++;
    disk.stable = disk.last();
    logged = newLogged();
    program = new BankProgram(logged, disk.image.state().copy(), bank);
    var log = readLog();
    logged.recover(accountsInImage(), disk.image.upTo() + log.size(), log, lastBegun);
    if (bank.processes[node].knowsRatesLost) {
      logged.targetLost(RATES, LOST);
    }
    if (bank.processes[node].knowsClientEnded) {
      logged.forget(SimulatedBank.process(ENDING_CLIENT));
    }
    for (var each : bank.processes) {
      var number = epoch;
      bank.post(COORDINATOR, each.index, () -> each.hears(this, node, number));
    }
  }

  /** Returns the accounts in the image, as read back without a rule of the protocol. */
  private LoggedObjectImage<BankCall, Long> accountsInImage() {
    var image = disk.image.accounts();
    return switch (without) {
      case NUMBERS_IN_IMAGE ->
          new LoggedObjectImage<>(
              image.begun(), 0, image.deaths(), image.waiting(), Map.of(), image.received());
      case WAITING_REQUESTS_IN_IMAGE ->
          new LoggedObjectImage<>(
              image.begun(),
              image.counted(),
              image.deaths(),
              List.of(),
              image.sent(),
              image.received());
      case ANSWERS_IN_IMAGE -> {
        var received = new HashMap<>(image.received());
        received.replaceAll((origin, each) -> new ReceivedCalls.State<>(each.highest(), Map.of()));
        yield new LoggedObjectImage<>(
            image.begun(),
            image.counted(),
            image.deaths(),
            image.waiting(),
            image.sent(),
            received);
      }
      default -> image;
    };
  }

  /** Returns the records in the log, as read back without a rule of the protocol. */
  private List<LogRecord<BankCall, Long>> readLog() {
    List<LogRecord<BankCall, Long>> read = new ArrayList<>();
    unsent.clear();
    for (var each : disk.records) {
      if (each instanceof LogRecord.Unsent<BankCall, Long>(ObjectIdentity target, long number, _)) {
        unsent.add(new Sent(target, number));
      }
      read.add(
          switch (each) {
            case LogRecord.Answer<BankCall, Long> answer
                when without == WithoutRule.ANSWERS_FROM_LOG ->
                new LogRecord.Taken<>(answer.target(), 0);
            case LogRecord.Answer<BankCall, Long> answer
                when without == WithoutRule.ENDED_CALLS_SENT_AGAIN ->
                new LogRecord.Answer<>(
                    answer.target(), answer.number(), answer.fingerprint(), answer.outcome(), true);
            case LogRecord.Unsent<BankCall, Long> _ when without == WithoutRule.UNSENT_IN_LOG ->
                new LogRecord.Taken<>(LEDGER, 0);
            case LogRecord.Once<BankCall, Long> _ when without == WithoutRule.LOGGED_ONCE ->
                new LogRecord.Taken<>(LEDGER, 0);
            case LogRecord.SetAside<BankCall, Long>(long failed, Long outcome, var accounts)
                when without == WithoutRule.CALLS_OF_FAILED_REQUESTS -> {
              Map<ObjectIdentity, SentCalls.State<BankCall>> withoutCalls = new HashMap<>();
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
    disk.stable += 1 + bank.random.nextInt((int) (disk.last() - disk.stable));
    live().stable(disk.stable);
  }

  boolean mayMakeImage() {
    return !program.isServing() && unstableImage == null && live().mayMakeImage();
  }

  void makeImage() {
    unstableImage = new StoredImage(live().image(), program.state.copy(), disk.last());
  }

  void imageStable() {
    var image = Objects.requireNonNull(unstableImage, "an image");
    unstableImage = null;
    disk.replaceImage(image);
    live().stable(image.upTo());
  }

  /** Makes the object again in its process. */
  void restart() {
    crash(false);
    embody(home, live().lastBegun());
  }

  /** Lets the current request fail, and makes the object again. */
  void fail() {
    program.fail();
    restart();
  }
}
