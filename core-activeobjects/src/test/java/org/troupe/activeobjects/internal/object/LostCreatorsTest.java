package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.marshal.PortableValues;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/**
 * A named object whose first node is taken for lost while it makes the object, and goes on with
 * that while another node makes it.
 */
@Timeout(60)
class LostCreatorsTest {

  /** An epoch that is higher than the first one of any node. */
  private static final long HIGH_EPOCH = 1L << 19;

  private static final AtomicInteger creations = new AtomicInteger();

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Adds numbers. */
  public static class Sum {
    private int sum;

    public int add(int number) {
      return sum += number;
    }
  }

  /** A store in a directory in which another node creates each journal a moment earlier. */
  record ContestedStore(Store.Directory directory) implements Store {
    @Override
    public Journals open(StoreUser user) throws IOException {
      return new ContestedJournals(directory.open(user));
    }
  }

  private record ContestedJournals(Journals journals) implements Journals {
    @Override
    public Journal create(String name, long epoch) throws IOException {
      creations.incrementAndGet();
      journals.open(name, HIGH_EPOCH).close();
      return journals.create(name, epoch);
    }

    @Override
    public Journal open(String name, long epoch) throws IOException {
      return journals.open(name, epoch);
    }

    @Override
    public OptionalLong epoch(String name) throws IOException {
      return journals.epoch(name);
    }

    @Override
    public Set<String> names() throws IOException {
      return journals.names();
    }

    @Override
    public void delete(String name) throws IOException {
      journals.delete(name);
    }

    @Override
    public void close() throws IOException {
      journals.close();
    }
  }

  @BeforeEach
  void start() {
    creations.set(0);
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Store.Directory directory() {
    return Store.directory(folder.resolve("store"));
  }

  private Sum sum(Options options) {
    return ActiveObjects.on(grid.nodes()).with(options).named("17", Sum.class);
  }

  @Test
  void anotherNodeMakesTheObjectWhileTheLostOneCreatesItsJournal() {
    var options = Options.STANDARD.withKeep(Keep.calls(new ContestedStore(directory())));

    var sum = sum(options);

    assertThat(sum.add(5)).isEqualTo(5);
    assertThat(creations).hasValue(1);
    valueOf(ActiveObjects.ref(sum).checkpoint(), "the image");
  }

  @Test
  void aLostNodeThatIsLateLeavesTheJournalOfTheObjectAlone() {
    for (var keep : new Keep[] {Keep.state(directory()), Keep.calls(directory())}) {
      var key = keep.logsCalls() ? "logged" : "kept";
      var options = Options.STANDARD.withKeep(keep);
      var account = ActiveObjects.on(grid.get(0)).with(options).named(key, Sum.class);
      assertThat(account.add(5)).isEqualTo(5);
      grid.join();
      var late = grid.list().size() - 1;
      grid.kill(late);

      assertThatThrownBy(() -> makes(late, key, options))
          .hasMessageContaining("was not created: node 'node-" + (late + 1) + "'")
          .hasMessageContaining("has left the grid, or the grid ends");

      assertThat(account.add(1)).isEqualTo(6);
      valueOf(ActiveObjects.ref(account).checkpoint(), "the image");
    }
  }

  /** Lets a node make an object as the coordinator had requested before the node was lost. */
  private void makes(int node, String key, Options options) throws Exception {
    var member = grid.member(node);
    var hosts = grid.list().stream().map(Node::id).toList();
    var marshaller = member.node().objects().marshaller();
    var request =
        new NamedObjects.Request(
            key, Sum.class.getName(), options, PortableValues.of(marshaller, new Object[0]), hosts);
    member.mobility().restarter().create(request, null);
  }
}
