package org.troupe.benchmarks.bare;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A link over a blocking channel. */
final class BareChannelLink implements BareLink {

  private final SocketChannel channel;
  private final BufferedArrays arrays = new BufferedArrays();

  private BareChannelLink(SocketChannel channel) {
    this.channel = channel;
  }

  static BareListener listen() throws IOException {
    var server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    var port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    return new Listener(server, Integer.toString(port), () -> {});
  }

  static BareChannelLink connect(String address) throws IOException {
    var port = Integer.parseInt(address);
    return withoutDelay(
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
  }

  static BareListener listenUnix() throws IOException {
    var folder = Files.createTempDirectory("troupe-bench");
    var path = folder.resolve("socket");
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    return new Listener(
        server,
        path.toString(),
        () -> {
          Files.deleteIfExists(path);
          Files.deleteIfExists(folder);
        });
  }

  static BareChannelLink connectUnix(String address) throws IOException {
    return new BareChannelLink(SocketChannel.open(UnixDomainSocketAddress.of(Path.of(address))));
  }

  private static BareChannelLink withoutDelay(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return new BareChannelLink(channel);
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      channel.write(from);
    }
  }

  @Override
  public void readFully(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      readSome(into);
    }
  }

  /** Reads at least one byte. */
  void readSome(ByteBuffer into) throws IOException {
    if (channel.read(into) < 0) {
      throw new EOFException("the other end has closed the channel");
    }
  }

  @Override
  public void write(MemorySegment array) throws IOException {
    arrays.write(array, this);
  }

  @Override
  public void readFully(MemorySegment array) throws IOException {
    arrays.readFully(array, this);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private record Listener(ServerSocketChannel server, String address, Removal removal)
      implements BareListener {

    @Override
    public BareLink accept() throws IOException {
      var channel = server.accept();
      return channel.getLocalAddress() instanceof InetSocketAddress
          ? withoutDelay(channel)
          : new BareChannelLink(channel);
    }

    @Override
    public void close() throws IOException {
      server.close();
      removal.remove();
    }
  }

  /** Removes the files of a listener. */
  private interface Removal {
    void remove() throws IOException;
  }
}
