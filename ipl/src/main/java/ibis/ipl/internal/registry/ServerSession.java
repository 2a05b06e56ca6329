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
 * An exactly-once, ordered stream of messages between an instance and its server that survives
 * broken links.
 */
final class ServerSession {

  /*
   * Acknowledgement. Each frame begins with the number of messages received so far; a frame without a
   * message is a sign of life. Unacknowledged messages are kept and retransmitted over the next link, at
   * whose beginning both sides exchange their numbers. The sign bit of the number requests an immediate
   * acknowledgement. A side that finishes waits for it, since closing a link while the peer writes may
   * discard data that the peer has not read.
   *
   * Threads. Sending never blocks: a thread of the pool writes while messages are queued. A ServerPool
   * can therefore send an event to all members under its lock.
   */

  /** The most unread data of one member; a member that exceeds it counts as dead. */
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
   * Creates a session without a link.
   *
   * @param writers runs tasks that may block on a slow peer, on platform threads
   * @param incoming receives the messages of the peer, in order
   */
  ServerSession(Executor writers, Consumer<byte[]> incoming) {
    this.writers = writers;
    this.incoming = incoming;
  }

  /** Queues a message; returns whether the peer keeps up. Never blocks. */
  boolean send(byte[] message) {
    lock.lock();
    try {
      if (closed || finishing) {
        return true; // a closed session has no peer that could be slow
      }
      queued.add(message);
      queuedBytes += message.length;
      write();
      return queuedBytes <= MOST_QUEUED_BYTES;
    } finally {
      lock.unlock();
    }
  }

  /** Sends a sign of life. */
  void signOfLife() {
    lock.lock();
    try {
      signOfLife = true;
      write();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of received messages. */
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
   * Continues over another link.
   *
   * @param peerReceived the number of messages that the peer has received
   * @return false if the session is closed or the number is impossible
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

  /**
   * Drops the link before another replaces it; returns the final number of messages received over
   * it.
   */
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

  /** Reads messages from a link until it breaks, then drops it. */
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
      // The reader notices the break after it has read the remaining data; writing stops until
      // then.
    }
  }

  /** Takes the next frames to write; the writer ends if there are none. */
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
   * Sends the queued messages and closes the session; later messages are discarded.
   *
   * @return completed when the peer has received all, or the session has failed
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

  /** Ends the session at once; queued messages are lost. */
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
