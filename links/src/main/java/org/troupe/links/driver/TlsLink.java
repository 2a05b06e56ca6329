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

/** A link over TLS 1.3. */
final class TlsLink extends Link {

  /*
   * The engine lets one thread wrap while another unwraps. After the handshake, what the engine
   * itself has to say (a new key, after very many bytes) goes with the next write; the reader never
   * writes. Records hold 16 KiB; several go into one write, and come from one read.
   */

  private static final int RECORDS = 8;
  private static final int PIECE_BYTES = 16 * 1024;

  private final BlockingChannel pipe;
  private final SSLEngine engine;
  private final String name;
  private final Set<Closeable> open;
  private final ByteBuffer[] one = new ByteBuffer[1]; // touched only by the writer
  private final ReentrantLock writer = new ReentrantLock(); // guards those two
  private final ByteBuffer sealed; // what is still to be written, for writing into
  private final ByteBuffer clear; // what was read and is still to be taken, ready to be taken
  private final ByteBuffer arrived; // what has come and is still to be unsealed, ready for that
  private byte @Nullable [] piece; // for arrays; touched only by the writer
  private final AtomicBoolean closed = new AtomicBoolean();

  private TlsLink(SocketChannel channel, SSLEngine engine, String name, Set<Closeable> open) {
    pipe = new BlockingChannel(channel);
    this.engine = engine;
    this.name = name;
    this.open = open;
    int record = engine.getSession().getPacketBufferSize();
    sealed = ByteBuffer.allocateDirect(RECORDS * record);
    arrived = ByteBuffer.allocateDirect(RECORDS * record).flip();
    clear = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
  }

  /**
   * Secures a connection; waits for the peer to do the same.
   *
   * @param caller whether this side has connected
   * @param session of the handshake over the connection
   * @throws org.troupe.links.WrongSecretException if somebody else is at the other end
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
    var peers = new byte[TlsContext.PROOF_BYTES];
    if (caller) { // as in the handshake before: who calls proves first
      link.write(ByteBuffer.wrap(tls.proof(true, true, session, link.engine.getSession())));
      link.readFully(MemorySegment.ofArray(peers));
      tls.check(peers, true, session, link.engine.getSession());
    } else {
      link.readFully(MemorySegment.ofArray(peers));
      tls.check(peers, false, session, link.engine.getSession());
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
          engine.wrap(nothing, sealed);
          drain(true);
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (unwrap(clear.clear(), true) < 0) {
            throw new EOFException(name + ": the peer broke off during the handshake of TLS");
          }
          clear.flip();
          if (clear.hasRemaining()) {
            return; // the peer is finished, and so are we
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
  public int read(ByteBuffer into) throws IOException {
    return read(into, true);
  }

  @Override
  public int tryRead(ByteBuffer into) throws IOException {
    return read(into, false);
  }

  private int read(ByteBuffer into, boolean wait) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    try {
      if (!clear.hasRemaining()) {
        if (into.remaining() >= clear.capacity()) {
          return unsealInto(into, wait);
        }
        clear.clear();
        int count;
        try {
          count = unsealInto(clear, wait);
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
   * Reads into a buffer with room for a record, at least one byte if it may wait; -1 at the end.
   */
  private int unsealInto(ByteBuffer into, boolean wait) throws IOException {
    int count;
    do {
      checkOpen();
      count = unwrap(into, wait);
    } while (count == 0 && wait);
    return count;
  }

  /** Unseals one record, reading it if need be; returns how many bytes it gave, -1 at the end. */
  private int unwrap(ByteBuffer into, boolean wait) throws IOException {
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
          if (!fill(wait)) {
            return 0;
          }
        }
      }
    }
  }

  /** Returns whether something has come. */
  private boolean fill(boolean wait) throws IOException {
    arrived.compact();
    try {
      int count = wait ? pipe.read(arrived) : pipe.tryRead(arrived);
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
        throw new EOFException(name + " ended " + left + " bytes before what was expected of it");
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
    if (!pipe.isShared()) {
      throw new IllegalStateException(
          "offer() on " + name + ", which is not shared; share() first");
    }
    return push(parts, false, true);
  }

  /** Seals the parts, and writes what is sealed at the latest when there is no more room for it. */
  private boolean push(ByteBuffer[] parts, boolean wait, boolean flush) throws IOException {
    writer.lock(); // free, but for a close
    try {
      checkOpen();
      int next = 0;
      while (true) {
        while (next < parts.length && !parts[next].hasRemaining()) {
          next++;
        }
        if (next == parts.length) {
          return !flush || drain(wait);
        }
        SSLEngineResult result = engine.wrap(parts, next, parts.length - next, sealed);
        switch (result.getStatus()) {
          case OK -> {}
          case BUFFER_OVERFLOW -> {
            if (!drain(wait) && sealed.position() > sealed.capacity() / 2) {
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

  /** Writes what is sealed, all if it may wait; returns whether all has gone. */
  private boolean drain(boolean wait) throws IOException {
    sealed.flip();
    try {
      return pipe.write(sealed, wait);
    } finally {
      sealed.compact();
    }
  }

  @Override
  public void share() throws IOException {
    try {
      pipe.share();
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
    if (!wasClosed) { // else its closer drops it, after the last words
      drop();
    }
    IOException named = IoFailures.named(e, name);
    return wasClosed && named == e
        ? IoFailures.caused(new IOException(name + " is closed"), e)
        : named;
  }

  private void drop() {
    open.remove(this);
    pipe.close();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    // While somebody writes there is no orderly end; else it is said, if it goes at once.
    if (writer.tryLock()) {
      try {
        farewell();
      } catch (IOException | RuntimeException _) {
        // then the peer gets an exception instead of the end
      } finally {
        writer.unlock();
      }
    }
    drop();
  }

  private void farewell() throws IOException {
    SocketChannel channel = pipe.channel();
    channel.shutdownInput(); // wakes the reader, who would be in the way of the next call
    channel.configureBlocking(false);
    engine.closeOutbound();
    boolean _ = drain(false);
    engine.wrap(ByteBuffer.allocate(0), sealed);
    boolean _ = drain(false);
  }

  @Override
  public String toString() {
    return name;
  }
}
