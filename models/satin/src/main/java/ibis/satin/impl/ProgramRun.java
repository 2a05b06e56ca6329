package ibis.satin.impl;

import ibis.satin.replica.SharedHost;
import ibis.satin.replica.SharedHub;
import ibis.satin.replica.SharedReplicas;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.EngineSettings;
import org.troupe.tasks.engine.Spawn;
import org.troupe.tasks.nodes.GridTasks;
import org.troupe.tasks.nodes.Settings;
import org.troupe.tasks.nodes.Strategy;

/** One run of a program: workers of this JVM and, if there are any, of nodes. */
final class ProgramRun implements AutoCloseable {

  private static final Logger LOGGER = System.getLogger(ProgramRun.class.getPackageName());

  /** Properties of the JVM and of Troupe, which each node has of its own. */
  private static final Pattern OF_EACH_JVM =
      Pattern.compile(
          "(java|jdk|sun|os|user|file|path|line|native|stdin|stdout|stderr|troupe|http|https|ftp|socksNonProxyHosts)(\\.|$)");

  private final SatinProperties properties;
  private final Engine engine;
  private final @Nullable GridTasks grid;
  private final @Nullable SharedHub hub;
  private final List<SharedHost> hosts = new ArrayList<>(); // guarded by this

  private final Set<Node> joined = new HashSet<>(); // guarded by this
  private boolean closed; // guarded by this

  private ProgramRun(SatinProperties properties, Engine engine) {
    this.properties = properties;
    this.engine = engine;
    this.grid = null;
    this.hub = null;
  }

  private ProgramRun(SatinProperties properties, Nodes nodes) {
    this.properties = properties;
    Settings usual = Settings.ofProperties();
    this.hub = ActiveObjects.here().create(SharedHub.class);
    SharedReplicas.here().connect(hub, 0);
    join(ActiveObjects.node());
    nodes.list().forEach(this::join);
    nodes.onJoin(this::join);
    this.grid =
        GridTasks.onAndHere( // main runs here
            nodes,
            new Settings(
                properties.threads(),
                usual.stackBytes(),
                switch (properties.algorithm()) {
                  case RS -> Strategy.RS;
                  case CRS -> Strategy.CRS;
                  case MW -> Strategy.MW;
                },
                usual.retries(),
                !properties.dropOrphans(),
                usual.leave()));
    this.engine = grid.engine();
    SharedReplicas.here().executeBy(engine);
  }

  /** Starts the workers of this JVM alone. */
  static ProgramRun here(SatinProperties properties) {
    return new ProgramRun(
        properties, Engine.start(EngineSettings.ofProperties().withWorkers(properties.threads())));
  }

  /**
   * Starts the workers of this JVM and of nodes.
   *
   * @throws IllegalStateException if the world is closed and the nodes do not come
   */
  static ProgramRun on(Nodes nodes, SatinProperties properties) {
    if (properties.closed()) {
      try {
        nodes.await(
            Nodes.atLeast(Math.max(1, Integer.getInteger("ibis.pool.size", 1))),
            Duration.ofDays(1));
      } catch (TimeoutException e) {
        throw new IllegalStateException("-Dsatin.closed: " + e.getMessage(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while nodes were awaited (-Dsatin.closed)", e);
      }
    }
    return new ProgramRun(properties, properties.closed() ? ClosedNodes.of(nodes) : nodes);
  }

  private void join(Node node) {
    SharedHub center = hub;
    if (center == null) {
      return;
    }
    int number;
    synchronized (this) {
      number = joined.size();
      if (closed || !joined.add(node)) {
        return; // a node that joins in between is both listed and announced
      }
    }
    boolean own = number == 0;
    try {
      SharedHost host =
          ActiveObjects.on(node)
              .create(SharedHost.class, center, number, own ? Map.of() : propertiesOfTheProgram());
      center.join(number, host);
      synchronized (this) {
        hosts.add(host);
      }
    } catch (RuntimeException e) {
      LOGGER.log(
          Level.WARNING, "node {0} gets no shared objects: {1}", node.name(), e.getMessage());
    }
  }

  /** Returns what was given to this JVM by {@code -D}, but for its own settings. */
  private static Map<String, String> propertiesOfTheProgram() {
    Map<String, String> given = new TreeMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      if (!OF_EACH_JVM.matcher(name).lookingAt()) {
        given.put(name, System.getProperty(name, ""));
      }
    }
    return given;
  }

  CompletableFuture<? extends Spawn> submit(Spawn root) {
    return grid == null ? engine.submit(root) : grid.submitHere(root);
  }

  void pause() {
    if (grid != null) {
      grid.pause();
    }
  }

  void resume() {
    if (grid != null) {
      grid.resume();
    }
  }

  /** Returns whether this is a world of one that stays so. */
  boolean isAlone() {
    return grid == null;
  }

  @Override
  public void close() {
    if (properties.statistics()) {
      report();
    }
    if (grid == null) {
      engine.close();
      return;
    }
    grid.close();
    List<SharedHost> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(hosts);
    }
    all.forEach(ProgramRun::close);
    if (hub != null) {
      SharedReplicas.here().disconnect(hub);
      ActiveObjects.ref(hub).terminate();
    }
  }

  private static void close(SharedHost host) {
    try {
      host.close();
      ActiveObjects.ref(host).terminate();
    } catch (NodeLostException lost) {
      // It has nothing that is to be closed any more.
    }
  }

  /** Prints counts on standard error, where programs of the time have them. */
  private void report() {
    if (grid == null) {
      System.err.println("SATIN: here: " + engine.totals());
    } else {
      grid.totals().forEach((node, totals) -> System.err.println("SATIN: " + node + ": " + totals));
    }
  }
}
