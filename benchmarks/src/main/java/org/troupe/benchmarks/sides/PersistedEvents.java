package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Sends events of 100 bytes to objects of its JVM that keep them in files. */
public final class PersistedEvents {

  private static final int EVENT_BYTES = 100;

  /** The sides of the comparison. */
  public enum Side {
    /** Active objects that log their calls in a directory. */
    ACTIVE_OBJECTS {
      @Override
      TurnProtocol.Work work(int objects, boolean isSynced) throws IOException {
        var directory = Store.directory(TerminationCleanup.folder().resolve("store"));
        var options =
            Options.STANDARD.withKeep(Keep.calls(isSynced ? directory.synced() : directory));
        List<Account> accounts = new ArrayList<>();
        for (var i = 0; i < objects; i++) {
          accounts.add(ActiveObjects.here().with(options).create(Account.class));
        }
        return times -> {
          for (var i = 0; i < times; i++) {
            accounts.get(i % objects).add(new byte[EVENT_BYTES]);
          }
          var totals =
              accounts.stream().map(each -> ActiveObjects.ref(each).ask(Account::total)).toList();
          totals.forEach(CompletableFuture::join);
        };
      }
    },
    /** Persistent actors of Pekko with its own journal in files. */
    PEKKO {
      @Override
      TurnProtocol.Work work(int objects, boolean isSynced) throws IOException {
        var actors = PekkoAccount.start(objects, isSynced, TerminationCleanup.folder());
        return times -> {
          for (var i = 0; i < times; i++) {
            PekkoAccount.add(actors.get(i % objects), new byte[EVENT_BYTES]);
          }
          var totals = actors.stream().map(PekkoAccount::total).toList();
          totals.forEach(CompletableFuture::join);
        };
      }
    };

    /** Returns work that sends events in turn, and waits until all are kept. */
    abstract TurnProtocol.Work work(int objects, boolean isSynced) throws IOException;
  }

  /** Adds up the lengths of events. */
  static class Account {
    private long total;

    void add(byte[] event) {
      total += event.length;
    }

    long total() {
      return total;
    }
  }

  private PersistedEvents() {}

  static void main(String[] arguments) throws Exception {
    var work =
        Side.valueOf(arguments[0])
            .work(Integer.parseInt(arguments[1]), Boolean.parseBoolean(arguments[2]));
    TurnProtocol.serve(
        _ -> millis -> 1e6 / TurnProtocol.microsEach(work, millis), Integer.parseInt(arguments[3]));
  }
}
