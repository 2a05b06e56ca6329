package org.troupe.transport.ibis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.links.Driver;
import org.troupe.links.Link;

/**
 * Receives the frames of one link: by a thread of its own, or by any that waits for one of them.
 */
final class FrameReader {

  /*
   * One of them has the lock when it reads: so frames are received in their order. The thread of the link takes along what
   * has come behind a frame, and waits for all of what it has begun; any other takes what has come of single frames, and
   * whoever reads next goes on from there.
   *
   * To be woken takes longer than most frames take, for the peer, too, and who is woken takes a processor from those who
   * compute. So while others look for frames again and again, in step with their peers, the thread of the link is not to be
   * woken: it only looks from time to time whether they still do.
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
  private volatile Thread thread; // of the link
  private volatile boolean isRelieved; // that thread: others are likely to look soon
  private volatile boolean isNeeded; // again
  private volatile int
      polls; // how often others have begun or ended to look; written by one at a time

  // Under the lock
  private final Rooms rooms;
  private final FrameInput input;
  private Frame last = FrameInput.NO_FRAME;
  private IncomingLinks.Incoming incoming;

  FrameReader(Link link, LinkEndpoint endpoint) {
    this.link = link;
    this.endpoint = endpoint;
    this.rooms = new Rooms();
    this.input =
        new FrameInput(link, LinkEndpoint.FRAMES_BUFFER_BYTES, endpoint.receiveBudget(), rooms);
  }

  /** The arrays for what comes: of those who wait for it, or spare ones. */
  private final class Rooms implements FrameInput.Source {

    /** The end of a peer on the same machine is noticed at once; nobody waits for it in vain. */
    private final boolean isNear = link.driver() == Driver.SHM || link.driver() == Driver.UDS;

    private final List<ReceiveBuffer> taken = new ArrayList<>(1); // by the frame that is read now

    @Override
    public ReceiveBuffer room(byte[] header, ArrayKind kind, int length) {
      var room = isNear ? endpoint.receiver().room(header, kind.element, length) : null;
      if (room != null) {
        taken.add(room);
      }
      return room;
    }

    @Override
    public Object array(ArrayKind kind, int length) {
      return endpoint.receiver().array(kind.element, length);
    }

    void leave() {
      if (!taken.isEmpty()) {
        taken.forEach(each -> each.left().run());
        taken.clear();
      }
    }
  }

  FrameInput input() {
    return input;
  }

  /** To be called before anything is received. */
  void begin(IncomingLinks.Incoming itsLink) {
    reading.lock();
    try {
      incoming = itsLink;
    } finally {
      reading.unlock();
    }
  }

  /** Receives what comes until the endpoint is closed, or the link has ended: that is thrown. */
  void readAll() throws IOException {
    thread = Thread.currentThread();
    boolean mayBePolled = link.canPoll();
    if (mayBePolled) {
      link.share(); // an interrupt of who polls is not meant for the link
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

  /** Receives what has come, unless somebody else has. */
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
   * Returns when nobody else has looked for a while; whoever writes meanwhile wakes nobody. What
   * others leave is received once in a while.
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
    isRelieved = false; // and the next wait begins with a look
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

  /** Receives a frame, for which it may have to wait. */
  private void receive() throws IOException {
    try {
      received(input.read(last));
    } catch (IOException | RuntimeException | Error e) {
      end();
      throw e;
    }
  }

  private void received(Frame frame) throws IOException {
    if (frame == null) {
      throw new BadFrameException("the end of an exchange came where there is none");
    }
    last = frame;
    try {
      endpoint.received(frame, null, incoming);
    } finally {
      rooms.leave();
    }
  }

  /** Nobody reads on in the midst of a frame. */
  private void end() {
    link.close();
    rooms.leave();
  }

  // By those who wait

  /** From now on the peer wakes nobody, unless somebody reads. */
  void beginPolling() {
    polls++;
    if (!isRelieved) {
      wakeNobody();
    }
  }

  /** Unless somebody reads, who may sleep in the midst of a frame. */
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
   * From now on the thread of the link is woken, or soon looks by itself.
   *
   * @param sleeps whether somebody who waits for a frame sleeps now
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
   * Receives what has come of a frame. Waits for nobody, so that a peer that stops in the midst of
   * one keeps nobody from those of others.
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
      end(); // which the thread of the link finds
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    } finally {
      input.readAhead();
      reading.unlock();
    }
  }
}
