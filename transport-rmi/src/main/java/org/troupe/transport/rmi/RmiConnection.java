package org.troupe.transport.rmi;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Addresses;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.links.port.Port;

/**
 * A connection that sends frames by RMI calls. RMI opens a socket for each concurrent call and
 * caches idle ones.
 */
final class RmiConnection implements Connection {

  final RemoteReceiver peer;
  private final PeerDialler dialler;

  RmiConnection(RemoteReceiver peer, PeerDialler dialler) {
    this.peer = peer;
    this.dialler = dialler;
  }

  /**
   * Sends the frames in one call. A failed call closes the connection, because RMI would open
   * another socket for the next call, whose frames would then overtake the lost ones.
   */
  @Override
  public void send(List<Frame> frames) throws IOException {
    try {
      peer.deliver(FramePacking.pack(frames));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public @Nullable Frame exchange(Frame frame) throws IOException {
    var packed = FramePacking.pack(frame);
    var reply = Port.<@Nullable Object, IOException>interruptibly(() -> peer.exchange(packed));
    return reply == null ? null : FramePacking.unpack(reply);
  }

  @Override
  public Addresses addresses() {
    var its = dialler.addresses();
    return new Addresses(its.local(), its.remote(), its.file());
  }

  @Override
  public void close() {
    dialler.close();
  }
}
