package org.troupe.transport.ibis;

import java.io.IOException;
import java.util.List;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport.Connection;
import org.troupe.links.Driver;
import org.troupe.links.Link;

/** One link for all frames to a peer, and call lanes beside it. */
final class LinkConnection implements Connection {

  private final Link link;
  private final FrameOutput output; // never used by two threads at once, says the contract
  private final Lanes lanes;

  LinkConnection(Link link, Lanes lanes) {
    this.link = link;
    this.output = new FrameOutput(link, LinkEndpoint.FRAMES_BUFFER_BYTES);
    this.lanes = lanes;
  }

  Driver driver() {
    return link.driver();
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
  public Frame exchange(Frame frame) throws IOException {
    return lanes.exchange(frame);
  }

  @Override
  public void close() {
    link.close();
    lanes.close();
  }
}
