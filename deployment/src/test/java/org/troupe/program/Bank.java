package org.troupe.program;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.deployment.Grid;

/** A program whose accounts outlive it: it makes deposits until it is killed. */
public final class Bank {

  private Bank() {}

  /** Has money, and knows another account. */
  public static class Account {
    private long balance;
    private Account other;

    public long add(long sum) {
      balance += sum;
      return balance;
    }

    public long balance() {
      return balance;
    }

    public void link(Account its) {
      other = its;
    }

    public long balanceOfOther() {
      return other.balance();
    }
  }

  /** Returns the options of accounts whose requests are logged. */
  public static Options logged(Path folder) {
    return Options.STANDARD.withKeep(Keep.calls(Store.directory(folder)));
  }

  /** Returns the options of accounts of which only images are kept. */
  public static Options imaged(Path folder) {
    return Options.STANDARD.withKeep(Keep.state(Store.directory(folder)));
  }

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    try (var grid = Grid.local(2, Quick.GRID)) {
      Nodes nodes = grid.nodes("default").await(Nodes.atLeast(2), Duration.ofSeconds(60));
      var giro = ActiveObjects.on(nodes).with(logged(folder)).named("giro", Account.class);
      var savings = ActiveObjects.on(nodes).with(imaged(folder)).named("savings", Account.class);
      savings.add(1_000);
      giro.link(savings);
      savings.link(giro);
      ActiveObjects.ref(savings).checkpoint().join();
      System.out.println(
          nodes.list().stream()
              .map(each -> each.attributes().get("pid"))
              .collect(Collectors.joining(" ", "pids ", "")));
      for (; ; ) {
        System.out.println("balance " + giro.add(1));
      }
    }
  }
}
