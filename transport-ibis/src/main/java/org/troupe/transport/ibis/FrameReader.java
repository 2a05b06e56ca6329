package org.troupe.transport.ibis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.links.Driver;
import org.troupe.links.Link;

/**
 * Receives the frames of one link, on the link's own thread or on a thread that waits for a frame
 * and polls.
 */
final class FrameReader {

  /*
   * Threads. The thread that holds the lock `reading` reads, so that frames are received in order. The
   * link's own thread drains the link and blocks until a frame that it has begun is complete. A polling
   * thread never blocks: it takes the bytes that have arrived, and leaves an incomplete frame to the next
   * reader, which continues at the same byte.
   *
   * Wake-ups. Waking a thread takes longer than transferring most frames, costs the sender a system call,
   * and takes a processor from a computing thread. While other threads keep polling, senders therefore do
   * not wake the link's thread; it checks every millisecond whether the others still poll.
   *
   * Why polling suspends wake-ups. Two members that send at the same time do not poll meanwhile. Each
   * then woke the other's link thread by a system call, and that thread took the processor from the
   * member. Without the wake-ups 1,000 doubles from each to each took 26 to 42 us instead of 62 to 81 in
   * alternating cold runs, and 9.8 us warm (./troupe run alltoall, 58c3465, 2026-11-22).
   */
  private static final long RELIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Link link;
  private final LinkEndpoint endpoint;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Thread thread; // the link's own
  private volatile boolean isRelieved; // the link's thread leaves reading to polling threads
  private volatile boolean isNeeded; // a polling thread has gone to sleep; ends the relief

  /** Counts the beginnings and ends of polling; one thread writes at a time. */
  private volatile int polls;

  // Under the lock
  private final ArraySource arraySource;
  private final FrameInput input;
  private Frame last = FrameInput.NO_FRAME;
  private IncomingLinks.@Nullable Incoming incoming; // set before the first frame

  FrameReader(Link link, LinkEndpoint endpoint) {
    this.link = link;
    this.endpoint = endpoint;
    this.arraySource = new ArraySource();
    this.input =
        new FrameInput(
            link, LinkEndpoint.FRAMES_BUFFER_BYTES, endpoint.receiveBudget(), arraySource);
  }

  /** Provides the arrays of incoming frames: posted receive buffers, or arrays of the pool. */
  private final class ArraySource implements FrameInput.Source {

    /** Only a peer on this machine gets posted buffers: its death is detected at once. */
    private final boolean isNear = link.driver() == Driver.SHM || link.driver() == Driver.UDS;

    private final List<ReceiveBuffer> taken = new ArrayList<>(1); // by the current frame

    @Override
    public @Nullable ReceiveBuffer receiveBuffer(byte[] header, ArrayKind kind, int length) {
      var buffer = isNear ? endpoint.receiver().receiveBuffer(header, kind.element, length) : null;
      if (buffer != null) {
        taken.add(buffer);
      }
      return buffer;
    }

    @Override
    public Object array(ArrayKind kind, int length) {
      return endpoint.receiver().array(kind.element, length);
    }

    void releaseTaken() {
      if (!taken.isEmpty()) {
        taken.forEach(each -> each.release().run());
        taken.clear();
      }
    }
  }

  FrameInput input() {
    return input;
  }

  /** Sets the account of the link; called before the first frame is read. */
  void begin(IncomingLinks.Incoming itsLink) {
    reading.lock();
    try {
      incoming = itsLink;
    } finally {
      reading.unlock();
    }
  }

  /**
   * Receives frames until the endpoint is closed.
   *
   * @throws IOException if the link has ended or a frame cannot be read
   */
  void readAll() throws IOException {
    thread = Thread.currentThread();
    boolean mayBePolled = link.canPoll();
    if (mayBePolled) {
      link.share(); // an interrupt of a polling thread must not close the link
    }
    int pollsBefore = polls;
    try {
      while (!endpoint.isClosed()) {
        boolean isOver = mayBePolled && !link.awaitReadable();
        receiveAll(isOver || !mayBePolled);
        if (pollsBefore != polls) {
          pollsBefore = leaveToOthers();
        }
      }
    } finally {
      leaveUnfinished();
    }
  }

  /** Receives the frames that have begun to arrive; {@code mayWait} allows to block for one. */
  private void receiveAll(boolean mayWait) throws IOException {
    reading.lock();
    try {
      if (mayWait || link.available() > 0) {
        do {
          receive();
        } while (input.hasRest());
      }
    } finally {
      reading.unlock();
    }
  }

  /**
   * Leaves reading to polling threads, and returns when none has polled for a millisecond. Senders
   * do not wake this thread meanwhile; each millisecond it receives frames that were left over.
   */
  private int leaveToOthers() throws IOException {
    isRelieved = true;
    wakeNobody();
    int before;
    do {
      before = polls;
      while (link.available() > 0) {
        receiveAll(false);
      }
      LockSupport.parkNanos(RELIEF_NANOS);
    } while (before != polls && !isNeeded && !link.isOver() && !endpoint.isClosed());
    isNeeded = false;
    isRelieved = false; // the next wait checks the link before it blocks
    return before;
  }

  private void leaveUnfinished() {
    reading.lock();
    try {
      end();
    } finally {
      reading.unlock();
    }
  }

  /** Receives one frame; blocks until it is complete. */
  private void receive() throws IOException {
    try {
      received(input.read(last));
    } catch (IOException | RuntimeException | Error e) {
      end();
      throw e;
    }
  }

  private void received(@Nullable Frame frame) throws IOException {
    if (frame == null) {
      throw new BadFrameException("the end of an exchange came where there is none");
    }
    last = frame;
    try {
      endpoint.received(frame, null, Objects.requireNonNull(incoming));
    } finally {
      arraySource.releaseTaken();
    }
  }

  /** Closes the link: after a failure the next byte may lie in the middle of a frame. */
  private void end() {
    link.close();
    arraySource.releaseTaken();
  }

  // Called by polling threads

  /** Announces a polling thread: from now on the peer wakes no thread here. */
  void beginPolling() {
    polls++;
    if (!isRelieved) {
      wakeNobody();
    }
  }

  /** Does nothing if another thread is reading, as it may be blocked in the middle of a frame. */
  private void wakeNobody() {
    if (reading.tryLock()) {
      try {
        link.poll(true);
      } finally {
        reading.unlock();
      }
    }
  }

  /**
   * Ends polling by a thread: from now on the link's thread is woken, or checks the link soon.
   *
   * @param sleeps whether a thread that still waits for a frame goes to sleep
   */
  void endPolling(boolean sleeps) {
    polls++;
    if (!isRelieved) {
      link.poll(false);
    } else if (sleeps) {
      isNeeded = true;
      LockSupport.unpark(thread);
    }
  }

  /**
   * Receives the bytes of one frame that have arrived. Never blocks, so that a peer that stops in
   * the middle of a frame does not delay the frames of other links.
   */
  void poll() {
    if (link.available() == 0 || !reading.tryLock()) {
      return;
    }
    try {
      var frame = input.poll(last);
      if (frame != null) {
        received(frame);
      }
    } catch (IOException e) {
      LinkEndpoint.ended(link, e);
      end(); // the link's thread finds it closed
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    } finally {
      input.readAhead();
      reading.unlock();
    }
  }
}
