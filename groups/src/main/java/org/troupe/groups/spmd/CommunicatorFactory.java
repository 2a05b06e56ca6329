package org.troupe.groups.spmd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureResult;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.checkpoint.GroupRestoration;
import org.troupe.groups.internal.SpmdEnrolment;

/**
 * Makes active objects the members of an SPMD group: attaches a {@link CommunicatorExtension} to
 * each. Public for the service loader only; programs call {@code Groups.spmd}.
 */
@SuppressWarnings("exports") // the interface is for Groups, which cannot import this package
public final class CommunicatorFactory implements SpmdEnrolment {

  /** For the service loader. */
  public CommunicatorFactory() {}

  @Override
  public void enrol(List<?> members, List<Node> nodes) {
    attachAll(members, nodes.stream().map(MemberLocation::of).toArray(MemberLocation[]::new));
  }

  @Override
  public void enrol(List<?> members) {
    attachAll(
        members,
        members.stream().map(CommunicatorFactory::locationOf).toArray(MemberLocation[]::new));
  }

  @Override
  public <C> CompletableFuture<C> checkpoint(
      Class<?> type, List<? extends Ref<?>> members, Store store, LongFunction<C> made) {
    return new GroupCheckpoint<>(type, members, store, made).begin();
  }

  @Override
  public List<Object> restore(
      Class<?> type, Store store, Options options, Node first, IntFunction<List<Node>> placement) {
    return new GroupRestoration(type, store, options)
        .restore(
            first,
            placement,
            (generation, members, places) -> {
              Collectives.current().requireOneGrid(refs(members));
              return CommunicatorExtension.restored(
                  Collectives.current().newKey(),
                  members.toArray(),
                  places.stream().map(MemberLocation::of).toArray(MemberLocation[]::new),
                  generation.series());
            });
  }

  private static void attachAll(List<?> members, MemberLocation[] locations) {
    Collectives.current().requireOneGrid(refs(members));
    attach(
        new CommunicatorExtension(
            Collectives.current().newKey(), members.toArray(), locations, false),
        members);
  }

  /**
   * Makes objects the members of a new group, with the ranks behind those of an existing group.
   *
   * @param communicator this member's communicator in the existing group
   * @return the arguments of the new communicators at existing members: the two parts of the key,
   *     the stubs, and their locations
   */
  static Object[] extend(Communicator communicator, List<?> joiners) {
    List<Object> stubs = new ArrayList<>(List.of(communicator.stubs()));
    List<MemberLocation> locations = new ArrayList<>(List.of(communicator.hierarchy().locations()));
    for (var each : joiners) {
      if (stubs.contains(each)) { // it would wait for itself: it serves this request at present
        throw new IllegalArgumentException(
            "member "
                + stubs.indexOf(each)
                + " already belongs to this group; pass each joiner once and no current member");
      }
      stubs.add(each);
      locations.add(locationOf(each));
    }
    Collectives.current().requireOneGrid(refs(stubs));
    var key = Collectives.current().newKey();
    var all = locations.toArray(MemberLocation[]::new);
    attach(new CommunicatorExtension(key, stubs.toArray(), all, false), joiners);
    return new Object[] {key.origin(), key.number(), stubs.toArray(), all};
  }

  private static void attach(CommunicatorExtension extension, List<?> members) {
    var refs = refs(members);
    try {
      for (var each : Collectives.current().attach(extension, refs)) {
        each.value();
      }
    } catch (Throwable failure) {
      // Otherwise the others would be members of a group that does not exist.
      var withdrawal = new Withdrawal(Collectives.current().newKey(), extension.key());
      Collectives.current().attach(withdrawal, refs).forEach(FutureResult::claim);
      switch (failure) {
        case RuntimeException unchecked -> throw unchecked;
        case Error error -> throw error;
        default -> throw new CollectiveException("an object could not become a member: " + failure);
      }
    }
  }

  /** A request that removes an object's communicator again. */
  record Withdrawal(Key key, Key communicator) implements BodyExtension {

    @Override
    public void attached(Ref<?> self) {
      Collectives.current().detachFromCurrent(communicator);
    }

    @Override
    public boolean isOver() {
      return true;
    }

    @Override
    public void received(int from, long tag, Packet packet) {
      // No packet is sent to this key.
    }

    @Override
    public void lost(NodeId node, String why) {
      // A withdrawal depends on no other node.
    }
  }

  /** Returns the location of an object; an unknown node is a host and a cluster of its own. */
  private static MemberLocation locationOf(Object member) {
    var ref = ActiveObjects.ref(member);
    var unknown = "node " + ref.node().name();
    return Collectives.current()
        .nodeOf(ref)
        .map(MemberLocation::of)
        .orElseGet(() -> new MemberLocation(unknown, unknown));
  }

  private static List<Ref<?>> refs(List<?> members) {
    return members.stream().<Ref<?>>map(ActiveObjects::ref).toList();
  }
}
