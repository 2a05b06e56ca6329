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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.activeobjects.transport.Transport.Endpoint;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.activeobjects.transport.Transport.Listening;
import org.troupe.activeobjects.transport.Transport.Receiver;
import org.troupe.activeobjects.transport.Transport.RefusedConnectionException;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortOptions;
import org.troupe.serialization.SerializationException;

/** An open port with two services: one receives frames, one is the serving end of call lanes. */
final class LinkEndpoint implements Endpoint {

  static final String FRAMES = "frames";
  static final String LANE = "lane";
  static final int FRAMES_BUFFER_BYTES = 64 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** About the time of twenty wake-ups; a longer wait loses little by sleeping. */
  private static final long MOST_POLLING_NANOS = 1_000_000;

  /** After this a polling thread yields: the awaited peer may need the processor. */
  private static final long UNDISTURBED_NANOS = 10_000;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int LOOKS_BETWEEN_CLOCKS = 32;
  private static final System.Logger LOG = System.getLogger(LinkEndpoint.class.getPackageName());

  private final Port port;
  private final Receiver receiver;
  private final ReceiveBudget budget;
  private final IncomingLinks links;
  private final Thread linksWatch;
  private final Set<FrameReader> readers =
      ConcurrentHashMap.newKeySet(); // of links that can be polled
  private final ReentrantLock polling = new ReentrantLock(); // held by the one polling thread
  private volatile boolean closed;
  private volatile boolean othersSleep; // threads that found another one polling

  private LinkEndpoint(
      Port port, Receiver receiver, ReceiveBudget budget, IncomingLinks.Bounds bounds) {
    this.port = port;
    this.receiver = receiver;
    this.budget = budget;
    this.links = new IncomingLinks(bounds);
    this.linksWatch = Thread.ofVirtual().name("troupe-incoming-links").start(links);
  }

  static LinkEndpoint open(EndpointOptions options, Receiver receiver) throws IOException {
    return open(
        options,
        receiver,
        ReceiveBudget.ofHeap(),
        IncomingLinks.Bounds.ofHeap(Runtime.getRuntime().maxMemory()));
  }

  static LinkEndpoint open(
      EndpointOptions options, Receiver receiver, ReceiveBudget budget, IncomingLinks.Bounds bounds)
      throws IOException {
    var port = Port.open(Secret.parse(options.secret()), portOptions(options.listening()));
    var endpoint = new LinkEndpoint(port, receiver, budget, bounds);
    port.serve(FRAMES, link -> endpoint.accept(FRAMES, link, endpoint::readFrames));
    port.serve(LANE, link -> endpoint.accept(LANE, link, endpoint::serveLane));
    return endpoint;
  }

  private void accept(String service, Link link, Consumer<Link> reader) {
    if (links.admits(link)) {
      start(service, () -> reader.accept(link));
    }
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
    try (link;
        var incoming = links.fromPeer(link, reader.input())) {
      reader.begin(incoming);
      if (link.canPoll()) {
        readers.add(reader);
      }
      reader.readAll();
    } catch (IOException e) {
      ended(link, e);
    } finally {
      readers.remove(reader);
    }
  }

  private void serveLane(Link link) {
    var lane = new LaneServer(link, this);
    try (link;
        var incoming = links.fromPeer(link, lane.input())) {
      lane.serve(incoming);
    } catch (IOException e) {
      ended(link, e);
    }
  }

  /*
   * Why waiting threads poll. Two JVMs on two processors took 1.04 s for sor and 93 us for a round trip
   * of one double when each frame woke the link's thread; with polling they took 0.66 s and 7.3 us
   * (./troupe run sor and pingpong, 44a32cc, 2026-11-22). The scheduler's record (perf sched, Linux
   * 6.18) showed that a woken thread started 0.56 ms late on average, the reading thread 1.3 ms: it
   * waits for the end of a time slice of 3 ms, although the other processor is idle.
   */
  @Override
  public void receiveWhile(BooleanSupplier isWaiting) {
    if (PROCESSORS == 1 || readers.isEmpty() || !isWaiting.getAsBoolean()) {
      return; // with one processor no peer could send meanwhile; or there is nothing to wait for
    }
    if (!polling.tryLock()) {
      othersSleep = true;
      return; // the polling thread receives the frames of all waiting threads
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

  @Override
  public @Nullable SharedSegment createMemory(long size) throws IOException {
    return port.createMemory(size).map(LinkMemory::new).orElse(null);
  }

  @Override
  public @Nullable SharedSegment openMemory(byte[] details, long size) throws IOException {
    return port.openMemory(details, size).map(LinkMemory::new).orElse(null);
  }

  /** Logs why a link has ended: a warning for unreadable frames, else on the debug level. */
  static void ended(Link link, IOException e) {
    if (e instanceof BadFrameException) {
      LOG.log(
          Level.WARNING,
          "closed the link over {0}, on which a peer sent an unreadable frame: {1}",
          link,
          e.getMessage());
    } else {
      LOG.log(Level.DEBUG, "a link over {0} has ended: {1}", link.driver(), e.getMessage());
    }
  }

  Receiver receiver() {
    return receiver;
  }

  ReceiveBudget receiveBudget() {
    return budget;
  }

  IncomingLinks links() {
    return links;
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Gives a frame to the receiver.
   *
   * @throws BadFrameException if the receiver cannot decode it
   * @throws IOException if the receiver refuses the link
   */
  void received(Frame frame, @Nullable Exchange exchange, IncomingLinks.Incoming incoming)
      throws IOException {
    if (closed) {
      return; // the link closes, too
    }
    if (incoming.isNew()) {
      incoming.isOf(receiver.sender(frame.header()));
    }
    try {
      receiver.received(frame, exchange);
    } catch (SerializationException e) {
      throw new BadFrameException(e.getMessage());
    } catch (RefusedConnectionException e) {
      throw new IOException(e.getMessage(), e);
    } catch (RuntimeException e) {
      // The peer gets no report: it could only send the same frame again.
      LOG.log(Level.ERROR, "an incoming frame could not be processed", e);
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
    linksWatch.interrupt();
  }
}
