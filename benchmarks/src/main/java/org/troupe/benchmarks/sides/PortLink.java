package org.troupe.benchmarks.sides;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.troupe.benchmarks.bare.BareLink;
import org.troupe.benchmarks.bare.BareListener;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;

/** An authenticated link of the module {@code links}, with the interface of a bare one. */
record PortLink(Port port, Link link) implements BareLink {

  /** The argument that replaces the name of a bare driver. */
  static final String NAME = "PORT";

  private static final String SERVICE = "bench";
  private static final String SEPARATOR = " ";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  static BareListener listen() throws IOException {
    var secret = Secret.random();
    var port = Port.open(secret);
    BlockingQueue<Link> accepted = new ArrayBlockingQueue<>(1);
    port.serve(SERVICE, accepted::add);
    return new Listener(port, port.address() + SEPARATOR + secret.reveal(), accepted);
  }

  static BareLink connect(String address) throws IOException {
    var parts = address.split(SEPARATOR);
    var port = Port.open(Secret.parse(parts[1]));
    return new PortLink(port, port.connect(Address.parse(parts[0]), SERVICE, PATIENCE));
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    link.write(from);
  }

  @Override
  public void readFully(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (link.read(into) < 0) {
        throw new EOFException("the other end has closed the link");
      }
    }
  }

  @Override
  public void write(MemorySegment array) throws IOException {
    link.write(array);
  }

  @Override
  public void readFully(MemorySegment array) throws IOException {
    link.readFully(array);
  }

  @Override
  public void close() {
    link.close();
    port.close();
  }

  private record Listener(Port port, String address, BlockingQueue<Link> accepted)
      implements BareListener {

    @Override
    public BareLink accept() throws IOException {
      try {
        return new PortLink(port, accepted.take());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted before the client had connected", e);
      }
    }

    @Override
    public void close() {
      // The link owns the port.
    }
  }
}
