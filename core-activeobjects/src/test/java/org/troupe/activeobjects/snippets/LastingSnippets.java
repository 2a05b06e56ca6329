package org.troupe.activeobjects.snippets;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;

/**
 * The code samples of the Javadoc on objects that move, are kept and restarted. They are compiled,
 * not run.
 */
final class LastingSnippets {

  private LastingSnippets() {}

  static class Account {
    Account(String owner) {
      assert !owner.isEmpty();
    }

    void add(int amount) {
      assert amount != 0;
    }

    int sum() {
      return 0;
    }
  }

  static class Reader {
    Reader(Path file) {
      assert file.isAbsolute();
    }
  }

  static int move(Node there, Account account) {
    // @start region="move"
    account.add(5); // is served before the move
    ActiveObjects.ref(account).move(there.id()).join();
    account.add(7); // by the same reference, on the other node
    int sum = account.sum(); // 12
    // @end
    return sum;
  }

  static List<Account> keep(Node node, Path folder, String owner) {
    // @start region="keep"
    Store store = Store.directory(folder);
    Options images = Options.STANDARD.withRestart(Restart.here()).withKeep(Keep.state(store));
    Account one = ActiveObjects.on(node).with(images).create(Account.class, owner);
    ActiveObjects.ref(one)
        .checkpoint()
        .join(); // a restart goes on from here, or from a later image
    Options logged = images.withKeep(Keep.calls(store).every(Duration.ofSeconds(10)));
    Account two = ActiveObjects.on(node).with(logged).create(Account.class, owner); // loses no call
    // @end
    return List.of(one, two);
  }

  static List<Options> stores(Options options, Path folder) {
    // @start region="stores"
    Options files = options.withKeep(Keep.calls(Store.directory(folder))); // outlives processes
    Options disk = options.withKeep(Keep.calls(Store.directory(folder).synced())); // and hosts
    Options memory = options.withKeep(Keep.calls(Store.copies(2))); // ends with the grid
    // @end
    return List.of(files, disk, memory);
  }

  static List<Object> restart(Node node, Path file, String owner) {
    // @start region="restart"
    Options here = Options.STANDARD.withRestart(Restart.here().on(IOException.class));
    Reader reader = ActiveObjects.on(node).with(here).create(Reader.class, file);
    Options elsewhere =
        Options.STANDARD.withRestart(Restart.elsewhere().times(3, Duration.ofHours(1)));
    Account account = ActiveObjects.on(node).with(elsewhere).create(Account.class, owner);
    // @end
    return List.of(reader, account);
  }
}
