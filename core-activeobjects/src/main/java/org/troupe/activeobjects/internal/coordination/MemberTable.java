package org.troupe.activeobjects.internal.coordination;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.service.MembershipView;

/** The members of one grid as this node knows them: the changes applied so far, in their order. */
public final class MemberTable {

  /*
   * Design: views
   *
   * The coordinator numbers the changes of the grid, and each node applies them in the order of their numbers, so all
   * nodes pass through the same views. A node that joins installs the view in the answer to its request. Changes
   * that are announced before this answer, or before a change with a lower number, wait until they are due; those
   * that the view includes are discarded. At the coordinator the table is the original: a change takes effect when the
   * coordinator applies it, before it is announced.
   *
   * States of a node: member, ending, lost. A member that has left or died is ending until its calls have been
   * completed, so that a late suspicion does not complete them with a worse reason.
   *
   * Threads: the monitor of the table guards it and, in CoordinatorRole, the decisions that depend on it. It is the
   * first in the lock order, which Peer describes. The listener is called with the monitor held, and must not block.
   */

  private final BiConsumer<MembershipView.Change, NodeDescription> listener;
  private final Map<NodeId, NodeDescription> members = new LinkedHashMap<>();
  private final Map<String, NodeDescription> byName = new HashMap<>(); // names are unique
  private final Set<NodeId> ending = new HashSet<>();
  private final Map<Long, MembershipView.Change> early = new HashMap<>(); // by their numbers
  private long number; // the number of the view; 0 before the first

  /**
   * Makes an empty table.
   *
   * @param listener receives each change when it has been applied, with the node that it is about
   */
  public MemberTable(BiConsumer<MembershipView.Change, NodeDescription> listener) {
    this.listener = listener;
  }

  /** Returns the number of the change that follows the applied ones. */
  synchronized long nextNumber() {
    return number + 1;
  }

  /** Returns the current view. */
  public synchronized MembershipView.View view() {
    return new MembershipView.View(number, list());
  }

  /** Returns the members in the order in which they joined. */
  public synchronized List<NodeDescription> list() {
    return List.copyOf(members.values());
  }

  public synchronized int size() {
    return members.size();
  }

  public synchronized boolean has(NodeId id) {
    return members.containsKey(id);
  }

  /** Returns a member; empty if the node is not one. */
  public synchronized Optional<NodeDescription> get(NodeId id) {
    return Optional.ofNullable(members.get(id));
  }

  /** Returns the member with a name; empty if there is none. */
  public synchronized Optional<NodeDescription> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Returns whether the node is a member, or was one and its calls have not been completed yet. */
  public synchronized boolean hasOrCompletes(NodeId id) {
    return members.containsKey(id) || ending.contains(id);
  }

  /** Records that the calls to a former member have been completed. */
  public synchronized void completed(NodeId id) {
    ending.remove(id);
  }

  /** Installs the view that the coordinator returned when this node joined. */
  public synchronized void install(MembershipView.View view) {
    number = view.number();
    view.members().forEach(member -> apply(new MembershipView.Change.Joined(number, member)));
    early.keySet().removeIf(each -> each <= number);
    applyEarly();
  }

  /** Applies announced changes as soon as all changes with lower numbers have been applied. */
  public synchronized void announced(List<MembershipView.Change> changes) {
    for (var change : changes) {
      if (number == 0 || change.number() > number) {
        early.put(change.number(), change);
      }
    }
    if (number != 0) {
      applyEarly();
    }
  }

  private void applyEarly() {
    for (MembershipView.Change next; (next = early.remove(number + 1)) != null; ) {
      apply(next);
    }
  }

  /** Applies a change whose number is the next. */
  public synchronized void apply(MembershipView.Change change) {
    number = change.number();
    var member =
        switch (change) {
          case MembershipView.Change.Joined(_, var joined) -> {
            members.put(joined.id(), joined);
            byName.put(joined.id().name(), joined);
            yield joined;
          }
          case MembershipView.Change.Leaving(_, var id, _) -> members.get(id);
          case MembershipView.Change.Left(_, var id, _, _) -> remove(id);
          case MembershipView.Change.Died(_, var id, _, _) -> remove(id);
        };
    if (member != null) {
      listener.accept(change, member);
    }
  }

  private @Nullable NodeDescription remove(NodeId id) {
    var member = members.remove(id);
    if (member != null) {
      byName.remove(id.name());
      ending.add(id);
    }
    return member;
  }
}
