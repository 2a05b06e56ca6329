package org.troupe.links.driver;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Driver;
import org.troupe.links.IoFailures;
import org.troupe.links.Link;
import org.troupe.links.LinkAddresses;

/** A link over TLS 1.3. */
final class TlsLink extends Link {

  /*
   * The engine lets one thread wrap while another unwraps. After the handshake, the engine's own
   * messages (such as a new key after very many bytes) are sent with the next write; the reader never
   * writes. Records hold 16 KiB; one system call reads or writes several.
   */

  private static final int RECORDS = 8;
  private static final int PIECE_BYTES = 16 * 1024;

  private final BlockingChannel channel;
  private final SSLEngine engine;
  private final String name;
  private final Set<Closeable> open;
  private final ByteBuffer[] one = new ByteBuffer[1]; // confined to the writer
  private final ReentrantLock writer =
      new ReentrantLock(); // guards the engine and the channel on writes
  private final ByteBuffer encrypted; // bytes to be written; in put mode
  private final ByteBuffer clear; // decrypted bytes to be read; in get mode
  private final ByteBuffer arrived; // bytes to be decrypted; in get mode
  private byte @Nullable [] piece; // for arrays; touched only by the writer
  private final AtomicBoolean closed = new AtomicBoolean();

  private TlsLink(SocketChannel channel, SSLEngine engine, String name, Set<Closeable> open) {
    this.channel = new BlockingChannel(channel);
    this.engine = engine;
    this.name = name;
    this.open = open;
    int record = engine.getSession().getPacketBufferSize();
    encrypted = ByteBuffer.allocateDirect(RECORDS * record);
    arrived = ByteBuffer.allocateDirect(RECORDS * record).flip();
    clear = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
  }

  /**
   * Performs the TLS handshake over a connection; blocks until the peer has done the same.
   *
   * @param caller whether this side has connected
   * @param session the session of the ports' handshake over the connection
   * @throws org.troupe.links.WrongSecretException if the peer does not know the secret
   */
  static TlsLink over(
      SocketChannel channel,
      TlsContext tls,
      boolean caller,
      byte[] session,
      String name,
      Set<Closeable> open)
      throws IOException {
    var link = new TlsLink(channel, tls.engine(caller), name, open);
    link.handshake();
    var peerProof = new byte[TlsContext.PROOF_BYTES];
    if (caller) { // the caller proves first, as in the handshake
      link.write(ByteBuffer.wrap(tls.proof(true, true, session, link.engine.getSession())));
      link.readFully(MemorySegment.ofArray(peerProof));
      tls.check(peerProof, true, session, link.engine.getSession());
    } else {
      link.readFully(MemorySegment.ofArray(peerProof));
      tls.check(peerProof, false, session, link.engine.getSession());
      link.write(ByteBuffer.wrap(tls.proof(false, true, session, link.engine.getSession())));
    }
    open.add(link);
    return link;
  }

  private void handshake() throws IOException {
    engine.beginHandshake();
    var nothing = ByteBuffer.allocate(0);
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> {
          engine.wrap(nothing, encrypted);
          drain(true);
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (unwrap(clear.clear(), true) < 0) {
            throw new EOFException(name + ": the peer disconnected during the TLS handshake");
          }
          clear.flip();
          if (clear.hasRemaining()) {
            return; // both sides have finished the handshake
          }
        }
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  @Override
  public Driver driver() {
    return Driver.TLS;
  }

  @Override
  public LinkAddresses addresses() {
    return LinkAddresses.of(channel.channel());
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return read(into, true);
  }

  @Override
  public int tryRead(ByteBuffer into) throws IOException {
    return read(into, false);
  }

  private int read(ByteBuffer into, boolean mayBlock) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    try {
      if (!clear.hasRemaining()) {
        if (into.remaining() >= clear.capacity()) {
          return decryptInto(into, mayBlock);
        }
        clear.clear();
        int count;
        try {
          count = decryptInto(clear, mayBlock);
        } finally {
          clear.flip();
        }
        if (count <= 0) {
          return count;
        }
      }
      int count = Math.min(clear.remaining(), into.remaining());
      into.put(into.position(), clear, clear.position(), count);
      into.position(into.position() + count);
      clear.position(clear.position() + count);
      return count;
    } catch (IOException e) {
      throw ended(e);
    }
  }

  /**
   * Reads into a buffer that can hold a record, at least one byte if it may block; -1 at the end.
   */
  private int decryptInto(ByteBuffer into, boolean mayBlock) throws IOException {
    int count;
    do {
      checkOpen();
      count = unwrap(into, mayBlock);
    } while (count == 0 && mayBlock);
    return count;
  }

  /** Decrypts one record, after reading it if necessary; returns its size, -1 at the end. */
  private int unwrap(ByteBuffer into, boolean mayBlock) throws IOException {
    while (true) {
      SSLEngineResult result = engine.unwrap(arrived, into);
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      }
      switch (result.getStatus()) {
        case OK -> {
          return result.bytesProduced();
        }
        case CLOSED -> {
          return -1;
        }
        case BUFFER_OVERFLOW -> throw new SSLException(name + ": a record is too large");
        case BUFFER_UNDERFLOW -> {
          if (!fill(mayBlock)) {
            return 0;
          }
        }
      }
    }
  }

  /** Reads from the channel; returns whether bytes have arrived. */
  private boolean fill(boolean mayBlock) throws IOException {
    arrived.compact();
    try {
      int count = mayBlock ? channel.read(arrived) : channel.tryRead(arrived);
      if (count < 0) {
        checkOpen();
        throw new EOFException(
            name + " broke: its peer has died, or the network has cut the connection");
      }
      return count > 0;
    } finally {
      arrived.flip();
    }
  }

  @Override
  public void readFully(MemorySegment into) throws IOException {
    boolean direct = isBytes(into);
    ByteBuffer room = ByteBuffer.allocate(direct ? 0 : piece(into.byteSize()));
    for (long done = 0; done < into.byteSize(); ) {
      long left = into.byteSize() - done;
      ByteBuffer buffer =
          direct
              ? into.asSlice(done, Math.min(left, Integer.MAX_VALUE)).asByteBuffer()
              : room.clear().limit((int) Math.min(left, room.capacity()));
      int count = read(buffer);
      if (count < 0) {
        throw new EOFException(name + " ended " + left + " bytes before the expected end");
      }
      if (!direct) {
        MemorySegment.copy(MemorySegment.ofArray(room.array()), 0, into, done, count);
      }
      done += count;
    }
  }

  private static boolean isBytes(MemorySegment segment) {
    return segment.isNative() || segment.heapBase().filter(byte[].class::isInstance).isPresent();
  }

  private int piece(long wanted) {
    return (int) Math.min(wanted, clear.capacity());
  }

  @Override
  public void write(ByteBuffer... parts) throws IOException {
    boolean all = push(parts, true, true);
    assert all;
  }

  @Override
  public void write(MemorySegment part) throws IOException {
    long size = part.byteSize();
    boolean direct = isBytes(part);
    if (!direct && piece == null) {
      piece = new byte[PIECE_BYTES];
    }
    for (long done = 0; done < size; ) {
      int count = (int) Math.min(size - done, direct ? Integer.MAX_VALUE : PIECE_BYTES);
      if (direct) {
        one[0] = part.asSlice(done, count).asByteBuffer();
      } else {
        MemorySegment.copy(part, done, MemorySegment.ofArray(piece), 0, count);
        one[0] = ByteBuffer.wrap(piece, 0, count);
      }
      done += count;
      boolean all = push(one, true, done == size);
      assert all;
    }
    one[0] = null;
  }

  @Override
  public boolean offer(ByteBuffer... parts) throws IOException {
    if (!channel.isShared()) {
      throw new IllegalStateException(
          "offer() on " + name + ", which is not shared; share() first");
    }
    return push(parts, false, true);
  }

  /** Encrypts the parts; writes the encrypted bytes when their buffer is full, and on flush. */
  private boolean push(ByteBuffer[] parts, boolean mayBlock, boolean flush) throws IOException {
    writer.lock(); // contended only by close
    try {
      checkOpen();
      int next = 0;
      while (true) {
        while (next < parts.length && !parts[next].hasRemaining()) {
          next++;
        }
        if (next == parts.length) {
          return !flush || drain(mayBlock);
        }
        SSLEngineResult result = engine.wrap(parts, next, parts.length - next, encrypted);
        switch (result.getStatus()) {
          case OK -> {}
          case BUFFER_OVERFLOW -> {
            if (!drain(mayBlock) && encrypted.position() > encrypted.capacity() / 2) {
              return false;
            }
          }
          case CLOSED, BUFFER_UNDERFLOW -> throw new IOException(name + " was closed by its peer");
        }
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
          runTasks();
        }
      }
    } catch (IOException e) {
      throw ended(e);
    } finally {
      writer.unlock();
    }
  }

  /** Writes the encrypted bytes, completely if it may block; returns whether all are written. */
  private boolean drain(boolean mayBlock) throws IOException {
    encrypted.flip();
    try {
      return channel.write(encrypted, mayBlock);
    } finally {
      encrypted.compact();
    }
  }

  @Override
  public void share() throws IOException {
    try {
      channel.share();
    } catch (IOException e) {
      throw ended(e);
    }
  }

  private void checkOpen() throws IOException {
    if (closed.get()) {
      throw new IOException(name + " is closed");
    }
  }

  private IOException ended(IOException e) {
    boolean wasClosed = !closed.compareAndSet(false, true);
    if (!wasClosed) { // otherwise close drops it after the notice of the end
      drop();
    }
    IOException named = IoFailures.named(e, name);
    return wasClosed && named == e
        ? IoFailures.caused(new IOException(name + " is closed"), e)
        : named;
  }

  private void drop() {
    open.remove(this);
    channel.close();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    // The end is orderly if no thread writes and the notice can be sent without blocking.
    if (writer.tryLock()) {
      try {
        sendEnd();
      } catch (IOException | RuntimeException _) {
        // the peer gets an exception instead of the end
      } finally {
        writer.unlock();
      }
    }
    drop();
  }

  private void sendEnd() throws IOException {
    SocketChannel socket = channel.channel();
    socket.shutdownInput(); // wakes the reader, which prevents the next call
    socket.configureBlocking(false);
    engine.closeOutbound();
    boolean _ = drain(false);
    engine.wrap(ByteBuffer.allocate(0), encrypted);
    boolean _ = drain(false);
  }

  @Override
  public String toString() {
    return name;
  }
}
