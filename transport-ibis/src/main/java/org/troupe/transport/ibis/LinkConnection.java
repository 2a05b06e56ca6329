package org.troupe.transport.ibis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Addresses;
import org.troupe.activeobjects.transport.Transport.Caller;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.port.Port;

/** A connection of one link for all frames to a peer, and two pools of call lanes. */
final class LinkConnection implements Connection {

  private final LinkEndpoint endpoint;
  private final Link link;
  private final String driver;
  private final FrameOutput output; // the contract of Connection permits one sender at a time
  private final CallLanes<CallLane> lanes;
  private final CallLanes<ReaderLane> tended;
  private volatile boolean closed;

  LinkConnection(LinkEndpoint endpoint, Link link, Port port, Address peer) {
    this.endpoint = endpoint;
    this.link = link;
    this.driver =
        link.driver().name().toLowerCase(Locale.ROOT)
            + (port.isRelayed(peer) ? " over the relay" : "");
    this.output = new FrameOutput(link, LinkEndpoint.FRAMES_BUFFER_BYTES);
    this.lanes = new CallLanes<>(port, peer, (made, _) -> new CallLane(made, endpoint));
    this.tended =
        new CallLanes<>(port, peer, (made, lanes) -> new ReaderLane(made, endpoint, lanes));
  }

  @Override
  public String driver() {
    return driver;
  }

  @Override
  public Addresses addresses() {
    var its = link.addresses();
    return new Addresses(its.local(), its.remote(), its.file());
  }

  @Override
  public void send(List<Frame> frames) throws IOException {
    output.send(frames);
  }

  @Override
  public boolean canOffer() {
    return true;
  }

  @Override
  public boolean offer(List<Frame> frames) throws IOException {
    return output.offer(frames);
  }

  @Override
  public boolean sendZeroCopy(Frame frame, boolean waits) throws IOException {
    if (output.tryWrite(frame)) {
      return true;
    }
    if (waits) {
      output.write(frame, endpoint::receiveWhile);
    }
    return waits;
  }

  @Override
  public @Nullable Frame exchange(Frame frame) throws IOException {
    CallLane lane = lanes.take();
    boolean sound = false;
    try {
      @Nullable Frame reply = lane.exchange(frame);
      sound = true;
      return reply;
    } finally {
      if (sound) {
        lanes.giveBack(lane);
      } else {
        lanes.drop(lane);
      }
    }
  }

  @Override
  public boolean canBegin() {
    return true;
  }

  @Override
  public void begin(Frame frame, Caller caller) throws IOException {
    tended.take().begin(frame, caller);
  }

  /** Reads the link, to which the peer never writes; the read returns when the link ends. */
  @Override
  public void onEnd(Runnable action) {
    LinkEndpoint.start("frames-end", () -> awaitEnd(action));
  }

  private void awaitEnd(Runnable action) {
    try {
      var nothing = ByteBuffer.allocate(1);
      while (link.read(nothing.clear()) > 0) {
        // The peer has no reason to send; its bytes are ignored.
      }
    } catch (IOException e) {
      LinkEndpoint.ended(link, e);
    }
    if (!closed) {
      action.run();
    }
  }

  @Override
  public void close() {
    closed = true;
    link.close();
    lanes.close();
    tended.close();
  }
}
