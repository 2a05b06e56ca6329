package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.serialization.SerializationException;

/** Carries frames between nodes of one JVM: no socket, but everything else as between JVMs. */
public final class InProcessTransport implements Transport {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final Map<String, Receiver> ends = new ConcurrentHashMap<>();
  private final AtomicLong opened = new AtomicLong();
  private final ExecutorService laneThreads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("troupe-in-process-", 0).factory());

  @Override
  public String name() {
    return "in-process";
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) {
    var address = "end-" + opened.incrementAndGet();
    ends.put(address, receiver);
    Set<Way> ways = ConcurrentHashMap.newKeySet();
    return new Endpoint() {
      @Override
      public String address() {
        return address;
      }

      @Override
      public Connection connect(String peer) throws IOException {
        end(peer);
        var way = new Way(peer, address, ways);
        ways.add(way);
        return way;
      }

      @Override
      public void close() {
        ends.remove(address);
        ways.forEach(Way::close);
      }
    };
  }

  private Receiver end(String address) throws IOException {
    var receiver = ends.get(address);
    if (receiver == null) {
      throw new IOException("nobody listens at " + address);
    }
    return receiver;
  }

  private final class Way implements Connection {
    private final String to;
    private final String from;
    private final Set<Way> open;
    private final Set<Lane> lanes = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Way(String to, String from, Set<Way> open) {
      this.to = to;
      this.from = from;
      this.open = open;
    }

    @Override
    public void send(List<Frame> frames) throws IOException {
      try {
        for (var frame : frames) {
          receiver().received(frame.withArraysCopied(), null);
        }
      } catch (SerializationException e) {
        close();
        throw new IOException("the receiver cannot decode a frame", e);
      }
    }

    /** Served on a thread of the other end: the caller's has a waiting user's frame. */
    @Override
    public Frame exchange(Frame frame) throws IOException {
      var receiver = receiver();
      var lane = new Lane();
      lanes.add(lane);
      try {
        if (closed) {
          lane.close(); // which close may have missed
        }
        laneThreads.execute(() -> receive(receiver, frame.withArraysCopied(), lane));
        return lane.await();
      } finally {
        lanes.remove(lane);
      }
    }

    private static void receive(Receiver receiver, Frame frame, Lane lane) {
      try {
        receiver.received(frame, lane);
      } catch (SerializationException e) {
        LOG.log(Level.WARNING, "a frame came that cannot be read: {0}", e.getMessage());
        lane.close();
      }
    }

    @Override
    public boolean canBegin() {
      return true;
    }

    @Override
    public void begin(Frame frame, Caller caller) throws IOException {
      receiver();
      laneThreads.execute(
          () -> {
            Frame reply;
            try {
              reply = exchange(frame);
            } catch (IOException e) {
              caller.broke(e);
              return;
            }
            caller.ended(reply);
          });
    }

    private Receiver receiver() throws IOException {
      if (closed) {
        throw new IOException("the connection is closed");
      }
      end(from); // a closed end can send no more than receive
      return end(to);
    }

    @Override
    public void close() {
      closed = true;
      open.remove(this);
      lanes.forEach(Lane::close);
    }
  }

  /** One exchange. As with a channel, it breaks when the waiting thread is interrupted. */
  private static final class Lane implements Exchange {
    private boolean replied; // under this
    private boolean closed; // under this
    private Frame reply; // under this

    @Override
    public synchronized boolean reply(Frame frame) {
      if (closed) {
        return false;
      }
      reply = frame == null ? null : frame.withArraysCopied();
      replied = true;
      notifyAll();
      return true;
    }

    synchronized Frame await() throws IOException {
      try {
        while (!replied && !closed) {
          wait();
        }
      } catch (InterruptedException e) {
        closed = true;
        Thread.currentThread().interrupt();
        throw new IOException("the exchange was interrupted");
      }
      if (!replied) {
        throw new IOException("the connection is closed");
      }
      return reply;
    }

    synchronized void close() {
      closed = true;
      notifyAll();
    }
  }
}
