package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;

/** Save points of a deployed grid, and a later one that goes on from them. */
@Timeout(120)
class SavePointsOfJvmsTest {

  @TempDir private Path folder;

  private Store store() {
    return Store.directory(folder.resolve("store"));
  }

  private Ledger ledger(Grid grid, String key) throws Exception {
    var nodes = grid.nodes("default").await(Nodes.atLeast(2), Duration.ofSeconds(60));
    return ActiveObjects.on(nodes)
        .with(Options.STANDARD.withKeep(Keep.calls(store())))
        .named(key, Ledger.class);
  }

  @Test
  void aLaterGridGoesOnFromASavePoint() throws Exception {
    try (var grid = Grid.local(2, Quick.GRID)) {
      for (var key : new String[] {"a", "b"}) {
        ledger(grid, key).enterAndAnswer("main", 1);
      }
      grid.save("upgrade").get(30, TimeUnit.SECONDS);
      ledger(grid, "a").enterAndAnswer("main", 2);
    }
    try (var grid = Grid.local(2, Quick.GRID.resuming(store()))) {
      assertThat(ledger(grid, "a").entries("main")).containsExactly(1, 2);
    }
    try (var grid = Grid.local(2, Quick.GRID.resuming(store(), "upgrade"))) {
      assertThat(ledger(grid, "a").entries("main")).containsExactly(1);
      assertThat(ledger(grid, "b").entries("main")).containsExactly(1);
      grid.deleteSave("upgrade").get(30, TimeUnit.SECONDS);
    }
  }
}
