package org.troupe.activeobjects.internal.replay;

import static org.troupe.activeobjects.internal.replay.SimulatedBank.CLIENT;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.ENDING_CLIENT;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.HOST;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.LOST;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.OTHER_HOST;
import static org.troupe.activeobjects.internal.replay.SimulatedBank.RATES;

import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.ReplayException;

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

  private static final int STEPS_WITH_FAULTS = 400;
  private static final int MOST_STEPS = 20_000;
  private static final int CALLS = 8;
  private static final int MOST_FAULTS = 4;
  private static final int MOST_IMAGES = 6;

  private final SimulatedBank bank;
  private int faults;
  private int images;

  ReplayExplorer(long seed, WithoutRule without) {
    bank = new SimulatedBank(seed, without);
  }

  /** Runs until nothing can happen any more, and checks what has. */
  End run() {
    try {
      for (var step = 0; step < MOST_STEPS; step++) {
        var isEnding = step > STEPS_WITH_FAULTS;
        List<Runnable> possible = new ArrayList<>();
        addCalls(possible);
        addDeliveries(possible);
        bank.objects.values().forEach(each -> addWork(possible, each, isEnding));
        bank.rates.addReports(possible);
        if (!isEnding && faults < MOST_FAULTS && bank.random.nextInt(8) == 0) {
          addFaults(possible);
        }
        if (possible.isEmpty()) {
          return new BankCheck(bank).result();
        }
        possible.get(bank.random.nextInt(possible.size())).run();
      }
      return End.STUCK;
    } catch (ReplayException e) {
      return End.DIVERGED;
    }
  }

  private void addCalls(List<Runnable> possible) {
    for (var each : List.of(CLIENT, ENDING_CLIENT)) {
      var client = bank.processes[each];
      if (client.made < CALLS && (each == CLIENT || bank.endingClientLives)) {
        possible.add(client::callTeller);
      }
    }
  }

  private void addDeliveries(List<Runnable> possible) {
    bank.deliveries().forEach(each -> possible.addAll(List.of(each, each)));
  }

  private void addWork(List<Runnable> possible, BankObject object, boolean isEnding) {
    if (object.logged == null) {
      possible.add(() -> bank.revive(object));
      return;
    }
    if (object.program.canStep()) {
      possible.addAll(List.of(object.program::step, object.program::step, object.program::step));
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
        && bank.random.nextInt(40) == 0
        && object.mayMakeImage()) {
      possible.add(
          () -> {
            images++;
            object.makeImage();
          });
    }
  }

  private void addFaults(List<Runnable> possible) {
    for (var host : List.of(HOST, OTHER_HOST)) {
      fault(possible, () -> bank.crash(host));
    }
    for (var each : bank.objects.values()) {
      if (each.logged != null) {
        fault(possible, each::restart);
        if (each.program.mayFail()) {
          fault(possible, each::fail);
        }
        for (var chances = each.program.isPoisoned() ? 12 : 0; chances > 0; chances--) {
          fault(possible, each::fail);
        }
        if (each.unstableImage != null) {
          fault(possible, () -> each.unstableImage = null);
        }
        var awaited = each.program.awaited();
        if (awaited != null && awaited.target().equals(RATES)) {
          fault(possible, () -> each.live().endedHere(RATES, awaited.number(), LOST));
        }
      }
    }
    if (bank.rates.isLive) {
      fault(possible, bank::loseRates);
    }
    if (bank.endingClientLives) {
      fault(possible, bank::endClient);
    }
  }

  private void fault(List<Runnable> possible, Runnable action) {
    possible.add(
        () -> {
          faults++;
          action.run();
        });
  }
}
