package org.troupe.deployment.ssh;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/** A client of the user's ssh agent, which signs but never reveals its keys. */
final class SshAgentClient extends AbstractAgentProxy {

  private static final int LONGEST_ANSWER = 1 << 20;

  private final SocketChannel socket;

  SshAgentClient(Path place) throws IOException {
    super(null);
    socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      socket.connect(UnixDomainSocketAddress.of(place));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  protected synchronized Buffer request(Buffer question) throws IOException {
    var bytes = ByteBuffer.wrap(question.array(), question.rpos(), question.available());
    while (bytes.hasRemaining()) {
      socket.write(bytes);
    }
    var length = read(Integer.BYTES).getInt();
    if (length < 0 || length > LONGEST_ANSWER) {
      throw new IOException("the ssh agent sent an invalid length: " + length + " bytes");
    }
    return new ByteArrayBuffer(read(length).array());
  }

  private ByteBuffer read(int length) throws IOException {
    var bytes = new byte[length];
    var read = Channels.newInputStream(socket).readNBytes(bytes, 0, length);
    if (read < length) {
      throw new IOException("the ssh agent closed its socket");
    }
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    super.close();
  }
}
