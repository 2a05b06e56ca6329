package org.troupe.activeobjects.internal.coordination;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.copies.CopiedJournals;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.service.NodeLoads;
import org.troupe.activeobjects.internal.service.NodeServices;
import org.troupe.activeobjects.internal.service.ThreadedTask;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/**
 * The members of a grid as hosts of the objects that its coordinator lets them create or restart.
 */
final class ObjectHosts implements Supervisor.Grid, NamedObjects.Grid {

  private final NodeObjects node;
  private final MemberTable members;
  private final Predicate<NodeId> isLeaving; // called with the monitor of the members
  private final NodeServices services;
  private final LocalRestarter restarter;

  ObjectHosts(
      NodeObjects node,
      MemberTable members,
      Predicate<NodeId> isLeaving,
      NodeServices services,
      LocalRestarter restarter) {
    this.node = node;
    this.members = members;
    this.isLeaving = isLeaving;
    this.services = services;
    this.restarter = restarter;
  }

  @Override
  public String journalOf(String key) {
    return node.host().keeper().journalOf(key);
  }

  @Override
  public List<NodeDescription> membersByLoad(List<NodeId> among) throws InterruptedException {
    Map<NodeDescription, CompletableFuture<Integer>> asked = new LinkedHashMap<>();
    List<NodeDescription> present;
    synchronized (members) {
      present =
          members.list().stream()
              .filter(each -> among.contains(each.id()) && !isLeaving.test(each.id()))
              .toList();
    }
    present.forEach(each -> asked.put(each, objects(each)));
    return NodeLoads.leastFirst(asked);
  }

  @Override
  public CompletableFuture<ObjectIdentity> create(
      NodeDescription member, NamedObjects.Request request) {
    return member.id().equals(node.id())
        ? ThreadedTask.start(() -> restarter.create(request))
        : services.of(member).createNamed(request);
  }

  @Override
  public List<NodeDescription> members() {
    synchronized (members) {
      return members.list().stream().filter(each -> !isLeaving.test(each.id())).toList();
    }
  }

  @Override
  public CompletableFuture<Integer> objects(NodeDescription member) {
    try {
      return member.id().equals(node.id())
          ? CompletableFuture.completedFuture(node.bodies().size())
          : services.of(member).objects();
    } catch (RuntimeException failure) { // it is lost already
      return CompletableFuture.failedFuture(failure);
    }
  }

  @Override
  public CompletableFuture<Supervisor.Made> embody(NodeDescription member, Supervisor.Order order) {
    if (member.id().equals(node.id())) {
      return ThreadedTask.start(() -> restarter.embody(order).get());
    }
    try {
      return services.of(member).embody(order);
    } catch (RuntimeException failure) { // it cannot be encoded here
      return CompletableFuture.failedFuture(failure);
    }
  }

  @Override
  public CompletableFuture<Map<String, String>> lostCopies(Set<String> journals) {
    return ThreadedTask.start(() -> CopiedJournals.lost(journals, this::namesOfCopies));
  }

  private Map<NodeId, CompletableFuture<List<String>>> namesOfCopies() {
    Map<NodeId, CompletableFuture<List<String>>> asked = new LinkedHashMap<>();
    for (var each : members.list()) {
      asked.put(each.id(), namesOfCopies(each));
    }
    return asked;
  }

  private CompletableFuture<List<String>> namesOfCopies(NodeDescription member) {
    try {
      return member.id().equals(node.id())
          ? CompletableFuture.completedFuture(restarter.copies())
          : services.of(member).copyNames().thenApply(List::of);
    } catch (RuntimeException failure) { // it is lost already
      return CompletableFuture.failedFuture(failure);
    }
  }

  @Override
  public long nanoTime() {
    return node.restartClock().nanoTime();
  }

  @Override
  public void schedule(Runnable action, long nanos) {
    node.restartClock().schedule(action, nanos);
  }
}
