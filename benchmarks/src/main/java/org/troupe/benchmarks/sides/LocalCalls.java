package org.troupe.benchmarks.sides;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.apache.pekko.actor.ActorRef;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Measures calls inside its JVM from a virtual thread. */
public final class LocalCalls {

  /** The kinds of calls. */
  public enum Call {
    /** The caller waits for the answer before it makes the next call. */
    WAIT,
    /** The caller waits for the answer of a call through an explicit reference. */
    ASK,
    /** The caller continues at once; a last call shows that all have been served. */
    ONE_WAY;

    /** Returns microseconds for calls that wait, and a rate for one-way calls. */
    double figure(double microsEach) {
      return this == ONE_WAY ? 1 / microsEach : microsEach;
    }
  }

  /** The sides of the comparison. */
  public enum Side {
    ACTIVE_OBJECT {
      @Override
      TurnProtocol.Work work(Call call) {
        Sum sum = ActiveObjects.here().create(Sum.class);
        return switch (call) {
          case WAIT -> waiting(sum);
          case ASK -> asking(ActiveObjects.ref(sum));
          case ONE_WAY -> oneWay(sum);
        };
      }
    },
    EXECUTOR {
      @Override
      TurnProtocol.Work work(Call call) {
        var executor = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
        var sum = new Sum();
        return switch (call) {
          case WAIT, ASK -> submitting(executor, sum);
          case ONE_WAY -> executing(executor, sum);
        };
      }
    },
    PEKKO {
      @Override
      TurnProtocol.Work work(Call call) {
        var actor = PekkoSum.start();
        return switch (call) {
          case WAIT, ASK -> asking(actor);
          case ONE_WAY -> telling(actor);
        };
      }
    };

    abstract TurnProtocol.Work work(Call call);
  }

  /** The called object. */
  static class Sum {

    private long total;

    void add(long value) {
      total += value;
    }

    long total() {
      return total;
    }
  }

  private LocalCalls() {}

  static void main(String[] arguments) throws Exception {
    var call = Call.valueOf(arguments[0]);
    var work = Side.valueOf(arguments[1]).work(call);
    TurnProtocol.serve(
        _ -> millis -> call.figure(inVirtualThread(work, millis)), Integer.parseInt(arguments[2]));
  }

  private static double inVirtualThread(TurnProtocol.Work work, int millis) throws Exception {
    var task = new FutureTask<>(() -> TurnProtocol.microsEach(work, millis));
    Thread.startVirtualThread(task);
    return task.get();
  }

  private static TurnProtocol.Work waiting(Sum sum) {
    return times -> {
      for (var i = 0; i < times; i++) {
        sum.total();
      }
    };
  }

  private static TurnProtocol.Work asking(Ref<Sum> sum) {
    return times -> {
      for (var i = 0; i < times; i++) {
        sum.ask(Sum::total).join();
      }
    };
  }

  private static TurnProtocol.Work oneWay(Sum sum) {
    return times -> {
      for (var i = 0; i < times; i++) {
        sum.add(i);
      }
      sum.total();
    };
  }

  private static TurnProtocol.Work submitting(ExecutorService executor, Sum sum) {
    return times -> {
      for (var i = 0; i < times; i++) {
        executor.submit(sum::total).get();
      }
    };
  }

  private static TurnProtocol.Work executing(ExecutorService executor, Sum sum) {
    return times -> {
      for (var i = 0; i < times; i++) {
        long value = i;
        executor.execute(() -> sum.add(value));
      }
      awaitServed(executor, sum);
    };
  }

  private static TurnProtocol.Work asking(ActorRef actor) {
    return times -> {
      for (var i = 0; i < times; i++) {
        PekkoSum.total(actor);
      }
    };
  }

  private static TurnProtocol.Work telling(ActorRef actor) {
    return times -> {
      for (var i = 0; i < times; i++) {
        actor.tell((long) i, ActorRef.noSender());
      }
      PekkoSum.total(actor);
    };
  }

  private static void awaitServed(ExecutorService executor, Sum sum)
      throws InterruptedException, ExecutionException {
    executor.submit(sum::total).get();
  }
}
