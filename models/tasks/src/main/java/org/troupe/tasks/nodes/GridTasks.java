package org.troupe.tasks.nodes;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.Spawn;

/**
 * Tasks over a live set of nodes, as the program sees them. May be shared between threads.
 *
 * <p>The node of the program takes part: as a worker if it belongs to the set or is to work anyway,
 * else only as the one from which root tasks are taken, and to which their results return. If there
 * is no other node, it executes them.
 */
public final class GridTasks implements AutoCloseable {

  private static final Logger LOG = System.getLogger(GridTasks.class.getName());

  private final BodyExtension.Key key = Collectives.current().newKey();
  private final Settings settings;
  private final Node home;
  private final TaskNode node;
  private final TaskHost address;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Node, TaskMember> members = new LinkedHashMap<>(); // guarded by lock
  private int numbers; // guarded by lock
  private final Map<String, Set<Node>> labels = new TreeMap<>(); // guarded by lock
  private final Map<Nodes, Set<String>> labelled = new HashMap<>(); // guarded by lock
  private long labelChanges; // guarded by lock
  private boolean closed; // guarded by lock
  private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();

  /** The roots that ran when a node was lost, and have not ended. */
  private final Set<CompletableFuture<?>> sinceLoss = ConcurrentHashMap.newKeySet();

  /**
   * This object for the listeners of the nodes, which are never removed; null when it is closed.
   */
  private final AtomicReference<@Nullable GridTasks> followed = new AtomicReference<>(this);

  private volatile boolean works;
  private volatile boolean isAsked; // whether there was a root task

  private GridTasks(Settings settings, boolean worksHere) {
    this.settings = settings;
    home = ActiveObjects.node();
    works = worksHere || settings.strategy() == Strategy.MW;
    var own = works ? settings.engine() : settings.engine().withWorkers(0);
    node =
        new TaskNode(
            key,
            0,
            settings,
            Engine.start("tasks-" + home.name(), own, Copies.ofProperties()),
            TaskNode.link(key, 0));
    Collectives.current().attachToNode(node);
    address = ActiveObjects.here().create(TaskHost.class);
    var self = new TaskMember(0, home.id(), home.cluster(), address);
    members.put(home, self);
    node.joined(self);
  }

  /**
   * Starts workers on the nodes of a live set, and on those that join it later.
   *
   * @throws IllegalArgumentException if the settings are not valid
   */
  public static GridTasks on(Nodes nodes, Settings settings) {
    return following(nodes, new GridTasks(settings, nodes.list().contains(ActiveObjects.node())));
  }

  /**
   * Starts workers as {@link #on} does, and also on the node of the program if the set does not
   * have it.
   */
  public static GridTasks onAndHere(Nodes nodes, Settings settings) {
    return following(nodes, new GridTasks(settings, true));
  }

  private static GridTasks following(Nodes nodes, GridTasks tasks) {
    tasks.follow(nodes);
    return tasks;
  }

  private void follow(Nodes nodes) {
    for (var first : nodes.list()) {
      join(first);
    }
    listen(nodes, followed);
  }

  private static void listen(Nodes nodes, AtomicReference<@Nullable GridTasks> followed) {
    nodes.onJoin(joining -> ifOpen(followed, tasks -> tasks.join(joining)));
    nodes.onLeaving((leaving, why) -> ifOpen(followed, tasks -> tasks.leaving(leaving)));
    nodes.onLeave((gone, why) -> ifOpen(followed, tasks -> tasks.left(gone, why)));
  }

  private static void ifOpen(
      AtomicReference<@Nullable GridTasks> followed, Consumer<GridTasks> action) {
    var tasks = followed.get();
    if (tasks != null) {
      action.accept(tasks);
    }
  }

  private void join(Node joining) {
    int number;
    lock.lock();
    try {
      if (closed || members.containsKey(joining)) {
        return;
      }
      number = ++numbers;
      members.put(joining, new TaskMember(number, joining.id(), joining.cluster(), address));
    } finally {
      lock.unlock();
    }
    try {
      var host = ActiveObjects.on(joining).create(TaskHost.class, key, number, settings);
      announce(joining, new TaskMember(number, joining.id(), joining.cluster(), host));
    } catch (RuntimeException failure) {
      boolean wasClosed;
      lock.lock();
      try {
        members.remove(joining);
        wasClosed = closed;
      } finally {
        lock.unlock();
      }
      tellLabels(); // others may have heard of its labels meanwhile
      LOG.log(
          wasClosed ? Level.DEBUG : Level.WARNING,
          "Node {0} does not take part in the tasks: {1}",
          joining.name(),
          failure.getMessage());
      if (isAsked) {
        workIfAlone("no other node takes part");
      }
    }
  }

  private void announce(Node joined, TaskMember member) {
    List<TaskMember> all;
    lock.lock();
    try {
      if (closed || !members.containsKey(joined)) { // or lost meanwhile
        all = List.of();
      } else {
        members.put(joined, member);
        all = known();
      }
    } finally {
      lock.unlock();
    }
    if (all.isEmpty()) {
      close(member);
      return;
    }
    var labelsNow = nextLabels();
    if (labelsNow != null) {
      member.host().labels(labelsNow); // before it gets a task
    }
    member.host().members(all);
    node.joined(member);
    for (var other : all) {
      if (other.number() != 0 && other.number() != member.number()) {
        tell(other, host -> host.joined(member));
      }
    }
    tellLabels();
  }

  /**
   * Sends news to another node, which does not need them if it is lost, too. Returns a future that
   * completes when the other node has them or is lost.
   */
  private static CompletableFuture<Void> tell(TaskMember member, Ref.Told<TaskHost> news) {
    try {
      return ActiveObjects.ref(member.host()).tell(news).exceptionally(lost -> null);
    } catch (NodeLostException lost) { // known already
      return CompletableFuture.completedFuture(null);
    }
  }

  // Labels

  /** Gives nodes a label, now and each one that joins the set later; waits until all know it. */
  public void label(String label, Nodes of) {
    boolean isFirst; // else this listens to the set already
    lock.lock();
    try {
      isFirst = !labelled.containsKey(of);
      labelled.computeIfAbsent(of, _ -> new HashSet<>()).add(label);
      labels.computeIfAbsent(label, _ -> new LinkedHashSet<>()).addAll(of.list());
    } finally {
      lock.unlock();
    }
    CompletableFuture.allOf(tellLabels()).join();
    if (isFirst) {
      listenForLabels(of, followed);
    }
  }

  private static void listenForLabels(Nodes of, AtomicReference<@Nullable GridTasks> followed) {
    of.onJoin(joining -> ifOpen(followed, tasks -> tasks.labelled(of, joining)));
  }

  /** Gives a node that has joined a set the labels of the set. */
  private void labelled(Nodes of, Node joining) {
    boolean isNew = false;
    lock.lock();
    try {
      for (var label : labelled.getOrDefault(of, Set.of())) {
        isNew |= labels.computeIfAbsent(label, _ -> new LinkedHashSet<>()).add(joining);
      }
    } finally {
      lock.unlock();
    }
    if (isNew) {
      tellLabels();
    }
  }

  /** Tells all nodes which nodes have which labels. */
  private CompletableFuture<?>[] tellLabels() {
    var news = nextLabels();
    if (news == null) {
      return new CompletableFuture<?>[0];
    }
    node.labels(news);
    return hosts().stream()
        .map(member -> tell(member, host -> host.labels(news)))
        .toArray(CompletableFuture<?>[]::new);
  }

  /**
   * Returns which members that have workers have which labels, as a further change; {@code null} if
   * the program has given no label.
   */
  private @Nullable Labels nextLabels() {
    lock.lock();
    try {
      if (labels.isEmpty()) {
        return null;
      }
      Map<String, List<Integer>> numbersOf = new TreeMap<>();
      labels.forEach(
          (label, nodes) -> {
            var having =
                nodes.stream()
                    .map(members::get)
                    .filter(Objects::nonNull)
                    .filter(each -> each.number() == 0 ? works : each.host() != address)
                    .map(TaskMember::number)
                    .toList();
            if (!having.isEmpty()) {
              numbersOf.put(label, having);
            }
          });
      return new Labels(++labelChanges, numbersOf);
    } finally {
      lock.unlock();
    }
  }

  /** The members whose hosts exist. To be called with the lock. */
  private List<TaskMember> known() {
    var all = new ArrayList<TaskMember>();
    for (var member : members.values()) {
      if (member.number() == 0 || member.host() != address) {
        all.add(member);
      }
    }
    return all;
  }

  private List<TaskMember> hosts() {
    lock.lock();
    try {
      var all = known();
      all.removeIf(member -> member.number() == 0);
      return all;
    } finally {
      lock.unlock();
    }
  }

  private void leaving(Node leaving) {
    TaskMember member;
    lock.lock();
    try {
      member = members.get(leaving);
    } finally {
      lock.unlock();
    }
    if (member == null || member.host() == address) {
      return;
    }
    try {
      member.host().leave().get(settings.leave().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.log(
          Level.INFO,
          "Node {0} leaves before its tasks have ended; other nodes repeat them",
          leaving.name());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void left(Node gone, String why) {
    lock.lock();
    try {
      members.remove(gone);
      labels.values().forEach(nodes -> nodes.remove(gone));
    } finally {
      lock.unlock();
    }
    sinceLoss.addAll(running);
    node.lost(gone.id(), why);
    for (var other : hosts()) {
      tell(other, host -> host.lost(gone.id(), why));
    }
    sinceLoss.removeIf(CompletableFuture::isDone);
    forgetOrphans();
    workIfAlone("all other nodes have left or are lost");
    tellLabels();
  }

  /** Executes a root task; the future completes when it has ended. */
  public <S extends Spawn> CompletableFuture<S> submit(S root) {
    isAsked = true;
    workIfAlone("there is no node yet");
    var future =
        settings.strategy() == Strategy.MW
            ? node.engine().submit(root)
            : node.engine().submitAnywhere(root);
    follow(future);
    node.fed();
    return future;
  }

  /** Executes a root task on this node, which must be one of the set. */
  public <S extends Spawn> CompletableFuture<S> submitHere(S root) {
    var future = node.engine().submit(root);
    follow(future);
    return future;
  }

  private void follow(CompletableFuture<?> root) {
    running.add(root);
    root.whenComplete((ended, failure) -> ended(root));
  }

  private void ended(CompletableFuture<?> root) {
    running.remove(root);
    if (sinceLoss.remove(root)) {
      forgetOrphans();
    }
  }

  /** Lets all nodes forget orphans when no root runs any more that could need them. */
  private void forgetOrphans() {
    if (sinceLoss.isEmpty()) {
      node.forget();
      hosts().forEach(member -> tell(member, TaskHost::forget));
    }
  }

  /** Returns the engine of this node. */
  public Engine engine() {
    return node.engine();
  }

  /** Stops taking tasks from other nodes and giving tasks to them, on this node. */
  public void pause() {
    node.pause();
  }

  /** Ends {@link #pause}. */
  public void resume() {
    node.resume();
  }

  private void workIfAlone(String why) {
    lock.lock();
    try {
      if (works || closed || members.size() > 1) {
        return;
      }
      works = true;
    } finally {
      lock.unlock();
    }
    LOG.log(Level.WARNING, "Tasks run in the program''s own JVM, as {0}", why);
    node.engine().addWorkers(settings.engine().workers());
    tellLabels(); // this node may have some
  }

  /** Returns what each node has done, by its name. */
  public Map<String, NodeTotals> totals() {
    var all = new LinkedHashMap<String, NodeTotals>();
    if (works) {
      all.put(home.name(), node.totals());
    }
    for (var member : hosts()) {
      try {
        all.put(member.node().name(), member.host().totals());
      } catch (RuntimeException lost) {
        LOG.log(Level.DEBUG, "No report of {0}: {1}", member.node().name(), lost.getMessage());
      }
    }
    return all;
  }

  /** Cancels the tasks that have not ended, and ends the workers of all nodes. */
  @Override
  public void close() {
    List<TaskMember> all;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      all = known();
    } finally {
      lock.unlock();
    }
    followed.set(null);
    node.close();
    Collectives.current().detachFromNode(key);
    for (var member : all) {
      if (member.number() != 0) {
        close(member);
      }
    }
    ActiveObjects.ref(address).terminate();
  }

  private static void close(TaskMember member) {
    try {
      member.host().close();
      ActiveObjects.ref(member.host()).terminate();
    } catch (RuntimeException lost) {
      LOG.log(Level.DEBUG, "{0} is not there to be closed", member.node().name());
    }
  }
}
