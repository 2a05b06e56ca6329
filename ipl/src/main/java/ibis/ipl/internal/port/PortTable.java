package ibis.ipl.internal.port;

import ibis.io.Replacer;
import ibis.ipl.ConnectionClosedException;
import ibis.ipl.Ibis;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortDisconnectUpcall;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.message.AllowedClasses;
import ibis.ipl.internal.message.GraphDecoder;
import ibis.ipl.internal.message.GraphEncoder;
import ibis.ipl.internal.message.SerializationKind;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;
import org.troupe.links.port.Port;
import org.troupe.serialization.graph.Serializer;

/**
 * All ports of one instance, and the services on its link port that connect them.
 *
 * <p>{@code peerGone} may be called at any time after {@code open}, also for instances to which no
 * port was ever connected.
 */
public final class PortTable {

  private static final System.Logger LOG = System.getLogger(PortTable.class.getPackageName());

  private static final String REPLACER = "ibis.serialization.replacer";

  /** How long a request for an absent port is held before its sender must repeat it. */
  private static final long PATIENCE_MILLIS = 100;

  private final Ibis self;
  private final ManagedCounters counters;
  private final Port links;
  private final Serializer serializer =
      Serializer.builder().superclassesAsJava().allow(new AllowedClasses()).build();
  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor timer;
  private final ControlConnections controls;

  private final Map<String, LinkSendPort> sendPorts = new ConcurrentHashMap<>();
  private final Map<String, LinkReceivePort> receivePorts = new ConcurrentHashMap<>();
  private final Map<Long, InboundConnection> inbounds = new ConcurrentHashMap<>();
  private final Map<Long, Outgoing> outbounds = new ConcurrentHashMap<>();
  private final Map<IbisIdentifier, String> gone = new ConcurrentHashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();
  private final AtomicInteger lastName = new AtomicInteger();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition receivePortsChanged = lock.newCondition();
  private volatile boolean ended;

  /** An inbound connection and its port. */
  private record Outgoing(LinkSendPort port, OutboundConnection outbound) {}

  public PortTable(Ibis self, ManagedCounters counters, Port links) {
    this.self = self;
    this.counters = counters;
    this.links = links;
    ThreadFactory daemons = daemons(links);
    threads =
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 2, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
    timer = new ScheduledThreadPoolExecutor(1, daemons);
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(2, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    controls = new ControlConnections(this);
  }

  /** Runs upcalls; its threads use the program's class loader. */
  private static ThreadFactory daemons(Port links) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    ThreadFactory threads =
        Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("ibis-" + links.address().port() + "-", 0)
            .factory();
    return work -> {
      Thread thread = threads.newThread(work);
      thread.setContextClassLoader(loader);
      return thread;
    };
  }

  /** Starts accepting connections; called before the instance has joined its pool. */
  public void open() {
    links.serve(PortProtocol.CONNECTIONS, link -> execute(() -> greet(link)));
    links.serve(PortProtocol.CONTROL, link -> execute(() -> serveControl(link)));
  }

  /** Returns the counters of the instance. */
  ManagedCounters counters() {
    return counters;
  }

  Port links() {
    return links;
  }

  long nextNumber() {
    return lastNumber.incrementAndGet();
  }

  long sequenceNumber(String name) throws IOException {
    return self.registry().getSequenceNumber(name);
  }

  /** Runs a task that may block, on a platform thread. */
  void execute(Runnable work) {
    threads.execute(work);
  }

  /** Schedules a short task. */
  ScheduledFuture<?> later(Runnable work, long millis) {
    return timer.schedule(work, millis, TimeUnit.MILLISECONDS);
  }

  /** A task that throws one type of exception. */
  interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /**
   * Runs a task that reads links: on this thread, or on a platform thread if this one is virtual.
   */
  <T, E extends Exception> T onPlatformThread(Work<T, E> work) throws E {
    if (!Thread.currentThread().isVirtual()) {
      return work.run();
    }
    var outcome = new FutureTask<>((Callable<T>) work::run);
    execute(outcome);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return outcome.get();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause(), "what failed");
      switch (cause) {
        case RuntimeException unchecked -> throw unchecked;
        case Error error -> throw error;
        default -> {
          @SuppressWarnings("unchecked") // the task throws no other checked exception
          E failure = (E) cause;
          throw failure;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Creates a send port. The caller has checked the type and that the instance has not ended.
   *
   * @param properties those of the instance with those of the port over them
   */
  public SendPort createSendPort(
      PortType type,
      @Nullable String name,
      @Nullable SendPortDisconnectUpcall upcall,
      Properties properties)
      throws IOException {
    checkType(type);
    if (upcall != null) {
      checkConnectionUpcalls(type);
    }
    SerializationKind form = SerializationKind.of(type, properties);
    String named = name != null ? name : inventedName("send port", sendPorts);
    var port =
        new LinkSendPort(
            this,
            new SendPortName(named, self.identifier()),
            type,
            form,
            encoder(form, properties),
            upcall,
            properties);
    lock.lock();
    try {
      checkNotEnded();
      if (sendPorts.putIfAbsent(named, port) != null) {
        throw nameInUse("send port", named);
      }
    } finally {
      lock.unlock();
    }
    return port;
  }

  /**
   * Creates a receive port. The caller has checked the type and that the instance has not ended.
   *
   * @param properties those of the instance with those of the port over them
   */
  public ReceivePort createReceivePort(
      PortType type,
      @Nullable String name,
      @Nullable MessageUpcall messageUpcall,
      @Nullable ReceivePortConnectUpcall connectUpcall,
      Properties properties)
      throws IOException {
    checkType(type);
    if (connectUpcall != null) {
      checkConnectionUpcalls(type);
    }
    if (messageUpcall == null) {
      require(type, PortType.RECEIVE_EXPLICIT, "a receive port without a message upcall");
    } else if (!type.hasCapability(PortType.RECEIVE_AUTO_UPCALLS)) {
      require(type, PortType.RECEIVE_POLL_UPCALLS, "a receive port with a message upcall");
    }
    String named = name != null ? name : inventedName("receive port", receivePorts);
    var port =
        new LinkReceivePort(
            this,
            new ReceivePortName(named, self.identifier()),
            type,
            SerializationKind.of(type, properties),
            messageUpcall,
            connectUpcall);
    lock.lock();
    try {
      checkNotEnded();
      if (receivePorts.putIfAbsent(named, port) != null) {
        throw nameInUse("receive port", named);
      }
    } finally {
      lock.unlock();
    }
    receivePortsChanged();
    return port;
  }

  private static void checkConnectionUpcalls(PortType type) {
    require(type, PortType.CONNECTION_UPCALLS, "a port with an upcall for its connections");
  }

  private static void require(PortType type, String capability, String what) {
    if (!type.hasCapability(capability)) {
      throw new IbisConfigurationException(
          what + " needs the capability '" + capability + "', which its type has not: " + type);
    }
  }

  private static void checkType(PortType type) {
    if (!type.hasCapability(PortType.CONNECTION_ULTRALIGHT)) {
      return;
    }
    for (String promise :
        List.of(
            PortType.CONNECTION_UPCALLS,
            PortType.COMMUNICATION_RELIABLE,
            PortType.COMMUNICATION_FIFO)) {
      if (type.hasCapability(promise)) {
        throw new IbisConfigurationException(
            "a port type cannot have both '"
                + PortType.CONNECTION_ULTRALIGHT
                + "', which promises nothing, and '"
                + promise
                + "'; leave one out");
      }
    }
  }

  private String inventedName(String kind, Map<String, ?> taken) {
    String name;
    do {
      name = "anonymous " + kind + " " + lastName.incrementAndGet();
    } while (taken.containsKey(name));
    return name;
  }

  private IOException nameInUse(String kind, String name) {
    return new IOException(
        "there is a "
            + kind
            + " '"
            + name
            + "' in "
            + self.identifier()
            + " already; close it first, or use another name");
  }

  private void checkNotEnded() throws IOException {
    if (ended) {
      throw new IOException("the instance has ended; ports are made before");
    }
  }

  /** Returns the encoder of objects; {@code null} if the serialization has none. */
  private @Nullable GraphEncoder encoder(SerializationKind form, Properties properties) {
    if (!form.hasObjects()) {
      return null;
    }
    Replacer replacer = replacer(properties.getProperty(REPLACER));
    if (form == SerializationKind.SUN) {
      return new GraphEncoder.Streamed(replacer == null ? null : replacer::replace);
    }
    return new GraphEncoder.Generated(replacer == null ? serializer : replacing(replacer));
  }

  private static Serializer replacing(Replacer replacer) {
    return Serializer.builder()
        .superclassesAsJava()
        .substitution(
            value -> {
              Object replacement = replacer.replace(value);
              return replacement == value ? null : replacement;
            })
        .build();
  }

  private static @Nullable Replacer replacer(String className) {
    if (className == null) {
      return null;
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : PortTable.class.getClassLoader();
    try {
      return Class.forName(className, true, loader)
          .asSubclass(Replacer.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw new IbisConfigurationException(
          "'"
              + className
              + "', named by '"
              + REPLACER
              + "', is no replacer: it has to be a public class that implements "
              + Replacer.class.getName()
              + ", with a public constructor without arguments",
          e);
    }
  }

  /** Returns the decoder of objects; {@code null} if the serialization has none. */
  @Nullable GraphDecoder decoder(SerializationKind form) {
    return switch (form) {
      case BYTE, DATA -> null;
      case IBIS -> new GraphDecoder.Generated(serializer);
      case SUN -> new GraphDecoder.Streamed(serializer);
    };
  }

  void add(InboundConnection inbound) {
    inbounds.put(inbound.number(), inbound);
  }

  void remove(InboundConnection inbound) {
    inbounds.remove(inbound.number());
  }

  void add(OutboundConnection outbound, LinkSendPort port) {
    outbounds.put(outbound.number(), new Outgoing(port, outbound));
  }

  void remove(OutboundConnection outbound) {
    outbounds.remove(outbound.number());
  }

  void remove(LinkSendPort port) {
    sendPorts.remove(port.name(), port);
  }

  void remove(LinkReceivePort port) {
    receivePorts.remove(port.name(), port);
  }

  /** Reconsiders requests for ports that were absent or disabled. */
  void receivePortsChanged() {
    lock.lock();
    try {
      receivePortsChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Answers the requests on a new link until one is accepted. */
  private void greet(Link link) {
    boolean kept = false;
    try {
      while (!kept) {
        PortProtocol.Request request = PortProtocol.Request.read(link);
        PortProtocol.Reply reply = decide(request, link);
        if (reply.answer() != PortProtocol.Answer.ACCEPTED) {
          reply.write(link);
          continue;
        }
        kept = true;
        InboundConnection inbound = inbounds.get(reply.connection());
        if (inbound == null) { // the port was closed or the sender has gone meanwhile
          link.close();
          return;
        }
        try {
          reply.write(link);
        } catch (IOException e) {
          inbound.port().cut(inbound, e);
          return;
        }
        inbound.port().begin(inbound);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a sender of {0} gave up: {1}", links.address(), e.getMessage());
    } catch (CancellationException _) {
      LOG.log(Level.DEBUG, "a sender came to {0}, which could not join", links.address());
    } finally {
      if (!kept) {
        link.close();
      }
    }
  }

  private PortProtocol.Reply decide(PortProtocol.Request request, Link link) {
    IbisIdentifier me = self.identifier();
    if (!me.equals(request.target())) {
      return new PortProtocol.Reply(PortProtocol.Answer.NOT_ME, me.toString(), 0);
    }
    PortProtocol.Reply reply = ask(request, link);
    if (reply.answer() != PortProtocol.Answer.NOT_NOW) {
      return reply;
    }
    awaitChange();
    return ask(request, link);
  }

  private PortProtocol.Reply ask(PortProtocol.Request request, Link link) {
    LinkReceivePort port = receivePorts.get(request.port());
    return port == null
        ? new PortProtocol.Reply(PortProtocol.Answer.NOT_NOW, "", 0)
        : port.ask(request, link);
  }

  private void awaitChange() {
    lock.lock();
    try {
      if (!ended) {
        boolean _ = receivePortsChanged.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Serves the control requests on a link until the peer closes it. */
  private void serveControl(Link link) {
    try (link) {
      while (true) {
        PortProtocol.Control asked = PortProtocol.Control.read(link);
        switch (asked.matter()) {
          case DISCONNECT -> {
            InboundConnection inbound = inbounds.get(asked.connection());
            if (inbound != null) {
              inbound.port().departed(inbound);
            }
          }
          case NUDGE -> {
            Outgoing outgoing = outbounds.get(asked.connection());
            if (outgoing != null) {
              execute(() -> outgoing.port.nudge(outgoing.outbound));
            }
          }
          case BROKEN -> {
            Outgoing outgoing = outbounds.get(asked.connection());
            if (outgoing != null) {
              outgoing.port.broken(outgoing.outbound, asked.text());
            }
          }
        }
        asked.write(link); // confirms
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a control line to {0} ended: {1}", links.address(), e.getMessage());
    }
  }

  /**
   * Removes a connection from its receiver's table; returns after the confirmation or its failure.
   */
  void disconnect(OutboundConnection outbound) {
    IbisIdentifier receiver = outbound.receiver().ibisIdentifier();
    if (whyGone(receiver) == null) {
      boolean done =
          controls.ask(
              InstanceIdentifier.of(receiver),
              new PortProtocol.Control(PortProtocol.Matter.DISCONNECT, outbound.theirs()));
      if (!done && !ended) {
        LOG.log(
            Level.INFO,
            "{0} did not confirm that the connection to it is closed; it closes its end when it"
                + " has read the rest, unless it has died",
            outbound.receiver());
      }
    }
  }

  /** Asks the sender's instance to wake the reader of a connection. */
  void nudge(InboundConnection inbound) {
    InstanceIdentifier sender = InstanceIdentifier.of(inbound.origin().ibisIdentifier());
    Runnable nudge =
        () -> {
          boolean _ =
              controls.ask(
                  sender, new PortProtocol.Control(PortProtocol.Matter.NUDGE, inbound.theirs()));
        };
    execute(nudge);
  }

  /** Sends the reason for the end of a connection to its sender, then closes the link. */
  void breakOff(InboundConnection inbound, Throwable cause) {
    InstanceIdentifier sender = InstanceIdentifier.of(inbound.origin().ibisIdentifier());
    String message = cause.getMessage();
    String reason = message != null ? message : cause.toString();
    if (ended) { // the senders learn that this instance has ended
      inbound.close();
      return;
    }
    execute(
        () -> {
          var request =
              new PortProtocol.Control(PortProtocol.Matter.BROKEN, inbound.theirs(), reason);
          boolean _ = controls.ask(sender, request);
          inbound.close();
        });
  }

  /** Returns how an instance has gone; {@code null} if it is not known to have gone. */
  @Nullable String whyGone(IbisIdentifier peer) {
    return gone.get(peer);
  }

  /** Runs pending work and stops. */
  public void poll() throws IOException {
    // the pool's threads finish the work
  }

  /**
   * Closes all send ports, then all receive ports concurrently; no port can be created afterwards.
   */
  public void end() {
    lock.lock();
    try {
      ended = true;
      receivePortsChanged.signalAll();
    } finally {
      lock.unlock();
    }
    controls.endSoon();
    sendPorts.values().forEach(LinkSendPort::end);
    receivePorts.values().forEach(LinkReceivePort::end);
    controls.close();
    timer.shutdownNow();
  }

  /** Closes all connections with an instance that has left or died; must not block. */
  public void peerGone(IbisIdentifier peer, boolean died) {
    String why = died ? "its instance has died" : "its instance has left the pool";
    gone.put(peer, why);
    controls.forget(peer);
    sendPorts.values().forEach(port -> port.peerGone(peer, why));
    receivePorts
        .values()
        .forEach(
            port -> port.peerGone(peer, new ConnectionClosedException(peer + " is gone: " + why)));
  }
}
