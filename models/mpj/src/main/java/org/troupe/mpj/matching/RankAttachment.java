package org.troupe.mpj.matching;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.activeobjects.transport.SharedSegment;

/** Carries a message engine to the active object of each rank. */
public final class RankAttachment implements BodyExtension {

  /** The engines of this JVM, by which ranks of one node reach each other directly. */
  private static final Map<Place, MessageEngine> NEAR = new ConcurrentHashMap<>();

  private record Place(NodeId node, Key key, int rank) {}

  private final Key key;
  private final Object[] members; // stubs, by rank
  private transient @Nullable MessageEngine engine;
  private transient @Nullable GridNetwork network;
  private transient volatile boolean isOver;

  private RankAttachment(Key key, Object[] members) {
    this.key = key;
    this.members = members;
  }

  /** Attaches an engine to each of the objects, which become the ranks in their order. */
  public static void attach(List<?> members) {
    List<Ref<?>> refs = new ArrayList<>();
    members.forEach(each -> refs.add(ActiveObjects.ref(each)));
    Collectives.current().requireOneGrid(refs);
    var attachment = new RankAttachment(Collectives.current().newKey(), members.toArray());
    for (var each : Collectives.current().attach(attachment, refs)) {
      try {
        each.value();
      } catch (RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable failure) {
        throw new IllegalStateException("an object could not become a rank", failure);
      }
    }
  }

  /** Returns the engine of the object that the current thread serves. */
  public static MessageEngine ofCurrent() {
    var all = Collectives.current().extensionsOfCurrent(RankAttachment.class);
    return Objects.requireNonNull(all.getLast().engine, "attached");
  }

  /** Ends the engine of the object that the current thread serves. */
  public static void detachCurrent() {
    for (var each : Collectives.current().extensionsOfCurrent(RankAttachment.class)) {
      each.end();
      Collectives.current().detachFromCurrent(each.key);
    }
  }

  private void end() {
    isOver = true;
    var ended = network;
    if (ended != null) {
      NEAR.remove(ended.place(ended.own));
    }
  }

  @Override
  public Key key() {
    return key;
  }

  @Override
  public void attached(Ref<?> self) {
    var made = new GridNetwork(self);
    network = made;
    var own = new MessageEngine(made.own, made);
    engine = own;
    NEAR.put(made.place(made.own), own);
    Collectives.current().expectComputing(self);
  }

  @Override
  public void received(int from, long tag, Packet packet) {
    var its = engine;
    if (its != null && from >= 0 && from < members.length) {
      its.received(from, tag, packet);
    }
  }

  @Override
  public @Nullable ReceiveBuffer receiveBuffer(int from, long tag, Class<?> element, int length) {
    var its = engine;
    return its == null ? null : its.receiveBuffer(from, tag, element, length);
  }

  @Override
  public void lost(NodeId node, String why) {
    var its = engine;
    var way = network;
    if (its != null && way != null) {
      List<Integer> ranks = new ArrayList<>();
      for (var i = 0; i < way.nodes.length; i++) {
        if (way.nodes[i].equals(node)) {
          ranks.add(i);
        }
      }
      if (!ranks.isEmpty()) {
        its.lost(ranks, why);
      }
    }
  }

  @Override
  public List<String> waits() {
    var its = engine;
    return its == null ? List.of() : its.waits().lines();
  }

  @Override
  public @Nullable GroupStanding standing() {
    var its = engine;
    var way = network;
    if (its == null || way == null) {
      return null;
    }
    var wait = its.waits().first();
    return new GroupStanding(
        Long.toHexString(key.origin()) + "-" + key.number(),
        way.own,
        members.length,
        wait == null ? null : way.open(wait));
  }

  @Override
  public boolean isOver() {
    return isOver;
  }

  /** The other ranks as active objects. */
  private final class GridNetwork implements RankNetwork {
    private final Ref<?>[] refs;
    private final NodeId[] nodes;
    private final boolean[] isNear;
    private final int own;

    /** Describes a wait of this rank. */
    GroupStanding.OpenWait open(RankWait wait) {
      var awaited = new BitSet();
      wait.addAwaited(awaited);
      awaited.clear(own);
      var now = System.nanoTime();
      return new GroupStanding.OpenWait(
          (wait.context() & 1) == 1 ? GroupStanding.Kind.COLLECTIVE : GroupStanding.Kind.RECEIVE,
          wait.describe(),
          awaited.stream().boxed().toList(),
          awaited.isEmpty() ? null : refs[awaited.nextSetBit(0)],
          now - wait.waited(now),
          wait.thread());
    }

    GridNetwork(Ref<?> self) {
      refs = new Ref<?>[members.length];
      nodes = new NodeId[members.length];
      var found = -1;
      for (var i = 0; i < members.length; i++) {
        refs[i] = ActiveObjects.ref(members[i]);
        nodes[i] = refs[i].node();
        found = refs[i].equals(self) ? i : found;
      }
      own = found;
      isNear = new boolean[nodes.length];
      for (var i = 0; i < nodes.length; i++) {
        isNear[i] = nodes[i].equals(nodes[own]);
      }
    }

    Place place(int rank) {
      return new Place(nodes[rank], key, rank);
    }

    @Override
    public int size() {
      return refs.length;
    }

    @Override
    public @Nullable MessageEngine near(int rank) {
      return isNear[rank] ? NEAR.get(place(rank)) : null;
    }

    @Override
    public void send(int to, long tag, @Nullable Object value) {
      Collectives.current().send(refs[to], key, own, tag, value);
    }

    @Override
    public void give(int to, long tag, Object array) {
      Collectives.current().transfer(refs[to], key, own, tag, array);
    }

    @Override
    public void sendSlice(int to, long tag, Frame.Slice slice) {
      Collectives.current().sendZeroCopy(refs[to], key, own, tag, slice);
    }

    @Override
    public Object copy(Object objects) {
      return Collectives.current().copyOf(objects);
    }

    @Override
    public void receiveWhile(BooleanSupplier isWaiting) {
      Collectives.current().receiveWhile(isWaiting);
    }

    @Override
    public @Nullable SharedSegment createMemory(long bytes) {
      return Collectives.current().createMemory(bytes);
    }

    @Override
    public @Nullable SharedSegment openMemory(byte[] details, long bytes) {
      return Collectives.current().openMemory(refs[own], details, bytes);
    }

    @Override
    public String describe(int rank) {
      return "rank " + rank + " on node '" + nodes[rank].name() + "'";
    }
  }
}
