package org.troupe.links.connect;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import org.troupe.links.IoFailures;

/**
 * An accepted connection as a socket for libraries; leaves its port's set of open connections when
 * closed.
 */
public final class ChannelSocket extends Socket {

  /*
   * The port accepts channels. The socket of a channel itself lacks two things: its close cannot be
   * observed, and a read or write by an interrupted thread closes it.
   *
   * RMI's read timeout makes a channel change its blocking mode, four system calls per call. A version
   * without them was no faster (./troupe bench rmi, 85f4c1b, 2026-11-21).
   */

  private static final ScopedValue<Boolean> INTERRUPTIBLE = ScopedValue.newInstance();

  private final Set<Closeable> open;

  private ChannelSocket(Socket connected, Set<Closeable> open) throws SocketException {
    super(new Impl(connected));
    this.open = open;
  }

  /**
   * Performs an operation in which a thread that is interrupted before it reads, reads nothing: the
   * read fails and closes the socket, as an interrupt during the read does.
   */
  public static <T, X extends Throwable> T interruptibly(ScopedValue.CallableOp<T, X> operation)
      throws X {
    return ScopedValue.where(INTERRUPTIBLE, true).call(operation);
  }

  /** Wraps an accepted connection and adds the wrapper to the open connections. */
  public static ChannelSocket of(Socket connected, Set<Closeable> open) throws IOException {
    var socket = new ChannelSocket(connected, open);
    socket.connect(connected.getRemoteSocketAddress());
    open.add(socket);
    return socket;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      open.remove(this);
    }
  }

  /** Delegates to the socket of the channel. */
  private static final class Impl extends SocketImpl {

    private final Socket socket;

    Impl(Socket socket) {
      this.socket = socket;
      address = socket.getInetAddress();
      port = socket.getPort();
      localport = socket.getLocalPort();
    }

    @Override
    protected void create(boolean stream) {}

    @Override
    protected void connect(SocketAddress peer, int timeout) {
      assert ((InetSocketAddress) peer).getPort() == port;
    }

    @Override
    protected void connect(String host, int port) {
      throw new UnsupportedOperationException("the socket is connected");
    }

    @Override
    protected void connect(InetAddress host, int port) {
      throw new UnsupportedOperationException("the socket is connected");
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
      throw new SocketException("the socket is bound");
    }

    @Override
    protected void listen(int backlog) throws IOException {
      throw new SocketException("the socket is connected");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
      throw new SocketException("the socket is connected");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
      return new FilterInputStream(socket.getInputStream()) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
          boolean interrupted = !INTERRUPTIBLE.isBound() && Thread.interrupted();
          try {
            return in.read(bytes, from, count);
          } catch (ClosedChannelException e) {
            throw IoFailures.caused(new SocketException("the socket is closed"), e);
          } finally {
            restore(interrupted);
          }
        }
      };
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(socket.getOutputStream()) {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
          boolean interrupted = Thread.interrupted();
          try {
            out.write(bytes, from, count);
          } catch (ClosedChannelException e) {
            throw IoFailures.caused(new SocketException("the socket is closed"), e);
          } finally {
            restore(interrupted);
          }
        }
      };
    }

    private static void restore(boolean interrupted) {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    protected int available() throws IOException {
      return socket.getInputStream().available();
    }

    @Override
    protected void close() throws IOException {
      socket.close();
    }

    @Override
    protected void shutdownInput() throws IOException {
      socket.shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
      socket.shutdownOutput();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
      socket.sendUrgentData(data);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
      switch (option) {
        case SocketOptions.TCP_NODELAY -> socket.setTcpNoDelay((Boolean) value);
        case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
        case SocketOptions.SO_KEEPALIVE -> socket.setKeepAlive((Boolean) value);
        case SocketOptions.SO_SNDBUF -> socket.setSendBufferSize((Integer) value);
        case SocketOptions.SO_RCVBUF -> socket.setReceiveBufferSize((Integer) value);
        case SocketOptions.SO_LINGER ->
            socket.setSoLinger(value instanceof Integer, value instanceof Integer s ? s : 0);
        default -> throw unsupported(option);
      }
    }

    @Override
    public Object getOption(int option) throws SocketException {
      return switch (option) {
        case SocketOptions.TCP_NODELAY -> socket.getTcpNoDelay();
        case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
        case SocketOptions.SO_KEEPALIVE -> socket.getKeepAlive();
        case SocketOptions.SO_SNDBUF -> socket.getSendBufferSize();
        case SocketOptions.SO_RCVBUF -> socket.getReceiveBufferSize();
        case SocketOptions.SO_LINGER -> socket.getSoLinger();
        case SocketOptions.SO_BINDADDR -> socket.getLocalAddress();
        default -> throw unsupported(option);
      };
    }

    private static SocketException unsupported(int option) {
      return new SocketException("option " + option + " is not supported by the sockets of a port");
    }
  }
}
