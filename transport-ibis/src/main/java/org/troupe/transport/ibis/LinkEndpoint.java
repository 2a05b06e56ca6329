package org.troupe.transport.ibis;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport.Connection;
import org.troupe.activeobjects.spi.Transport.Endpoint;
import org.troupe.activeobjects.spi.Transport.EndpointOptions;
import org.troupe.activeobjects.spi.Transport.Exchange;
import org.troupe.activeobjects.spi.Transport.Listening;
import org.troupe.activeobjects.spi.Transport.Receiver;
import org.troupe.links.Address;
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

  /** As long as some twenty wake-ups take: who waits longer loses little by being woken. */
  private static final long MOST_POLLING_NANOS = 1_000_000;

  /** After that others may have the processor in between: perhaps who is waited for. */
  private static final long UNDISTURBED_NANOS = 10_000;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int LOOKS_BETWEEN_CLOCKS = 32;
  private static final System.Logger LOG = System.getLogger(LinkEndpoint.class.getPackageName());

  private final Port port;
  private final Receiver receiver;
  private final Set<FrameReader> readers = ConcurrentHashMap.newKeySet(); // that can be polled
  private final ReentrantLock polling = new ReentrantLock(); // by one thread at a time
  private volatile boolean closed;
  private volatile boolean othersSleep; // who would have looked for frames, too

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
    var reader = new FrameReader(link, this);
    if (link.canPoll()) {
      readers.add(reader);
    }
    try (link) {
      reader.readAll();
    } catch (IOException e) {
      ended(link, e);
    } finally {
      readers.remove(reader);
    }
  }

  /*
   * To wake the thread that reads a link, which wakes the one that waits for what comes, takes longer than most frames
   * take, and where all processors compute much longer: who is woken may find another in its place for the rest of a
   * time slice, some milliseconds, though its own processor is idle by then. So who has nothing else to do looks for
   * itself for a while.
   */
  @Override
  public void receiveWhile(BooleanSupplier isWaiting) {
    if (PROCESSORS == 1 || readers.isEmpty() || !isWaiting.getAsBoolean()) {
      return; // nobody can send meanwhile, or there is nothing to wait for
    }
    if (!polling.tryLock()) {
      othersSleep = true;
      return; // somebody looks for frames, and finds those for others, too
    }
    var polled = List.copyOf(readers);
    boolean inVain = true;
    try {
      polled.forEach(FrameReader::beginPolling);
      var began = System.nanoTime();
      for (int looks = 1; (inVain = isWaiting.getAsBoolean()); looks++) {
        polled.forEach(FrameReader::poll);
        if (looks % LOOKS_BETWEEN_CLOCKS != 0) {
          Thread.onSpinWait();
          continue;
        }
        long passed = System.nanoTime() - began;
        if (passed > MOST_POLLING_NANOS) {
          return;
        }
        if (passed > UNDISTURBED_NANOS) {
          Thread.yield();
        }
      }
    } finally {
      boolean sleeps = inVain || othersSleep;
      othersSleep = false;
      for (FrameReader each : polled) {
        each.endPolling(sleeps);
      }
      polling.unlock();
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

  Receiver receiver() {
    return receiver;
  }

  boolean isClosed() {
    return closed;
  }

  void received(Frame frame, Exchange exchange) {
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
      return new LinkConnection(this, link, port, peer);
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
