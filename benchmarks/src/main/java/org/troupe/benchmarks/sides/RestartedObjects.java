package org.troupe.benchmarks.sides;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;

/**
 * Ends the process of a node by {@code SIGKILL}, and waits until its active objects answer on
 * another node.
 */
public final class RestartedObjects {

  /** Milliseconds from the end of the process to the last answer, followed by the objects. */
  public static final String SINCE_KILL = "since-kill:";

  /** Milliseconds from the news that the node is lost to the last answer, as above. */
  public static final String SINCE_NEWS = "since-news:";

  private static final int STATE_BYTES = 1 << 10;
  private static final long LIMIT_SECONDS = 60;

  private RestartedObjects() {}

  /** Has a small state. */
  static class Account {
    private final byte[] state = new byte[STATE_BYTES];
    private long calls;

    long call() {
      return ++calls + state[0];
    }
  }

  /** Knows its process. */
  static class Resident {
    long pid() {
      return ProcessHandle.current().pid();
    }
  }

  static void main(String[] arguments) throws Exception {
    Logger.getLogger("org.troupe.activeobjects").setLevel(Level.OFF); // it reports each loss
    var folder = TerminationCleanup.folder();
    var turns = new int[1];
    TurnProtocol.serve(
        load -> {
          var separator = load.indexOf(':') + 1;
          var objects = Integer.parseInt(load.substring(separator));
          var isSinceNews = load.startsWith(SINCE_NEWS);
          return _ -> {
            var store = Store.directory(folder.resolve("store-" + ++turns[0]));
            return millis(objects, isSinceNews, store);
          };
        },
        Integer.parseInt(arguments[0]));
  }

  private static double millis(int objects, boolean isSinceNews, Store store) throws Exception {
    try (var grid = Grid.local(2, GridOptions.standard().withOutput(_ -> {}))) {
      var first = grid.nodes().first();
      var options = Options.STANDARD.withKeep(Keep.calls(store)).withRestart(Restart.elsewhere());
      List<CompletableFuture<Account>> made = new ArrayList<>();
      for (var i = 0; i < objects; i++) {
        made.add(ActiveObjects.on(first).with(options).createAsync(Account.class));
      }
      var accounts = made.stream().map(CompletableFuture::join).toList();
      awaitAll(accounts, 1);
      var news = new CompletableFuture<Long>();
      grid.nodes().onLeave((_, _) -> news.complete(System.nanoTime()));
      var process = ActiveObjects.on(first).create(Resident.class).pid();
      var began = System.nanoTime();
      kill(ProcessHandle.of(process));
      awaitAll(accounts, 2);
      var ended = System.nanoTime();
      var known = news.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return (ended - (isSinceNews ? known : began)) / 1e6;
    }
  }

  private static void kill(Optional<ProcessHandle> process) {
    if (!process.map(ProcessHandle::destroyForcibly).orElse(false)) {
      throw new IllegalStateException("the process of a node could not be ended");
    }
  }

  private static void awaitAll(List<Account> accounts, long calls) throws Exception {
    var asked = accounts.stream().map(each -> ActiveObjects.ref(each).ask(Account::call)).toList();
    for (var each : asked) {
      var answer = each.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (answer != calls) {
        throw new AssertionError("call %d was answered with %d".formatted(calls, answer));
      }
    }
  }
}
