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
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.serialization.SerializationException;

/** Carries frames between nodes of one JVM without sockets; frames are copied as between JVMs. */
public final class InProcessTransport implements Transport {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();
  private final AtomicLong opened = new AtomicLong();
  private final ExecutorService exchangeThreads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("troupe-in-process-", 0).factory());

  @Override
  public String name() {
    return "in-process";
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) {
    var address = "end-" + opened.incrementAndGet();
    receivers.put(address, receiver);
    Set<InProcessConnection> connections = ConcurrentHashMap.newKeySet();
    return new Endpoint() {
      @Override
      public String address() {
        return address;
      }

      @Override
      public Connection connect(String peer) throws IOException {
        receiver(peer);
        var connection = new InProcessConnection(peer, address, connections);
        connections.add(connection);
        return connection;
      }

      @Override
      public void close() {
        receivers.remove(address);
        connections.forEach(InProcessConnection::close);
      }
    };
  }

  private Receiver receiver(String address) throws IOException {
    var receiver = receivers.get(address);
    if (receiver == null) {
      throw new IOException("no endpoint listens at " + address);
    }
    return receiver;
  }

  private final class InProcessConnection implements Connection {
    private final String to;
    private final String from;
    private final Set<InProcessConnection> open;
    private final Set<InProcessExchange> exchanges = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    InProcessConnection(String to, String from, Set<InProcessConnection> open) {
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
        LOG.log(Level.WARNING, "a frame came that cannot be read: {0}", e.getMessage());
        close();
        throw new IOException("the receiver cannot decode a frame", e);
      } catch (RefusedConnectionException e) {
        close();
        throw new IOException("the receiver refuses the connection", e);
      }
    }

    /** The receiver takes the frame on another thread, as it does with a transport between JVMs. */
    @Override
    public @Nullable Frame exchange(Frame frame) throws IOException {
      var receiver = receiver();
      var exchange = new InProcessExchange();
      exchanges.add(exchange);
      try {
        if (closed) {
          exchange.close(); // close() may have run before the exchange was added
        }
        exchangeThreads.execute(() -> receive(receiver, frame.withArraysCopied(), exchange));
        return exchange.await();
      } finally {
        exchanges.remove(exchange);
      }
    }

    private static void receive(Receiver receiver, Frame frame, InProcessExchange exchange) {
      try {
        receiver.received(frame, exchange);
      } catch (SerializationException e) {
        LOG.log(Level.WARNING, "a frame came that cannot be read: {0}", e.getMessage());
        exchange.close();
      } catch (RefusedConnectionException e) {
        exchange.close();
      }
    }

    @Override
    public boolean canBegin() {
      return true;
    }

    @Override
    public void begin(Frame frame, Caller caller) throws IOException {
      receiver();
      exchangeThreads.execute(
          () -> {
            @Nullable Frame reply;
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
      InProcessTransport.this.receiver(from); // a closed endpoint neither sends nor receives
      return InProcessTransport.this.receiver(to);
    }

    @Override
    public void close() {
      closed = true;
      open.remove(this);
      exchanges.forEach(InProcessExchange::close);
    }
  }

  /** One exchange, which an interrupt of the waiting thread ends. */
  private static final class InProcessExchange implements Exchange {
    private boolean replied; // under this
    private boolean closed; // under this
    private @Nullable Frame reply; // under this

    @Override
    public synchronized boolean reply(@Nullable Frame frame) {
      if (closed) {
        return false;
      }
      reply = frame == null ? null : frame.withArraysCopied();
      replied = true;
      notifyAll();
      return true;
    }

    synchronized @Nullable Frame await() throws IOException {
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
