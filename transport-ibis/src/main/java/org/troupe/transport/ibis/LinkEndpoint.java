package org.troupe.transport.ibis;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Room;
import org.troupe.activeobjects.spi.Transport.Connection;
import org.troupe.activeobjects.spi.Transport.Endpoint;
import org.troupe.activeobjects.spi.Transport.EndpointOptions;
import org.troupe.activeobjects.spi.Transport.Exchange;
import org.troupe.activeobjects.spi.Transport.Listening;
import org.troupe.activeobjects.spi.Transport.Receiver;
import org.troupe.links.Address;
import org.troupe.links.Driver;
import org.troupe.links.Link;
import org.troupe.links.Port;
import org.troupe.links.PortOptions;
import org.troupe.links.Secret;

/** A port with two services: one takes frames, one is the far end of call lanes. */
final class LinkEndpoint implements Endpoint {

  static final String FRAMES = "frames";
  static final String LANE = "lane";
  static final int FRAMES_BUFFER_BYTES = 64 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final System.Logger LOG = System.getLogger(LinkEndpoint.class.getPackageName());

  private final Port port;
  private final Receiver receiver;
  private volatile boolean closed;

  private LinkEndpoint(Port port, Receiver receiver) {
    this.port = port;
    this.receiver = receiver;
  }

  static LinkEndpoint open(EndpointOptions options, Receiver receiver) throws IOException {
    var port = Port.open(Secret.parse(options.secret()), portOptions(options.listening()));
    var endpoint = new LinkEndpoint(port, receiver);
    port.serve(FRAMES, link -> start(FRAMES, () -> endpoint.readFrames(link)));
    port.serve(LANE, link -> start(LANE, new LaneServer(link, endpoint::received)));
    return endpoint;
  }

  private static PortOptions portOptions(Listening listening) {
    return new PortOptions(
        new InetSocketAddress(listening.host(), listening.port()),
        listening.networks(),
        listening.isRelay(),
        Optional.of(listening.relay()).filter(text -> !text.isEmpty()).map(Address::parse),
        listening.trusted());
  }

  static void start(String service, Runnable reader) {
    Thread.ofPlatform()
        .daemon()
        .name("troupe-" + service)
        .inheritInheritableThreadLocals(false)
        .start(reader);
  }

  private void readFrames(Link link) {
    try (link) {
      var rooms = new Rooms(link);
      var input = new FrameInput(link, FRAMES_BUFFER_BYTES, rooms);
      for (var frame = FrameInput.NO_FRAME; !closed; ) {
        try {
          frame = input.read(frame);
          if (frame == null) {
            throw new BadFrameException("the end of an exchange came where there is none");
          }
          received(frame, null);
        } finally {
          rooms.leave();
        }
      }
    } catch (IOException e) {
      ended(link, e);
    }
  }

  /** The arrays for what comes by one link: of those who wait for it, or new ones. */
  private final class Rooms implements FrameInput.Source {

    /** The end of a peer on the same machine is noticed at once; nobody waits for it in vain. */
    private final boolean isNear;

    private final List<Room> taken = new ArrayList<>(1); // by the frame that is read now

    Rooms(Link link) {
      isNear = link.driver() == Driver.SHM || link.driver() == Driver.UDS;
    }

    @Override
    public Object array(byte[] header, ArrayKind kind, int length) {
      var room = isNear ? receiver.room(header, kind.element, length) : null;
      if (room == null) {
        return receiver.array(kind.element, length);
      }
      taken.add(room);
      return room.array();
    }

    void leave() {
      if (!taken.isEmpty()) {
        taken.forEach(each -> each.left().run());
        taken.clear();
      }
    }
  }

  /** Logs why a link has ended, if that is of interest to anybody. */
  static void ended(Link link, IOException e) {
    if (e instanceof BadFrameException) {
      LOG.log(
          Level.WARNING,
          "a peer sent what cannot be read over {0}; the link is closed: {1}",
          link.driver(),
          e.getMessage());
    } else {
      LOG.log(Level.DEBUG, "a link over {0} has ended: {1}", link.driver(), e.getMessage());
    }
  }

  private void received(Frame frame, Exchange exchange) {
    if (closed) {
      return; // and so is the link
    }
    try {
      receiver.received(frame, exchange);
    } catch (RuntimeException e) {
      // Not told to the peer: it could do nothing but send the frame again.
      LOG.log(Level.ERROR, "a frame that arrived could not be taken", e);
      if (exchange != null) {
        boolean _ = exchange.reply(null);
      }
    }
  }

  @Override
  public String address() {
    return port.address().toString();
  }

  @Override
  public Connection connect(String address) throws IOException {
    var peer = Address.parse(address);
    Link link = port.connect(peer, FRAMES, PATIENCE);
    try {
      link.share();
      return new LinkConnection(link, port, peer);
    } catch (IOException | RuntimeException e) {
      link.close();
      throw e;
    }
  }

  @Override
  public void close() {
    closed = true;
    port.close();
  }
}
