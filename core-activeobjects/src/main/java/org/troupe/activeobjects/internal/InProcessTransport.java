package org.troupe.activeobjects.internal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport;

/** Carries frames between nodes of one JVM: no socket, but everything else as between JVMs. */
public final class InProcessTransport implements Transport {

  private final Map<String, Receiver> ends = new ConcurrentHashMap<>();
  private final AtomicLong opened = new AtomicLong();

  @Override
  public String name() {
    return "in-process";
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) {
    var address = "end-" + opened.incrementAndGet();
    ends.put(address, receiver);
    return new Endpoint() {
      @Override
      public String address() {
        return address;
      }

      @Override
      public Connection connect(String peer) throws IOException {
        end(peer);
        return new Way(peer, address);
      }

      @Override
      public void close() {
        ends.remove(address);
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
    private volatile boolean closed;

    Way(String to, String from) {
      this.to = to;
      this.from = from;
    }

    @Override
    public void send(List<Frame> frames) throws IOException {
      for (var frame : frames) {
        receiver().received(frame, null);
      }
    }

    /** Never served on the caller's thread, which has a waiting user's frame. */
    @Override
    public Frame exchange(Frame frame) throws IOException {
      receiver().received(frame, null);
      return null;
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
    }
  }
}
