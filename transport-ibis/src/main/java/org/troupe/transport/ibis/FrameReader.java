package org.troupe.transport.ibis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Room;
import org.troupe.links.Driver;
import org.troupe.links.Link;

/**
 * Receives the frames of one link: by a thread of its own, or by any that waits for one of them.
 */
final class FrameReader {

  /*
   * One of them has the lock when it reads, and keeps it until it has received all frames of which it has got a part: so
   * frames are received in their order, and the other one finds no half of any.
   */
  private final Link link;
  private final LinkEndpoint endpoint;
  private final ReentrantLock reading = new ReentrantLock();

  // Under the lock
  private final Rooms rooms;
  private final FrameInput input;
  private Frame last = FrameInput.NO_FRAME;
  private boolean ended;

  FrameReader(Link link, LinkEndpoint endpoint) {
    this.link = link;
    this.endpoint = endpoint;
    this.rooms = new Rooms();
    this.input = new FrameInput(link, LinkEndpoint.FRAMES_BUFFER_BYTES, rooms);
  }

  /** The arrays for what comes: of those who wait for it, or new ones. */
  private final class Rooms implements FrameInput.Source {

    /** The end of a peer on the same machine is noticed at once; nobody waits for it in vain. */
    private final boolean isNear = link.driver() == Driver.SHM || link.driver() == Driver.UDS;

    private final List<Room> taken = new ArrayList<>(1); // by the frame that is read now

    @Override
    public Object array(byte[] header, ArrayKind kind, int length) {
      var receiver = endpoint.receiver();
      var room = isNear ? receiver.room(header, kind.element, length) : null;
      if (room == null) {
        return receiver.array(kind.element, length);
      }
      taken.add(room);
      return room.array();
    }

    void leave() {
      if (!taken.isEmpty()) {
        taken.forEach(each -> each.left().run());
        taken.clear();
      }
    }
  }

  /** Receives what comes until the endpoint is closed, or the link has ended: that is thrown. */
  void readAll() throws IOException {
    boolean mayBePolled = link.canPoll();
    if (mayBePolled) {
      link.share(); // an interrupt of who polls is not meant for the link
    }
    while (!endpoint.isClosed()) {
      if (mayBePolled) {
        link.awaitReadable();
      }
      reading.lock();
      try {
        if (!mayBePolled || link.isReadable()) {
          receive();
        }
      } finally {
        reading.unlock();
      }
    }
  }

  /** Receives a frame, for which it may have to wait, and what has come with it. */
  private void receive() throws IOException {
    do {
      try {
        last = input.read(last);
        if (last == null) {
          throw new BadFrameException("the end of an exchange came where there is none");
        }
        endpoint.received(last, null);
      } finally {
        rooms.leave();
      }
    } while (input.hasRest());
  }

  // By those who wait

  /**
   * From now on who polls need not be woken, nor the thread of the link, unless that is reading.
   */
  void beginPolling() {
    if (reading.tryLock()) {
      try {
        link.poll(true);
      } finally {
        reading.unlock();
      }
    }
  }

  /** Receives what has come, unless somebody does. */
  boolean poll() {
    if (!link.isReadable() || !reading.tryLock()) {
      return false;
    }
    try {
      if (ended || !link.isReadable()) {
        return false;
      }
      receive();
      link.poll(true); // it may have had to wait
      return true;
    } catch (IOException e) {
      LinkEndpoint.ended(link, e);
      end();
      return false;
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    } finally {
      reading.unlock();
    }
  }

  /** The thread of the link finds that, and ends. */
  private void end() {
    ended = true;
    link.close();
  }

  /** Leaves the link to its own thread, which may sleep. */
  void endPolling() {
    do {
      link.poll(false); // first, for what comes after the last look wakes that thread
    } while (poll());
  }
}
