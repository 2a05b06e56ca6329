package org.troupe.benchmarks.sides;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.tasks.Fork;
import org.troupe.tasks.LongJob;
import org.troupe.tasks.Scope;
import org.troupe.tasks.Tasks;

/**
 * Measures the Fibonacci numbers by forks without cut-off, so that nothing but forks is measured.
 */
public final class TaskLoops {

  /** How the tree is written. */
  public enum Form {
    JOB {
      @Override
      Run run(int workers) {
        var tasks = Tasks.here(workers);
        return n -> tasks.run(new FibJob(n));
      }
    },
    SCOPE {
      @Override
      Run run(int workers) {
        var tasks = Tasks.here(workers);
        return n -> tasks.run(() -> inScopes(n));
      }
    },
    FORK_JOIN {
      @Override
      Run run(int workers) {
        var pool = new ForkJoinPool(workers);
        return n -> pool.invoke(new FibTask(n));
      }
    },
    CALL {
      @Override
      Run run(int workers) {
        return TaskLoops::byCalls;
      }
    };

    abstract Run run(int workers);
  }

  /** The measured operations. */
  public enum Quantity {
    /** Nanoseconds per fork. */
    TIME,
    /** Bytes that are allocated per fork. */
    BYTES
  }

  /** Computes a Fibonacci number. */
  interface Run {
    long of(int n);
  }

  private static final int N = 27;
  private static final long VALUE = 196_418;
  private static final long FORKS = 317_810; // one for each call with n of at least 2

  private TaskLoops() {}

  static void main(String[] arguments) throws Exception {
    var quantity = Quantity.valueOf(arguments[0]);
    var run = Form.valueOf(arguments[1]).run(Integer.parseInt(arguments[2]));
    TurnProtocol.serve(
        _ ->
            millis ->
                switch (quantity) {
                  case TIME -> TurnProtocol.microsEach(checked(run), millis) * 1_000 / FORKS;
                  case BYTES -> bytes(run);
                },
        Integer.parseInt(arguments[3]));
  }

  private static TurnProtocol.Work checked(Run run) {
    return times -> {
      for (var i = 0; i < times; i++) {
        if (run.of(N) != VALUE) {
          throw new IllegalStateException("a wrong Fibonacci number");
        }
      }
    };
  }

  private static double bytes(Run run) throws Exception {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    var before = threads.getTotalThreadAllocatedBytes();
    var times = 10;
    checked(run).run(times);
    return (double) (threads.getTotalThreadAllocatedBytes() - before) / times / FORKS;
  }

  private static long byCalls(int n) {
    return n < 2 ? n : byCalls(n - 1) + byCalls(n - 2);
  }

  private static long inScopes(int n) {
    if (n < 2) {
      return n;
    }
    try (var scope = Scope.open()) {
      Fork<Long> left = scope.fork(() -> inScopes(n - 1));
      var right = inScopes(n - 2);
      scope.sync();
      return left.get() + right;
    }
  }

  private static final class FibJob extends LongJob {
    private final int n;

    FibJob(int n) {
      this.n = n;
    }

    @Override
    protected long compute() {
      if (n < 2) {
        return n;
      }
      var left = fork(new FibJob(n - 1));
      var right = new FibJob(n - 2).compute();
      sync();
      return left.result() + right;
    }
  }

  private static final class FibTask extends RecursiveTask<Long> {
    private static final long serialVersionUID = 1;
    private final int n;

    FibTask(int n) {
      this.n = n;
    }

    @Override
    protected Long compute() {
      if (n < 2) {
        return (long) n;
      }
      var left = new FibTask(n - 1);
      left.fork();
      var right = new FibTask(n - 2).compute();
      return left.join() + right;
    }
  }
}
