package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.Ref;
import org.troupe.program.GiroAccount;

/**
 * Random transfers between accounts from several threads, and what they must lead to: the reply of
 * each call is the number of the transfer among those of its account, and at the end each account
 * has exactly the money and the transfers that it was sent.
 */
final class TransferLoad {

  static final long FIRST = 1_000;

  private static final int SHARES = 4;
  private static final int WINDOW = 8; // transfers of a thread that are under way
  private static final long BOUND_SECONDS = 60;

  private final List<Ref<GiroAccount>> accounts;
  private final AtomicLongArray balances;
  private final AtomicIntegerArray sent;
  private final AtomicIntegerArray received;

  /** A transfer that has been asked for. */
  private record Pending(String what, int number, CompletableFuture<Integer> reply) {

    void check() throws InterruptedException {
      try {
        assertThat(reply.get(BOUND_SECONDS, TimeUnit.SECONDS)).as(what).isEqualTo(number);
      } catch (ExecutionException failure) {
        throw new AssertionError(what + " has failed", failure.getCause());
      } catch (TimeoutException e) {
        throw new UnansweredTransfer(what + " has no answer after " + BOUND_SECONDS + " s", reply);
      }
    }
  }

  TransferLoad(List<Ref<GiroAccount>> accounts) {
    this.accounts = List.copyOf(accounts);
    this.balances = new AtomicLongArray(accounts.size());
    this.sent = new AtomicIntegerArray(accounts.size());
    this.received = new AtomicIntegerArray(accounts.size());
    for (var i = 0; i < accounts.size(); i++) {
      balances.set(i, FIRST);
    }
  }

  /**
   * Starts threads that make transfers; the result completes when all have been answered, or with
   * the first failure, after which no further transfers are made.
   */
  CompletableFuture<Void> start(Random random, BooleanSupplier goesOn) {
    var all = new CompletableFuture<Void>();
    var left = new AtomicInteger(SHARES);
    for (var share = 0; share < SHARES; share++) {
      var its = share;
      var ofShare = new Random(random.nextLong());
      Thread.startVirtualThread(
          () -> {
            try {
              run(its, ofShare, () -> !all.isDone() && goesOn.getAsBoolean());
              if (left.decrementAndGet() == 0) {
                all.complete(null);
              }
            } catch (Throwable failure) {
              all.completeExceptionally(failure);
            }
          });
    }
    return all;
  }

  private void run(int share, Random random, BooleanSupplier goesOn) throws InterruptedException {
    Queue<Pending> pending = new ArrayDeque<>();
    while (goesOn.getAsBoolean()) {
      var from = share + SHARES * random.nextInt(accounts.size() / SHARES);
      var to = random.nextInt(accounts.size());
      if (to != from) {
        pending.add(transfer(random, from, to, random.nextInt(100)));
      }
      if (pending.size() == WINDOW) {
        pending.remove().check();
      }
    }
    for (var each : pending) {
      each.check();
    }
  }

  private Pending transfer(Random random, int from, int to, long sum) {
    var taker = accounts.get(to).stub();
    var giver = accounts.get(from);
    var number = sent.incrementAndGet(from);
    received.incrementAndGet(to);
    balances.addAndGet(from, -sum);
    balances.addAndGet(to, sum);
    var kind = random.nextInt(3);
    var reply =
        switch (kind) {
          case 0 -> giver.ask(it -> it.send(taker, sum));
          case 1 -> giver.stub().sendOnward(taker, sum);
          default -> // in one order of all accounts, so that no two wait for each other
              from < to
                  ? giver.ask(it -> it.sendAndWait(taker, sum))
                  : giver.ask(it -> it.send(taker, sum));
        };
    var what =
        "transfer %d of account %d to account %d, of kind %d".formatted(number, from, to, kind);
    return new Pending(what, number, reply);
  }

  /** Returns how many transfers have been asked for. */
  long count() {
    var all = 0L;
    for (var i = 0; i < accounts.size(); i++) {
      all += sent.get(i);
    }
    return all;
  }

  /** Checks each account, when all transfers have been answered. */
  void check(String when) throws Exception {
    var sum = 0L;
    for (var i = 0; i < accounts.size(); i++) {
      var expected = new GiroAccount.State(balances.get(i), sent.get(i), received.get(i));
      assertThat(state(i, expected)).as("account %d %s", i, when).isEqualTo(expected);
      sum += expected.balance();
    }
    assertThat(sum).isEqualTo(FIRST * accounts.size());
  }

  /** Returns the state of an account, when money that nobody waits for has arrived. */
  private GiroAccount.State state(int account, GiroAccount.State expected) throws Exception {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (true) {
      var state =
          accounts.get(account).ask(GiroAccount::state).get(BOUND_SECONDS, TimeUnit.SECONDS);
      if (state.received() >= expected.received() || System.nanoTime() > end) {
        return state;
      }
    }
  }
}
