package org.troupe.activeobjects.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport;

/**
 * The in-process transport with everything that can go wrong on the way. Its exchanges, unlike
 * those of the plain one, bring their reply with them.
 *
 * <p>Ends are counted in the order in which they are opened: the coordinator is 0.
 */
final class FaultyTransport implements Transport {

  private final InProcessTransport sound = new InProcessTransport();
  private final List<String> addresses = new CopyOnWriteArrayList<>();
  private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();
  private final Set<Way> ways = ConcurrentHashMap.newKeySet();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private volatile Random chaos;

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

  /** From now on frames are duplicated, delayed and overtaken, and connections break. */
  void misbehave(long seed) {
    chaos = new Random(seed);
  }

  void behave() {
    chaos = null;
  }

  /** Breaks every connection. */
  void reset() {
    ways.forEach(way -> way.breakOff(way.from));
  }

  /** Lets nothing pass between two ends. */
  void cut(int one, int other) {
    cut.add(addresses.get(one) + " " + addresses.get(other));
    cut.add(addresses.get(other) + " " + addresses.get(one));
    reset();
  }

  /** Swallows what is sent to an end and what it sends, without an error. */
  void silence(int end) {
    silent.add(addresses.get(end));
  }

  /** Says whether what one end sends reaches another. */
  boolean passes(int from, int to) {
    return !cut.contains(addresses.get(from) + " " + addresses.get(to))
        && !silent.contains(addresses.get(from))
        && !silent.contains(addresses.get(to));
  }

  /** Gives an end a frame as if it had been sent to it. */
  void inject(int end, Frame frame) {
    receivers.get(addresses.get(end)).received(frame, null);
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

    Way(Connection sound, String from, String to) {
      this.sound = sound;
      this.from = from;
      this.to = to;
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
      if (isSilent()) {
        return;
      }
      var random = chaos;
      if (random == null) {
        sound.send(frames);
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
            sound.send(sent);
            close();
            throw new IOException("the connection broke in the middle");
          }
          default -> sent.add(frame);
        }
      }
      sound.send(sent);
    }

    /** What was taken is delivered, even if its connection is gone meanwhile. */
    private void sendLate(Frame frame) {
      Thread.yield();
      var receiver = receivers.get(to);
      if (receiver != null) {
        receiver.received(frame, null);
      }
    }

    @Override
    public Frame exchange(Frame frame) throws IOException {
      check();
      if (isSilent()) {
        return waitFor(new CompletableFuture<>());
      }
      var random = chaos;
      var fault = random == null ? 9 : random.nextInt(10);
      if (fault == 0) {
        close();
        throw new IOException("the connection broke before the exchange");
      }
      var receiver = receivers.get(to);
      if (receiver == null) {
        throw new IOException("nobody listens at " + to);
      }
      var reply = new CompletableFuture<Frame>();
      Exchange exchange = each -> !broken.isDone() && reply.complete(each);
      Thread.ofPlatform().daemon().start(() -> receiver.received(frame, exchange));
      if (fault == 1) {
        close();
        throw new IOException("the connection broke during the exchange");
      }
      return waitFor(reply);
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
    }
  }
}
