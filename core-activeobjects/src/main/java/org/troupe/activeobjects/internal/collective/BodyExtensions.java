package org.troupe.activeobjects.internal.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.BodyExtension.Parcel;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.activeobjects.internal.call.ArrayPool;
import org.troupe.activeobjects.internal.call.BodyCalls;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.membership.NodeService;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.internal.object.QueuedRequest;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.ServiceContext;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.futures.FutureResult;

/** What one body carries for others than its object. May be shared between threads. */
public final class BodyExtensions implements BodyCalls {

  /*
   * A parcel may come before the attachment that it is for: it passes the queue, in which the attachment may still
   * wait. Such parcels are kept. Those for an attachment that never comes are not many, and go with the body; of those
   * removed the last keys are known, so what comes late for them is dropped.
   */
  private static final int MOST_REMOVED = 1_000;

  /** Fewer go sooner among the bytes of a frame. */
  private static final int LEAST_LENT_BYTES = 1024;

  private final Body body;

  // Under this
  private final Map<Key, BodyExtension> attached = new LinkedHashMap<>();
  private final Set<Key> removed = new LinkedHashSet<>(); // the oldest first
  private final Map<Key, List<Consumer<BodyExtension>>> early = new HashMap<>();

  public BodyExtensions(Body body) {
    this.body = body;
  }

  /** For {@link Key#unique}. */
  public static Key newKey() {
    var node = NodeRuntime.current();
    return new Key(node.id().incarnation(), node.nextId());
  }

  /** For {@link BodyExtension#attach}. */
  public static List<FutureResult<Object>> attach(
      BodyExtension attachment, List<? extends Ref<?>> objects) {
    return CausalMulticast.of(BodyCalls.ATTACH, new Object[] {attachment}).ask(objects, false);
  }

  /** For {@link BodyExtension#requireOneGrid}. */
  public static void requireOneGrid(List<? extends Ref<?>> objects) {
    Ref<?> first = null;
    GridMembership grid = null;
    for (var each : objects) {
      if (((Reference<?>) each).target() instanceof Reference.Target.Elsewhere(var home, _, _, _)) {
        if (grid != null && home.access() != grid) {
          throw new IllegalArgumentException(
              first
                  + " and "
                  + each
                  + " are in different grids, whose nodes do not reach each other; take objects of"
                  + " one grid");
        }
        first = each;
        grid = home.access();
      }
    }
  }

  /** For {@link BodyExtension#node}. */
  public static Optional<Node> node(Ref<?> object) {
    var id = object.node();
    return switch (((Reference<?>) object).target()) {
      case Reference.Target.Elsewhere(var home, _, _, _) -> home.access().member(id);
      case Reference.Target.Here(var body) -> // which may take part in several grids
          body.node().peers().stream()
              .map(peer -> peer.access().member(id))
              .flatMap(Optional::stream)
              .findFirst();
    };
  }

  /** For {@link BodyExtension#ofCurrent}. */
  public static <A extends BodyExtension> List<A> ofCurrent(Class<A> type) {
    var all = current();
    synchronized (all) {
      return all.attached.values().stream().filter(type::isInstance).map(type::cast).toList();
    }
  }

  /** For {@link BodyExtension#attachHere}. */
  public static void attachHere(BodyExtension attachment) {
    current().attach(attachment);
  }

  /** For {@link BodyExtension#inTurn}. */
  public static Supplier<String> inTurn(
      Ref<?> object, Ref<?> sender, Runnable task, BooleanSupplier keeps) {
    var queued = new QueuedRequest.Task(task, sender, keeps);
    bodyOf(object).put(queued);
    return queued::waitsBehind;
  }

  /** For {@link BodyExtension#expectComputing}. */
  public static void expectComputing(Ref<?> object) {
    bodyOf(object).expectComputing();
  }

  /** For {@link BodyExtension#receiveWhile}. */
  public static void receiveWhile(BooleanSupplier isWaiting) {
    var context = ServiceContext.current();
    if (context != null && context.body != null) {
      if (context.rule instanceof ServicePolicy.Rule.InTurn) {
        context.body.waitsForParcel();
      }
      context.body.node().receiveWhile(isWaiting);
    }
  }

  /** For {@link BodyExtension#report}. */
  public static void report(Ref<?> object, String what, Throwable cause) {
    var body = bodyOf(object);
    body.node().failures().report(body, what + " of " + body, cause);
  }

  private static Body bodyOf(Ref<?> object) {
    if (!(((Reference<?>) object).target() instanceof Reference.Target.Here(Body body))) {
      throw new IllegalArgumentException(object + " is not of this node; only its own node can");
    }
    return body;
  }

  /** For {@link BodyExtension#detach}. */
  public static void detach(Key key) {
    current().remove(key);
  }

  /** For {@link ReplyInterceptor#attachToNode}. */
  public static void attachToNode(BodyExtension attachment) {
    ofNode().attach(attachment);
  }

  /** For {@link ReplyInterceptor#detachFromNode}. */
  public static BodyExtension detachFromNode(Key key) {
    return ofNode().remove(key);
  }

  private static BodyExtensions ofNode() {
    return NodeRuntime.current().body(NodeService.NUMBER).attachments();
  }

  private synchronized BodyExtension remove(Key key) {
    early.remove(key);
    removed(key);
    return attached.remove(key);
  }

  private void removed(Key key) {
    removed.add(key);
    if (removed.size() > MOST_REMOVED) {
      removed.remove(removed.iterator().next());
    }
  }

  private static BodyExtensions current() {
    var body = ServiceContext.currentBody();
    if (body == null) {
      throw new IllegalStateException(
          "a thread that serves no active object has no place in a group; ask inside a method that"
              + " an active object serves");
    }
    return body.attachments();
  }

  /** For {@link BodyExtension#send}. */
  public static void send(
      Ref<?> object, Key key, int from, long tag, Object value, boolean isGiven) {
    var reference = (Reference<?>) object;
    switch (reference.target()) {
      case Reference.Target.Here(Body body) -> send(body, key, from, tag, value, isGiven);
      case Reference.Target.Elsewhere there ->
          send(there.home(), there.number(), key, from, tag, value, isGiven);
    }
  }

  /** For {@link ReplyInterceptor#sendToNode}. */
  public static void sendToNode(Ref<?> neighbour, Key key, int from, long tag, Object value) {
    var reference = (Reference<?>) neighbour;
    switch (reference.target()) {
      case Reference.Target.Here(Body body) ->
          send(body.node().body(NodeService.NUMBER), key, from, tag, value, false);
      case Reference.Target.Elsewhere there ->
          send(there.home(), NodeService.NUMBER, key, from, tag, value, false);
    }
  }

  private static void send(Body body, Key key, int from, long tag, Object value, boolean isGiven) {
    var copies = body.node().copies();
    Parcel parcel;
    if (isGiven) {
      parcel = new OwnParcel(() -> value, null);
    } else if (isArrayOfNumbers(value) || copies.isShareable(value)) {
      parcel = () -> value;
    } else {
      var payload = copies.encode(value);
      parcel = () -> payload.decodeLast(copies)[0];
    }
    body.attachments().receive(key, each -> each.received(from, tag, parcel));
  }

  private static void send(
      Peer home, long number, Key key, int from, long tag, Object value, boolean isGiven) {
    var copies = home.node().copies();
    var payload = isArrayOfNumbers(value) ? copies.borrow(value) : copies.encode(value);
    home.sendParcel(number, key, from, tag, payload, isGiven);
  }

  /** For {@link BodyExtension#lend}. */
  public static void lend(Ref<?> object, Key key, int from, long tag, Frame.Slice numbers) {
    if (((Reference<?>) object).target() instanceof Reference.Target.Elsewhere there
        && numbers.bytes() >= LEAST_LENT_BYTES) {
      var payload = there.home().node().copies().borrow(numbers);
      there.home().lendParcel(there.number(), key, from, tag, payload);
    } else {
      send(object, key, from, tag, numbers.copy(), true);
    }
  }

  /**
   * What nobody else has.
   *
   * @param array that has come beside it, or {@code null}
   */
  public record OwnParcel(Supplier<Object> supplier, Object array) implements Parcel {

    @Override
    public Object value() {
      return supplier.get();
    }

    @Override
    public boolean isOwn() {
      return true;
    }

    @Override
    public boolean isIn(Object room) {
      return array == room;
    }
  }

  /** For {@link BodyExtension#spare}. */
  public static Object spare(Class<?> element, int length) {
    return ArrayPool.take(element, length);
  }

  /** For {@link BodyExtension#leave}. */
  public static void leave(Object array) {
    ArrayPool.put(array);
  }

  private static boolean isArrayOfNumbers(Object value) {
    return value != null
        && value.getClass().isArray()
        && value.getClass().componentType().isPrimitive();
  }

  @Override
  public void attach(BodyExtension attachment) {
    attachment.attached(Reference.to(body));
    body.node().carries(this);
    for (var came = attachUnlessEarly(attachment); came != null; ) {
      // Without the lock, for an attachment may send others; what comes meanwhile is early still.
      came.forEach(each -> each.accept(attachment));
      came = attachUnlessEarly(attachment);
    }
    body.node().tellOfLost(attachment); // now, for those lost from now on it hears of anyway
  }

  private synchronized List<Consumer<BodyExtension>> attachUnlessEarly(BodyExtension attachment) {
    var came = early.remove(attachment.key());
    if (came == null) {
      attached.values().removeIf(this::isOver);
      attached.put(attachment.key(), attachment);
    }
    return came;
  }

  private boolean isOver(BodyExtension attachment) {
    if (attachment.isOver()) {
      removed(attachment.key());
      return true;
    }
    return false;
  }

  @Override
  public void nothing() {
    // What matters is that it was its turn.
  }

  /** Gives a parcel to its attachment, now or as soon as that is there. */
  public void receive(Key key, Consumer<BodyExtension> parcel) {
    BodyExtension found;
    synchronized (this) {
      found = attached.get(key);
      if (found == null) {
        if (!removed.contains(key)) {
          early.computeIfAbsent(key, each -> new ArrayList<>()).add(parcel);
        }
        return;
      }
    }
    parcel.accept(found);
  }

  /** For {@link BodyExtension#room}. */
  public ReceiveBuffer room(Message.Parcel parcel, Class<?> element, int length) {
    BodyExtension found;
    synchronized (this) {
      found = attached.get(parcel.key());
    }
    return found == null ? null : found.room(parcel.from(), parcel.tag(), element, length);
  }

  public void lost(NodeId node, String reason) {
    List<BodyExtension> all;
    synchronized (this) {
      all = List.copyOf(attached.values());
    }
    all.forEach(each -> each.lost(node, reason));
  }
}
