package org.troupe.links;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes bytes on to a port, as ssh would for a tunnel; can be cut, and remembers what passed. */
public final class RecordingForwarder implements Closeable {

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Address to;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();

  public RecordingForwarder(Address to) throws IOException {
    this.to = to;
    daemon(this::accept);
  }

  private static void daemon(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  /** Returns the address of the port, with this as the only way that leads there. */
  public Address only() {
    return new Address(
        java.util.List.of(
            Address.direct("127.0.0.1", UnusedPort.number()),
            new Route.Tunnel("127.0.0.1", listener.getLocalPort())),
        to.identity(),
        "");
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listener.accept();
        var far = new Socket("127.0.0.1", to.port());
        sockets.add(near);
        sockets.add(far);
        daemon(() -> pass(near, far));
        daemon(() -> pass(far, near));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private void pass(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8192];
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        synchronized (passed) {
          passed.write(bytes, 0, count);
        }
        out.write(bytes, 0, count);
      }
      to.shutdownOutput();
    } catch (IOException _) {
      IoFailures.closeQuietly(from);
      IoFailures.closeQuietly(to);
    }
  }

  public byte[] passed() {
    synchronized (passed) {
      return passed.toByteArray();
    }
  }

  /** Breaks all connections; others can be made. */
  public void cut() {
    sockets.forEach(IoFailures::closeQuietly);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
