package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.DeferredPacket;
import org.troupe.activeobjects.internal.marshal.Payload;

/** The packets to another node that are sent before its next message. */
final class DeferredPackets {

  /*
   * Design: packets in place without being sent
   *
   * A deferred packet has its place in the order of messages: behind the last one numbered. It gets a number
   * only when a message is about to be numbered, just before that message; both happen in one step, under the lock of the
   * outbox. So every message numbered before is in front of the packet, and every later one behind it.
   *
   * A receiver that reads the content from shared memory takes it in the same place: behind as many messages as
   * defer returned (Inbox.runBehind), and in front of the later ones. It does so in front of those if it has
   * confirmed the content by the time when the next message is numbered, which the supplier of the tag tells;
   * otherwise the packet precedes that message, and the receiver ignores what it has already taken.
   *
   * All methods are called under the lock of the outbox. Calls to nodes without deferred packets pay for one
   * comparison.
   */
  private final SendWindow window;
  private final List<Packet> deferred = new ArrayList<>(0);

  DeferredPackets(SendWindow window) {
    this.window = window;
  }

  /** A packet that can be deferred again and again. */
  static final class Packet implements DeferredPacket {

    private final Outbox outbox;
    private final long target;
    private final BodyExtension.Key key;
    private final int from;
    private final Payload payload;
    private final LongSupplier tag;
    private boolean isDeferred; // guarded by the lock of the outbox

    Packet(
        Outbox outbox,
        long target,
        BodyExtension.Key key,
        int from,
        Payload payload,
        LongSupplier tag) {
      this.outbox = outbox;
      this.target = target;
      this.key = key;
      this.from = from;
      this.payload = payload;
      this.tag = tag;
    }

    @Override
    public long defer() {
      return outbox.defer(this);
    }

    @Override
    public void sendNow() {
      outbox.sendDeferred(this);
    }
  }

  /** Defers a packet; returns the number of the last message. */
  long add(Packet packet) {
    if (!packet.isDeferred) {
      deferred.add(packet);
      packet.isDeferred = true;
    }
    return window.lastNumber();
  }

  /**
   * Numbers all packets that are still needed, before a message is numbered; the caller sends them.
   */
  List<UnackedFrame> number() {
    if (deferred.isEmpty()) {
      return List.of();
    }
    List<UnackedFrame> numbered = new ArrayList<>(deferred.size());
    while (!deferred.isEmpty()) {
      var frame = number(deferred.getLast());
      if (frame != null) {
        numbered.add(frame);
      }
    }
    return numbered;
  }

  /** Numbers a packet if it is deferred and still needed; else returns {@code null}. */
  @Nullable UnackedFrame number(Packet packet) {
    if (!packet.isDeferred) {
      return null;
    }
    var tag = packet.tag.getAsLong();
    UnackedFrame frame = null;
    if (tag != -1) {
      var message =
          new Message.Packet(
              packet.target, packet.key, packet.from, tag, packet.payload.values().side());
      frame = window.number(0, message, packet.payload, null, null, 1, false);
    }
    deferred.remove(packet); // not earlier: a failure must not lose it
    packet.isDeferred = false;
    return frame;
  }

  /** Drops all packets to a lost node. */
  void lose() {
    deferred.forEach(each -> each.isDeferred = false);
    deferred.clear();
  }
}
