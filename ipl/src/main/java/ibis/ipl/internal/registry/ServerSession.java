package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.FramedLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages in order, each exactly once, between an instance and its server: over one link after
 * another, if one breaks.
 */
final class ServerSession {

  /*
   * Each frame begins with the number of messages received so far; a frame of nothing else is a
   * sign of life. What is not acknowledged is kept, and sent again over the next link, whose sides
   * tell each other first what they have. The sign bit of the number asks for an acknowledgement at
   * once: who finishes waits for it, since a link that closes while its peer writes may lose what the
   * peer has not read.
   *
   * Sending never waits: a thread of the pool writes while there is something to write. So a pool
   * can tell all its members of an event while it holds its lock.
   */

  /** What one member may leave unread; beyond that it counts as dead. */
  static final long MOST_QUEUED_BYTES = 64 << 20;

  private static final int BATCH = 64;
  private static final long ANSWER = Long.MIN_VALUE;
  private static final int UNACKNOWLEDGED = 64;

  private final Executor writers;
  private final Consumer<byte[]> incoming;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<byte[]> queued = new ArrayDeque<>();
  private final Deque<byte[]> sent = new ArrayDeque<>();
  private long queuedBytes;
  private long acknowledged;
  private long received;
  private long receivedAsTold;
  private boolean signOfLife;
  private @Nullable FramedLink link;
  private boolean writing;
  private boolean closed;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private boolean finishing;
  private volatile long lastHeard = System.nanoTime();

  /**
   * Makes a session without a link.
   *
   * @param writers runs what may wait for a slow peer, on platform threads
   * @param incoming takes the messages of the peer, in order
   */
  ServerSession(Executor writers, Consumer<byte[]> incoming) {
    this.writers = writers;
    this.incoming = incoming;
  }

  /** Sends a message as soon as it can; returns whether the peer keeps up. Never waits. */
  boolean send(byte[] message) {
    lock.lock();
    try {
      if (closed || finishing) {
        return true; // nobody is there to be told, and nobody is late
      }
      queued.add(message);
      queuedBytes += message.length;
      write();
      return queuedBytes <= MOST_QUEUED_BYTES;
    } finally {
      lock.unlock();
    }
  }

  /** Tells the peer that we are alive. */
  void signOfLife() {
    lock.lock();
    try {
      signOfLife = true;
      write();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many messages have come. */
  long received() {
    lock.lock();
    try {
      return received;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how long the peer has been silent. */
  long silentMillis() {
    return (System.nanoTime() - lastHeard) / 1_000_000;
  }

  /**
   * Goes on over another link.
   *
   * @param peerReceived how many messages the peer has received
   * @return whether the session can; else it is closed, or the peer told nonsense
   */
  boolean attach(FramedLink next, long peerReceived) {
    lock.lock();
    try {
      long all = acknowledged + sent.size();
      if (closed || peerReceived < acknowledged || peerReceived > all) {
        return false;
      }
      if (link != null) {
        link.close();
      }
      acknowledge(peerReceived);
      while (!sent.isEmpty()) {
        queued.addFirst(sent.removeLast());
      }
      link = next;
      writing = false;
      lastHeard = System.nanoTime();
      write();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether there is a link. */
  boolean isAttached() {
    lock.lock();
    try {
      return link != null;
    } finally {
      lock.unlock();
    }
  }

  /** Drops the link, before another takes over; returns how many messages have come, for good. */
  long suspend() {
    lock.lock();
    try {
      if (link != null) {
        link.close();
        link = null;
        writing = false;
      }
      return received;
    } finally {
      lock.unlock();
    }
  }

  /** Reads messages from a link until it breaks, and forgets it then. */
  void read(FramedLink from) throws IOException {
    try {
      while (true) {
        byte[] frame = from.read();
        lastHeard = System.nanoTime();
        byte[] message = take(from, frame);
        if (message != null) {
          incoming.accept(message);
        }
      }
    } finally {
      detach(from);
    }
  }

  private byte @Nullable [] take(FramedLink from, byte[] frame) throws IOException {
    if (frame.length < Long.BYTES) {
      throw new IOException("malformed message of a registry: " + frame.length + " bytes");
    }
    long head = ByteBuffer.wrap(frame).getLong();
    long peerReceived = head & ~ANSWER;
    lock.lock();
    try {
      if (link != from) {
        throw new IOException("another link has taken over");
      }
      if (peerReceived < acknowledged || peerReceived > acknowledged + sent.size()) {
        throw new IOException("malformed message of a registry: it acknowledges what was not sent");
      }
      acknowledge(peerReceived);
      boolean hasMessage = frame.length > Long.BYTES;
      received += hasMessage ? 1 : 0;
      if ((head & ANSWER) != 0 || received - receivedAsTold >= UNACKNOWLEDGED) {
        signOfLife = true;
        write();
      }
      closeIfFinished();
      if (!hasMessage) {
        return null;
      }
    } finally {
      lock.unlock();
    }
    byte[] message = new byte[frame.length - Long.BYTES];
    System.arraycopy(frame, Long.BYTES, message, 0, message.length);
    return message;
  }

  private void acknowledge(long peerReceived) {
    while (acknowledged < peerReceived) {
      queuedBytes -= sent.remove().length;
      acknowledged++;
    }
  }

  private void detach(FramedLink from) {
    from.close();
    lock.lock();
    try {
      if (link == from) {
        link = null;
        writing = false;
        closeIfFinished();
      }
    } finally {
      lock.unlock();
    }
  }

  private void write() {
    assert lock.isHeldByCurrentThread();
    if (link != null && !writing && (!queued.isEmpty() || signOfLife)) {
      writing = true;
      FramedLink to = link;
      writers.execute(() -> writeAll(to));
    }
  }

  private void writeAll(FramedLink to) {
    try {
      List<byte[]> batch = next(to);
      while (!batch.isEmpty()) {
        to.write(batch);
        batch = next(to);
      }
    } catch (IOException _) {
      // Its reader sees that too, when it has read what is left. Until then nobody writes any more.
    }
  }

  /** Takes what goes next over a link; if nothing does, this writer is done. */
  private List<byte[]> next(FramedLink to) {
    lock.lock();
    try {
      if (link != to) {
        return List.of();
      }
      var batch = new ArrayList<byte[]>();
      while (batch.size() < BATCH && !queued.isEmpty()) {
        byte[] message = queued.remove();
        sent.add(message);
        batch.add(frame(message));
      }
      if (batch.isEmpty() && signOfLife) {
        batch.add(frame(new byte[0]));
      }
      if (batch.isEmpty()) {
        writing = false;
        closeIfFinished();
      } else {
        signOfLife = false;
        receivedAsTold = received;
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private byte[] frame(byte[] message) {
    return ByteBuffer.allocate(Long.BYTES + message.length)
        .putLong(finishing ? received | ANSWER : received)
        .put(message)
        .array();
  }

  /**
   * Sends what is queued, and nothing after it, and closes.
   *
   * @return done when the peer has all, or cannot get it
   */
  CompletableFuture<Void> finish() {
    lock.lock();
    try {
      finishing = true;
      signOfLife = true;
      write();
      closeIfFinished();
      return finished;
    } finally {
      lock.unlock();
    }
  }

  private void closeIfFinished() {
    if (finishing && (link == null || (queued.isEmpty() && sent.isEmpty() && !writing))) {
      close();
    }
  }

  /** Ends the session at once; what is queued is lost. */
  void close() {
    lock.lock();
    try {
      closed = true;
      queued.clear();
      sent.clear();
      if (link != null) {
        link.close();
        link = null;
      }
      finished.complete(null);
    } finally {
      lock.unlock();
    }
  }
}
