package com.example.lasting;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;

/**
 * A bank whose calls are logged: a node is killed during transfers and none is lost, and a later run goes back to a save point.
 *
 * <p>Arguments: a new folder for the store, or nothing for a temporary one.
 */
public final class Bank {

  private static final int ACCOUNTS = 4;
  private static final long START = 100;
  private static final int TRANSFERS = 200;

  private Bank() {}

  /** Has a sum; changes it in the same way when it gets the same requests. */
  public static class Account {
    private long sum = START;

    public long add(long amount) {
      sum += amount;
      return sum;
    }
  }

  /** Makes transfers, each of which it has to do as a whole. */
  public static class Teller {
    private int made;

    public void transfer(Account from, Account to, long amount) {
      from.add(-amount);
      to.add(amount);
      made++;
    }

    public int made() {
      return made;
    }
  }

  /** Ends its whole JVM, as a crash would. */
  public static class Crash {
    public void now() {
      Runtime.getRuntime().halt(1);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = arguments.length > 0 ? Path.of(arguments[0]) : Files.createTempDirectory("bank");
    Store store = Store.directory(folder); // all nodes must see it
    try (Grid grid = Grid.local(2)) {
      Nodes nodes = grid.nodes();
      Crash crash = ActiveObjects.on(nodes.get(1)).create(Crash.class);
      List<Account> accounts = accounts(nodes, store);
      Teller teller = kept(nodes, store).named("teller", Teller.class);
      for (int i = 0; i < TRANSFERS; i++) {
        teller.transfer(accounts.get(i % ACCOUNTS), accounts.get((i + 1) % ACCOUNTS), i); // one-way
        if (i == TRANSFERS / 2) {
          crash.now();
        }
      }
      System.out.println(teller.made() + " transfers, and the sum is " + sum(accounts));

      grid.save("evening").join(); // a state of all logged objects that fits together
      accounts.getFirst().add(1_000_000);
      System.out.println("after a mistake the sum is " + sum(accounts));
    }

    // With a descriptor: Grid.resume(store, "evening", Path.of("grid.xml")).
    try (Grid grid = Grid.local(1, GridOptions.standard().resuming(store, "evening"))) {
      System.out.println("resumed, the sum is " + sum(accounts(grid.nodes(), store)));
    }
  }

  private static ActiveObjects.Creation kept(Nodes nodes, Store store) {
    return ActiveObjects.on(nodes).with(Options.STANDARD.withKeep(Keep.calls(store)));
  }

  /** Returns the accounts, which are made at the first use of their names. */
  private static List<Account> accounts(Nodes nodes, Store store) {
    List<Account> accounts = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.add(kept(nodes, store).named("account " + i, Account.class));
    }
    return accounts;
  }

  private static long sum(List<Account> accounts) {
    return accounts.stream().mapToLong(each -> each.add(0)).sum();
  }
}
