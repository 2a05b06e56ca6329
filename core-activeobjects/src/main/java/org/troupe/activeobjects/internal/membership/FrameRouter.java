package org.troupe.activeobjects.internal.membership;

import java.lang.System.Logger.Level;
import java.lang.reflect.Array;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.coordination.MemberTable;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.MessageCodec;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.peer.ReceiveLimits;
import org.troupe.activeobjects.internal.peer.RemoteRequest;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.serialization.SerializationException;

/** Routes each frame that arrives at the endpoint of one grid to the inbox of its sender. */
final class FrameRouter implements Transport.Receiver {

  /*
   * Design: senders that are not known yet
   *
   * The header of a frame begins with the incarnation of its sender. The first frame on a new connection is a
   * greeting, which names the sender; it introduces a peer that this node has not communicated with. Any other frame
   * of an unknown sender is dropped, and the incarnation recorded: when the greeting comes, the sender learns that
   * frames may have been dropped, and retransmits them. The number of senders that are no members, and of recorded
   * incarnations, is limited, because a process that knows the secret may invent as many as it likes.
   *
   * A greeting names its receiver, too. A node that has ended may leave its address to another one, whose inbox
   * would take the frames for the former node as its own: their numbers and names are those of another link. Such a
   * greeting is refused, and with it the connection.
   *
   * Threads: the transport calls the router from any number of threads at once. Without a lock, the sender of the last
   * frame is a shortcut past the table of peers: a thread that reads a stale sender compares its incarnation.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final NodeId self;
  private final PeerTable peers;
  private final Membership membership;
  private final MemberTable members;
  private final ReceiveLimits limits;
  private final Set<Long> dropped = ConcurrentHashMap.newKeySet(); // incarnations
  private volatile boolean hasDroppedOthers; // more than are recorded
  private final Set<Long> refused = ConcurrentHashMap.newKeySet(); // whose refusal was reported
  private volatile boolean closed;
  private @Nullable Peer lastSender; // a race on it is harmless

  /** Makes a router; new peers belong to the given grid. */
  FrameRouter(
      NodeId self,
      PeerTable peers,
      Membership membership,
      MemberTable members,
      ReceiveLimits limits) {
    this.self = self;
    this.peers = peers;
    this.membership = membership;
    this.members = members;
    this.limits = limits;
  }

  /** Ignores all frames from now on. */
  void close() {
    closed = true;
  }

  @Override
  public Object array(Class<?> element, int length) {
    var spare = ArrayPool.take(element, length);
    return spare == null ? Array.newInstance(element, length) : spare;
  }

  @Override
  public @Nullable ReceiveBuffer receiveBuffer(byte[] header, Class<?> element, int length) {
    var in = MessageCodec.header(header);
    try {
      var sender = peers.known(in.readLong());
      return closed || sender == null ? null : sender.inbox().receiveBuffer(in, element, length);
    } catch (SerializationException e) {
      return null; // reported when the frame is processed
    }
  }

  @Override
  public void received(Frame frame, Transport.@Nullable Exchange exchange) {
    if (closed) {
      return; // its exchanges have ended, too
    }
    Peer sender;
    var in = MessageCodec.header(frame);
    try {
      var incarnation = in.readLong();
      sender = lastSender;
      if (sender == null || sender.id().incarnation() != incarnation) {
        sender = peers.known(incarnation);
      }
      if (sender == null) {
        sender = introduced(incarnation, frame);
      }
      if (sender == null) {
        recordDropped(incarnation);
        sender = peers.known(incarnation); // it may have been introduced meanwhile
      }
    } catch (SerializationException | Transport.RefusedConnectionException e) {
      RemoteRequest.decline(exchange);
      throw e;
    }
    if (sender == null) {
      LOG.log(Level.DEBUG, "a frame that preceded the greeting of its sender is dropped");
      RemoteRequest.decline(exchange);
      return;
    }
    lastSender = sender;
    sender.inbox().receive(frame, in, exchange);
  }

  @Override
  public @Nullable Object sender(byte[] header) {
    return header.length < Long.BYTES ? null : MessageCodec.header(header).readLong();
  }

  /** Returns the unknown sender of a greeting; {@code null} if the frame is not a greeting. */
  private @Nullable Peer introduced(long incarnation, Frame frame) {
    if (!(MessageCodec.greeting(frame) instanceof Message.Hello hello)) {
      return null;
    }
    if (!hello.isFor(self)) {
      throw hello.refusal(self, refused.size() < limits.ignored() && refused.add(incarnation));
    }
    var id = new NodeId(hello.name(), incarnation);
    if (!members.has(id) && strangers() >= limits.strangers()) {
      throw new SerializationException(
          "node '%s' greets and is no member of the grid, as %d others have done"
              .formatted(id, limits.strangers()));
    }
    return peers.named(id, membership, hello.address());
  }

  private long strangers() {
    synchronized (members) {
      return peers.all().stream()
          .filter(peer -> peer.access() == membership && !members.has(peer.id()) && !peer.isLost())
          .count();
    }
  }

  private void recordDropped(long incarnation) {
    if (dropped.size() < limits.ignored()) {
      dropped.add(incarnation);
    } else {
      hasDroppedOthers = true;
    }
  }

  /** Returns whether a frame of a node may have been dropped because the node was not known yet. */
  boolean mayHaveDropped(NodeId id) {
    return hasDroppedOthers || dropped.contains(id.incarnation());
  }
}
