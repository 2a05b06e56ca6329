package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.program.Quick;
import org.troupe.program.Worker;

/** Grids of JVMs that grow and shrink while they run. */
@Timeout(180)
class ChangingGridTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private Path folder;

  private static Worker worker(Node node) {
    return ActiveObjects.on(node).create(Worker.class);
  }

  @Test
  void moreNodesCanBeHadAndLetGo() throws Exception {
    try (var grid = Grid.local(1, Quick.GRID)) {
      grid.nodes("default").request(1);
      var nodes = grid.nodes("default").await(Nodes.all(), PATIENCE);

      assertThat(nodes).extracting(Node::name).containsExactly("local-1", "local-2");
      var late = nodes.get(1);
      var worker = worker(late);
      assertThat(worker.count()).isEqualTo(1);
      var pending = ActiveObjects.ref(worker).ask(Worker::never);

      nodes.release(late).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

      assertThat(nodes.await(Nodes.all(), PATIENCE).list()).hasSize(1).doesNotContain(late);
      assertThatThrownBy(() -> pending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .hasCauseInstanceOf(NodeLostException.class)
          .hasMessageContaining("is gone: it was released; 1 call to it is lost");
      Processes.assertGone(Processes.pid(late));
      assertThat(grid.status()).hasSize(2);
    }
  }

  @Test
  void aNodeThatIsAskedToEndLeavesWhenOthersHaveSavedWhatItHas() throws Exception {
    var events = new LinkedBlockingQueue<String>();
    var isSaved = new CountDownLatch(1);
    try (var grid = Grid.local(1, Quick.GRID)) {
      var node = grid.nodes().first();
      var worker = worker(node);
      worker.count();
      grid.nodes()
          .onLeaving(
              (leaver, reason) -> {
                events.add(reason);
                events.add("saved " + worker.count());
                isSaved.countDown();
              });
      grid.nodes().onLeave((leaver, reason) -> events.add(isSaved.getCount() + " " + reason));

      Processes.signal("TERM", Processes.pid(node));

      assertThat(events.poll(60, TimeUnit.SECONDS)).startsWith("it was asked to end (SIGTERM)");
      assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("saved 2");
      assertThat(events.poll(60, TimeUnit.SECONDS)).startsWith("0 ").contains("SIGTERM");
      Processes.assertGone(Processes.pid(node));
    }
  }

  @Test
  void aNodeWithoutMemorySaysSo() throws Exception {
    var file =
        Files.writeString(
            folder.resolve("grid.xml"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <virtualNodes><virtualNode name="v"/></virtualNodes>
              <mapping><map virtualNode="v" to="a"/></mapping>
              <infrastructure>
                <local id="a" jvm="j"/>
                <jvm id="j"><option>-Xmx48m</option></jvm>
              </infrastructure>
            </troupe>
            """);
    try (var grid = Grid.deploy(DescriptorReader.read(file, Map.of()), Quick.GRID)) {
      var node = grid.nodes().await(Nodes.all(), PATIENCE).first();
      var told = new CompletableFuture<String>();
      grid.nodes().onLeave((leaver, reason) -> told.complete(reason));

      var call = ActiveObjects.ref(worker(node)).ask(Worker::hoard);

      assertThatThrownBy(() -> call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              NodeLostException.class,
              lost -> assertThat(lost.exitReport().orElseThrow().outOfMemory()).isTrue())
          .hasMessageContaining("it ran out of memory: Java heap space; give its JVM more");
      assertThat(told.get(60, TimeUnit.SECONDS)).contains("it ran out of memory");
    }
  }
}
