package org.troupe.activeobjects.internal.body;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.collective.BodyVisit;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.activeobjects.internal.call.BodyCalls;
import org.troupe.activeobjects.transport.ReceiveBuffer;

/** The extensions that other modules attach to a body. Thread-safe. */
public final class BodyExtensions implements BodyCalls {

  /*
   * Design: packets that arrive before their extension
   *
   * A packet bypasses the queue, in which the extension's attachment may still wait, so it may arrive first.
   * Such packets are kept until the extension is attached. Packets for an extension that is never attached are
   * few, and are discarded with the body. The keys of the most recently removed extensions are remembered, so
   * that late packets for them are dropped.
   */
  private static final int MOST_REMOVED = 1_000;

  private final Body body;

  // guarded by this
  private final Map<Key, BodyExtension> attached = new LinkedHashMap<>();
  private final Set<Key> removed = new LinkedHashSet<>(); // the oldest first
  private final Map<Key, List<Consumer<BodyExtension>>> early = new HashMap<>();

  public BodyExtensions(Body body) {
    this.body = body;
  }

  public synchronized @Nullable BodyExtension remove(Key key) {
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

  /**
   * A packet that belongs to this body alone.
   *
   * @param array the array that arrived with it, or {@code null}
   */
  public record OwnPacket(Supplier<Object> supplier, @Nullable Object array) implements Packet {

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

  @Override
  public void attach(BodyExtension attachment) {
    if (body instanceof LoggedBody) {
      throw new IllegalStateException(
          body
              + " is kept by its calls, and cannot become a member of a group in step, whose messages"
              + " are not logged; create it with Keep.state");
    }
    if (body.origin() != null) {
      throw new IllegalStateException(
          body
              + " has moved there from node '"
              + body.origin().birth().name()
              + "', and cannot become a member of a group in step; create one in its place");
    }
    attachment.attached(body.node().reference(body));
    body.node().extensions().add(this);
    for (var came = attachUnlessEarly(attachment); came != null; ) {
      // Not under the lock, because an extension may send packets; packets that arrive meanwhile
      // are still kept.
      came.forEach(each -> each.accept(attachment));
      came = attachUnlessEarly(attachment);
    }
    body.node().extended(body);
    body.node()
        .extensions()
        .reportLosses(attachment); // now, because later losses are reported to it anyway
  }

  private synchronized @Nullable List<Consumer<BodyExtension>> attachUnlessEarly(
      BodyExtension attachment) {
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

  /** Returns whether any extension is attached. */
  synchronized boolean isAny() {
    attached.values().removeIf(this::isOver);
    return !attached.isEmpty();
  }

  /** Returns the extensions of a class, in the order of their attachment. */
  public synchronized <A extends BodyExtension> List<A> ofType(Class<A> type) {
    return attached.values().stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Returns the lines of all extensions on the waits of the object's threads. */
  public List<String> waits() {
    return ofType(BodyExtension.class).stream().flatMap(each -> each.waits().stream()).toList();
  }

  /** Returns the places of the object in groups. */
  public List<GroupStanding> standings() {
    List<BodyExtension> all;
    synchronized (this) {
      all = List.copyOf(attached.values());
    }
    List<GroupStanding> standings = new ArrayList<>();
    for (var each : all) {
      var standing = each.standing();
      if (standing != null) {
        standings.add(standing);
      }
    }
    return standings;
  }

  @Override
  public @Nullable Object visit(BodyVisit visit) {
    return visit.visit(body.node().reference(body));
  }

  @Override
  public void nothing() {
    // The request only marks its turn.
  }

  /** Delivers a packet to its extension, now or when the extension is attached. */
  public void receive(Key key, Consumer<BodyExtension> packet) {
    BodyExtension found;
    synchronized (this) {
      found = attached.get(key);
      if (found == null) {
        if (!removed.contains(key)) {
          early.computeIfAbsent(key, each -> new ArrayList<>()).add(packet);
        }
        return;
      }
    }
    packet.accept(found);
  }

  /** Implements {@link BodyExtension#receiveBuffer}. */
  public @Nullable ReceiveBuffer receiveBuffer(
      Key key, int from, long tag, Class<?> element, int length) {
    BodyExtension found;
    synchronized (this) {
      found = attached.get(key);
    }
    return found == null ? null : found.receiveBuffer(from, tag, element, length);
  }

  public void lost(NodeId node, String reason) {
    List<BodyExtension> all;
    synchronized (this) {
      all = List.copyOf(attached.values());
    }
    all.forEach(each -> each.lost(node, reason));
  }
}
