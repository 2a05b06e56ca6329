package org.troupe.transport.ibis;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.links.Link;

/** Writes frames to one link, as {@link FrameInput} reads them. Used by one thread at a time. */
final class FrameOutput {

  /*
   * A frame is the length of its header and that of its body, four bytes each, most significant first, and both parts.
   * What is small is gathered in one buffer, so that one write of the link carries a frame, or many. What is large goes
   * straight from its array, but for its beginning, which fills the buffer up: the peer is not woken for a prefix.
   */

  /** What is written to end an exchange without a reply: in place of the length of a header. */
  static final int NOTHING = -1;

  static final int PREFIX_BYTES = 2 * Integer.BYTES;

  private final Link link;
  private final ByteBuffer buffer;
  private final ByteBuffer[] parts;
  private final ArrayDeque<Frame> tooLarge = new ArrayDeque<>();

  /**
   * Makes an output.
   *
   * @param bytes how much is gathered for one write
   */
  FrameOutput(Link link, int bytes) {
    this.link = link;
    this.buffer = ByteBuffer.allocateDirect(bytes);
    this.parts = new ByteBuffer[] {buffer};
  }

  /** Adds a frame to what the next flush writes; may write, and so wait for, what is before. */
  void put(Frame frame) throws IOException {
    room(PREFIX_BYTES);
    putPrefix(frame);
    put(frame.header());
    put(frame.body());
  }

  /** Adds the word that there is no reply. */
  void putNothing() throws IOException {
    room(PREFIX_BYTES);
    buffer.putInt(NOTHING).putInt(0);
  }

  private void putPrefix(Frame frame) {
    buffer.putInt(frame.header().length).putInt(frame.body().length);
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  private void put(byte[] bytes) throws IOException {
    if (bytes.length <= buffer.remaining()) {
      buffer.put(bytes);
      return;
    }
    int beginning = buffer.remaining();
    buffer.put(bytes, 0, beginning);
    flush();
    int rest = bytes.length - beginning;
    if (rest < buffer.capacity()) {
      buffer.put(bytes, beginning, rest);
    } else {
      link.write(MemorySegment.ofArray(bytes).asSlice(beginning));
    }
  }

  /** Writes all that was added; waits while the peer is slow. */
  void flush() throws IOException {
    buffer.flip();
    link.write(parts);
    buffer.clear();
  }

  /** Writes frames after all that was offered; waits while the peer is slow. */
  void send(List<Frame> frames) throws IOException {
    for (Frame each; (each = tooLarge.poll()) != null; ) {
      put(each);
    }
    for (Frame each : frames) {
      put(each);
    }
    if (buffer.position() > 0) {
      flush();
    }
  }

  /**
   * Takes frames and writes of them what goes without waiting, to a link that is shared.
   *
   * @return whether all has gone; if not, the rest goes with the next {@link #send}
   */
  boolean offer(List<Frame> frames) throws IOException {
    for (Frame each : frames) {
      if (tooLarge.isEmpty() && PREFIX_BYTES + each.size() <= buffer.remaining()) {
        putPrefix(each);
        buffer.put(each.header()).put(each.body());
      } else {
        tooLarge.add(each);
      }
    }
    if (!tooLarge.isEmpty()) {
      return false; // the next send writes all of it, and better at once
    }
    buffer.flip();
    boolean gone = link.offer(parts);
    buffer.compact();
    return gone;
  }
}
