package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.serialization.SerializationException;

/**
 * The in-process transport with injected faults.
 *
 * <p>With offers, each connection has a short queue and a reader of its own; without offers, a
 * frame has been received when the send returns.
 *
 * <p>Endpoints are numbered in the order in which they are opened; the coordinator has number 0.
 */
public final class FaultyTransport implements Transport {

  private static final int ROOM = 4;

  private final boolean offers;
  private final InProcessTransport sound = new InProcessTransport();
  private final List<String> addresses = new CopyOnWriteArrayList<>();
  private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();
  private final Set<Way> ways = ConcurrentHashMap.newKeySet();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private final Map<String, CountDownLatch> kept = new ConcurrentHashMap<>();
  private final AtomicReference<Fault> nextFault = new AtomicReference<>();
  private final AtomicInteger exchanges = new AtomicInteger();
  private volatile Random chaos;
  private volatile String lateGreeting = ""; // the numbers of the sender and the receiver

  /** The faults of an exchange. */
  public enum Fault {
    /** The request is lost. */
    LANE_BREAKS_BEFORE,
    /** The request arrives, and both sides detect that the channel breaks. */
    LANE_BREAKS_DURING,
    /** The reply is sent and never read. */
    LANE_BREAKS_AFTER,
    LINK_BREAKS_BEFORE,
    LINK_BREAKS_DURING,
    /** The calling thread fails with an error before it has sent the request. */
    STACK_OVERFLOWS_BEFORE,
    /** The caller has no memory for the reply. */
    MEMORY_RUNS_OUT_AFTER;

    boolean isSeenByCaller() {
      return this == STACK_OVERFLOWS_BEFORE || this == MEMORY_RUNS_OUT_AFTER;
    }

    private static Fault drawn(int number) {
      return number < values().length && !values()[number].isSeenByCaller()
          ? values()[number]
          : null;
    }
  }

  public FaultyTransport() {
    this(true);
  }

  public FaultyTransport(boolean offers) {
    this.offers = offers;
  }

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) {
    var end = sound.open(options, receiver);
    addresses.add(end.address());
    receivers.put(end.address(), receiver);
    return new Endpoint() {
      @Override
      public String address() {
        return end.address();
      }

      @Override
      public Connection connect(String peer) throws IOException {
        checkCut(end.address(), peer);
        var way = new Way(end.connect(peer), end.address(), peer);
        ways.add(way);
        return way;
      }

      @Override
      public void close() {
        receivers.remove(end.address());
        end.close();
        ways.forEach(way -> way.breakOff(end.address()));
      }
    };
  }

  /** Duplicates, delays and reorders frames and breaks connections from now on. */
  public void misbehave(long seed) {
    chaos = new Random(seed);
  }

  public void behave() {
    chaos = null;
  }

  /** Injects a fault into the next exchange. */
  public void breakNextExchange(Fault fault) {
    nextFault.set(fault);
  }

  /** Returns the number of exchanges so far. */
  public int exchanges() {
    return exchanges.get();
  }

  /** Breaks every connection. */
  void reset() {
    ways.forEach(way -> way.breakOff(way.from));
  }

  /** Cuts the connections between two endpoints. */
  public void cut(int one, int other) {
    cut.add(addresses.get(one) + " " + addresses.get(other));
    cut.add(addresses.get(other) + " " + addresses.get(one));
    reset();
  }

  /** Drops all frames to and from an endpoint, without an error. */
  void silence(int end) {
    silent.add(addresses.get(end));
  }

  /** Ends the isolation of an endpoint. */
  void unsilence(int end) {
    silent.remove(addresses.get(end));
  }

  /** Returns whether frames of one endpoint reach another. */
  boolean passes(int from, int to) {
    return !cut.contains(addresses.get(from) + " " + addresses.get(to))
        && !silent.contains(addresses.get(from))
        && !silent.contains(addresses.get(to));
  }

  /** Holds back the frames from one endpoint to another; with offers only. */
  public void keep(int from, int to) {
    kept.put(addresses.get(from) + " " + addresses.get(to), new CountDownLatch(1));
  }

  /** Swaps the first two frames from one endpoint to another; with offers only. */
  void greetLate(int from, int to) {
    lateGreeting = addresses.get(from) + " " + addresses.get(to);
  }

  /** Delivers the frames held back, and all later ones. */
  public void letThrough() {
    kept.values().forEach(CountDownLatch::countDown);
  }

  /**
   * Delivers a frame to an endpoint as if a peer had sent it.
   *
   * @return why the connection would be closed; {@code null} if it would not
   */
  public RuntimeException inject(int end, Frame frame) {
    try {
      receivers.get(addresses.get(end)).received(frame.withArraysCopied(), null);
      return null;
    } catch (SerializationException | RefusedConnectionException e) {
      return e; // there is no connection to close
    }
  }

  int connections() {
    return ways.size();
  }

  private void checkCut(String from, String to) throws IOException {
    if (cut.contains(from + " " + to)) {
      throw new IOException("the way from " + from + " to " + to + " is cut");
    }
  }

  private final class Way implements Connection {
    private final Connection sound;
    private final String from;
    private final String to;
    private final CompletableFuture<Frame> broken = new CompletableFuture<>();
    private final AtomicBoolean used = new AtomicBoolean();
    private final ArrayDeque<Frame> underWay = new ArrayDeque<>(); // under itself
    private final ArrayDeque<Frame> rest = new ArrayDeque<>(); // of offers; under underWay

    Way(Connection sound, String from, String to) {
      this.sound = sound;
      this.from = from;
      this.to = to;
      if (offers) {
        Thread.ofPlatform().daemon().name("reader-of-" + from + "-at-" + to).start(this::read);
      }
    }

    void breakOff(String end) {
      if (end.equals(from) || end.equals(to)) {
        close();
      }
    }

    private void check() throws IOException {
      checkCut(from, to);
      if (broken.isDone()) {
        throw new IOException("the connection is broken");
      }
    }

    private boolean isSilent() {
      return silent.contains(from) || silent.contains(to);
    }

    @Override
    public void send(List<Frame> frames) throws IOException {
      check();
      use();
      try {
        if (offers) {
          queue(frames);
        } else {
          deliver(frames);
        }
      } finally {
        used.set(false);
      }
    }

    /** Fails if a send and an offer run at the same time. */
    private void use() {
      if (!used.compareAndSet(false, true)) {
        throw new AssertionError("a connection is used by two at a time");
      }
    }

    @Override
    public boolean canOffer() {
      return offers;
    }

    @Override
    public boolean offer(List<Frame> frames) throws IOException {
      check();
      use();
      try {
        synchronized (underWay) {
          if (!rest.isEmpty()) {
            throw new AssertionError("an offer before the rest of the last one has been sent");
          }
          for (var frame : frames) {
            (underWay.size() < ROOM ? underWay : rest).add(frame);
          }
          underWay.notifyAll();
          return rest.isEmpty();
        }
      } finally {
        used.set(false);
      }
    }

    /** Accepts as many bytes as a link has room for, and may break afterwards. */
    @Override
    public boolean sendZeroCopy(Frame frame, boolean waits) throws IOException {
      check();
      use();
      try {
        var taken = frame.withArraysCopied();
        synchronized (underWay) {
          if (!rest.isEmpty()) {
            throw new AssertionError("a loan before the rest of the last offer has been sent");
          }
          if (!waits && underWay.size() >= ROOM) {
            return false;
          }
          queue(List.of(taken));
        }
        var random = chaos;
        if (random != null && random.nextInt(20) == 0) {
          close();
          throw new IOException("the connection broke at the end");
        }
        return true;
      } finally {
        used.set(false);
      }
    }

    private void queue(List<Frame> frames) throws IOException {
      synchronized (underWay) {
        rest.addAll(frames);
        try {
          while (!rest.isEmpty()) {
            check();
            if (underWay.size() < ROOM) {
              underWay.add(rest.poll());
              underWay.notifyAll();
            } else {
              underWay.wait();
            }
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
    }

    /** Delivers accepted frames, even if the connection has been closed meanwhile. */
    private void read() {
      try {
        var late = lateGreeting.equals(from + " " + to) ? next() : null;
        for (Frame frame; (frame = next()) != null; ) {
          var latch = kept.get(from + " " + to);
          if (latch != null) {
            latch.await();
          }
          deliver(late == null ? List.of(frame) : List.of(frame, late));
          late = null;
        }
      } catch (IOException | InterruptedException e) {
        close();
      }
    }

    private Frame next() throws InterruptedException {
      synchronized (underWay) {
        while (underWay.isEmpty() && !broken.isDone()) {
          underWay.wait();
        }
        underWay.notifyAll();
        return underWay.poll();
      }
    }

    private void deliver(List<Frame> frames) throws IOException {
      if (isSilent()) {
        return;
      }
      var random = chaos;
      if (random == null) {
        deliverSoundly(frames);
        return;
      }
      List<Frame> sent = new ArrayList<>();
      for (var frame : frames) {
        switch (random.nextInt(40)) {
          case 0, 1, 2, 3 -> {
            sent.add(frame);
            sent.add(frame);
          }
          case 4, 5, 6, 7 -> Thread.startVirtualThread(() -> sendLate(frame));
          case 8 -> {
            deliverSoundly(sent);
            close();
            throw new IOException("the connection broke in the middle");
          }
          default -> sent.add(frame);
        }
      }
      deliverSoundly(sent);
    }

    private void deliverSoundly(List<Frame> frames) throws IOException {
      checkCut(from, to);
      var receiver = receivers.get(to);
      if (receiver == null || !receivers.containsKey(from)) {
        throw new IOException("an end of the connection is closed");
      }
      try {
        frames.forEach(frame -> receiver.received(frame.withArraysCopied(), null));
      } catch (SerializationException e) {
        throw new IOException("the receiver has closed the connection", e);
      }
    }

    private void sendLate(Frame frame) {
      Thread.yield();
      var receiver = receivers.get(to);
      if (receiver != null) {
        receiver.received(frame.withArraysCopied(), null);
      }
    }

    @Override
    public Frame exchange(Frame frame) throws IOException {
      check();
      if (isSilent()) {
        return waitFor(new CompletableFuture<>());
      }
      exchanges.incrementAndGet();
      var random = chaos;
      var fault = random == null ? nextFault.getAndSet(null) : Fault.drawn(random.nextInt(20));
      switch (fault) {
        case null -> {
          return sound.exchange(frame);
        }
        case LANE_BREAKS_BEFORE -> throw new IOException("the lane broke before the exchange");
        case LANE_BREAKS_AFTER -> {
          loseReply(frame);
          throw new IOException("the lane broke with the reply on it");
        }
        case STACK_OVERFLOWS_BEFORE -> throw new StackOverflowError("on purpose");
        case MEMORY_RUNS_OUT_AFTER -> {
          loseReply(frame);
          throw new OutOfMemoryError("on purpose");
        }
        case LANE_BREAKS_DURING -> {
          Thread.ofPlatform()
              .daemon()
              .start(() -> receiver().received(frame.withArraysCopied(), each -> false));
          throw new IOException("the lane broke during the exchange");
        }
        case LINK_BREAKS_BEFORE -> {
          close();
          throw new IOException("the connection broke before the exchange");
        }
        case LINK_BREAKS_DURING -> {
          Thread.ofPlatform()
              .daemon()
              .start(() -> receiver().received(frame.withArraysCopied(), each -> false));
          close();
          throw new IOException("the connection broke during the exchange");
        }
      }
    }

    @Override
    public boolean canBegin() {
      return sound.canBegin();
    }

    @Override
    public void begin(Frame frame, Caller caller) throws IOException {
      check();
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                Frame reply;
                try {
                  reply = exchange(frame);
                } catch (IOException | Error e) {
                  caller.broke(new IOException(e));
                  return;
                }
                caller.ended(reply);
              });
    }

    private void loseReply(Frame frame) throws IOException {
      var reply = new CompletableFuture<Frame>();
      Exchange lost = each -> reply.complete(each); // reported as sent, although no thread reads it
      Thread.ofPlatform().daemon().start(() -> receiver().received(frame.withArraysCopied(), lost));
      waitFor(reply);
    }

    /** Returns the receiver of the other endpoint, even if that has been closed meanwhile. */
    private Receiver receiver() {
      return receivers.getOrDefault(to, (frame, exchange) -> {});
    }

    private Frame waitFor(CompletableFuture<Frame> reply) throws IOException {
      try {
        return (Frame) CompletableFuture.anyOf(reply, broken).join();
      } catch (CompletionException e) {
        throw new IOException(e.getCause());
      }
    }

    @Override
    public void close() {
      ways.remove(this);
      broken.completeExceptionally(new IOException("the connection is broken"));
      sound.close();
      synchronized (underWay) {
        underWay.notifyAll();
      }
    }
  }
}
