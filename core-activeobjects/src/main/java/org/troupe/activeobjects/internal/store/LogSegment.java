package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.troupe.activeobjects.store.Journal;

/** The format of one file of a log: a segment, which holds the records from a number on. */
final class LogSegment {

  /*
   * Design: frames that tell a torn end from damage
   *
   *   segment  magic (8)  first number (8)  CRC of both (4)  frame...
   *   frame    length (4)  number (8)  CRC of both (4)  content  CRC of the content (4)  end mark (1)
   *
   * All numbers are big-endian, all checks CRC-32C. A process that is killed while it writes leaves a prefix of a
   * frame, or a frame without its end mark and zeros behind it (MappedSegmentEnd). A host that fails may have lengthened the file without having written its last sectors, which then read as zeros. So
   * the end of the last segment is torn, and may be cut, if it is shorter than the frame that it begins, or if it
   * ends in zeros, where the end mark would be. Nothing valid may follow a torn frame: neither in this file nor in a
   * later one. Everything else that does not fit its check is damage, also in the last frame of all, and is
   * reported with file and offset. In particular a flipped bit in the length of a frame is found by the check of its head, and
   * does not look like a torn end.
   */

  static final int HEAD = 20;
  static final int FRAME_HEAD = 16;
  static final int FRAME_TAIL = 5;

  private static final long MAGIC = 0x54524f5550454c31L; // "TROUPEL1"
  private static final byte END_MARK = 0x5a;
  private static final String SUFFIX = ".log";
  private static final int DIGITS = 19; // of the number in a name

  /** Receives the records of a segment. */
  interface Visitor {
    void record(long number, byte[] content) throws IOException;
  }

  /**
   * The extent of a segment.
   *
   * @param next the number behind its last record
   * @param end the offset behind its last record; 0 if not even the head of the segment is there
   */
  record Extent(long next, long end) {}

  private LogSegment() {}

  static String name(long first) {
    var digits = Long.toString(first);
    return "0".repeat(DIGITS - digits.length()) + digits + SUFFIX;
  }

  static boolean isName(String name) {
    return name.length() == DIGITS + SUFFIX.length()
        && name.endsWith(SUFFIX)
        && name.chars().limit(DIGITS).allMatch(each -> each >= '0' && each <= '9');
  }

  static long first(String name) {
    return Long.parseLong(name, 0, DIGITS, 10);
  }

  static ByteBuffer head(long first) {
    var head = ByteBuffer.allocate(HEAD).putLong(MAGIC).putLong(first);
    return head.putInt(check(head.array(), 0, 16)).flip();
  }

  static long frameBytes(long length) {
    return FRAME_HEAD + length + FRAME_TAIL;
  }

  /** Returns a frame around a record, whose parts are not copied. */
  static ByteBuffer[] frame(long number, int length, ByteBuffer[] parts) {
    var head = ByteBuffer.allocate(FRAME_HEAD).putInt(length).putLong(number);
    head.putInt(check(head.array(), 0, 12)).flip();
    var content = new CRC32C();
    var frame = new ByteBuffer[parts.length + 2];
    frame[0] = head;
    for (int i = 0; i < parts.length; i++) {
      content.update(parts[i].duplicate());
      frame[i + 1] = parts[i].duplicate();
    }
    frame[parts.length + 1] =
        ByteBuffer.allocate(FRAME_TAIL).putInt((int) content.getValue()).put(END_MARK).flip();
    return frame;
  }

  /**
   * Copies a frame around a record into memory that has zeros there. A process that ends meanwhile
   * leaves no end mark, and zeros behind it.
   */
  static void copy(long number, int length, ByteBuffer[] parts, ByteBuffer into) {
    var head = ByteBuffer.allocate(FRAME_HEAD).putInt(length).putLong(number);
    into.put(head.putInt(check(head.array(), 0, 12)).flip());
    VarHandle.releaseFence();
    var content = into.slice(into.position(), length);
    for (var part : parts) {
      into.put(part.duplicate());
    }
    var check = new CRC32C();
    check.update(content); // copies nothing, as the memory is direct
    into.putInt((int) check.getValue());
    VarHandle.releaseFence();
    into.put(END_MARK);
  }

  private static int check(byte[] bytes, int from, int length) {
    var check = new CRC32C();
    check.update(bytes, from, length);
    return (int) check.getValue();
  }

  /**
   * Reads a segment.
   *
   * @param isLast whether no later segment has a record, so that its end may be torn
   * @param most the last record to read, behind which a writer may be at work
   * @throws IOException if it is damaged
   */
  static Extent read(Path file, boolean isLast, long most, Visitor visitor) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new Scan(file, channel, isLast).read(most, visitor);
    }
  }

  /** One pass over a segment. */
  private static final class Scan {
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final FileChannel channel;
    private final boolean isLast;
    private final long size;
    private final ByteBuffer window;
    private long windowAt; // the offset of the window in the file

    Scan(Path file, FileChannel channel, boolean isLast) throws IOException {
      this.file = file;
      this.channel = channel;
      this.isLast = isLast;
      this.size = channel.size();
      this.window = ByteBuffer.allocate((int) Math.min(BUFFER, size)).limit(0);
    }

    Extent read(long most, Visitor visitor) throws IOException {
      var first = first(file.getFileName().toString());
      if (size < HEAD) {
        return torn(0, first, "the head of the segment is incomplete");
      }
      var head = bytes(0, HEAD);
      if (!ByteBuffer.wrap(head).equals(head(first))) {
        return isZero(0)
            ? torn(0, first, "the segment is empty")
            : damaged(0, "the head of the segment is not valid");
      }
      var at = (long) HEAD;
      var number = first;
      while (at < size && number <= most) {
        if (size - at < FRAME_HEAD) {
          return torn(at, number, "the record is incomplete");
        }
        var frame = ByteBuffer.wrap(bytes(at, FRAME_HEAD));
        var length = frame.getInt();
        var found = frame.getLong();
        if (frame.getInt() != check(frame.array(), 0, 12)) {
          return isZero(at + FRAME_HEAD)
              ? torn(at, number, "the record is missing")
              : damaged(at, "the head of the record does not match its check");
        }
        if (found != number) {
          return damaged(at, "record %d is where record %d belongs".formatted(found, number));
        }
        if (length < 0 || length > Journal.LARGEST_RECORD) {
          return damaged(at, "the record claims to have %d bytes".formatted(length));
        }
        var end = at + frameBytes(length);
        if (end > size) {
          return torn(at, number, "the record is incomplete");
        }
        var content = bytes(at + FRAME_HEAD, length);
        var tail = ByteBuffer.wrap(bytes(end - FRAME_TAIL, FRAME_TAIL));
        if (tail.getInt() != check(content, 0, length) || tail.get() != END_MARK) {
          return tail.get(FRAME_TAIL - 1) == 0 && isZero(end)
              ? torn(at, number, "the end of the record is missing")
              : damaged(at, "the record does not match its check");
        }
        visitor.record(number, content);
        number++;
        at = end;
      }
      return new Extent(number, at);
    }

    /** Accepts a torn end, if nothing valid follows. */
    private Extent torn(long at, long number, String what) throws IOException {
      if (!isLast) {
        return damaged(at, what + ", and a later file has records");
      }
      if (isZero(at)) {
        return new Extent(number, at);
      }
      for (var next = at + 1; next + frameBytes(0) <= size; next++) {
        var head = ByteBuffer.wrap(bytes(next, FRAME_HEAD));
        var length = head.getInt();
        if (length >= 0
            && next + frameBytes(length) <= size
            && head.getLong() > number
            && head.getInt() == check(head.array(), 0, 12)) {
          return damaged(at, what + ", and a record follows at offset " + next);
        }
      }
      return new Extent(number, at);
    }

    private Extent damaged(long at, String what) throws IOException {
      throw new IOException(
          "the log %s is damaged at offset %d: %s; restore the store from a copy, or delete the folder %s to give up what it keeps"
              .formatted(file, at, what, file.getParent()));
    }

    /** Returns whether the file has nothing but zeros from an offset on. */
    private boolean isZero(long from) throws IOException {
      for (var at = from; at < size; at += BUFFER) {
        for (var each : bytes(at, (int) Math.min(BUFFER, size - at))) {
          if (each != 0) {
            return false;
          }
        }
      }
      return true;
    }

    private byte[] bytes(long at, int length) throws IOException {
      var bytes = new byte[length];
      if (length > BUFFER) {
        readFully(ByteBuffer.wrap(bytes), at);
        return bytes;
      }
      if (at < windowAt || at + length > windowAt + window.limit()) {
        window.clear().limit((int) Math.min(BUFFER, size - at));
        windowAt = at;
        readFully(window, at);
        window.flip();
      }
      window.get((int) (at - windowAt), bytes);
      return bytes;
    }

    private void readFully(ByteBuffer into, long at) throws IOException {
      for (var from = at; into.hasRemaining(); ) {
        var count = channel.read(into, from);
        if (count < 0) {
          throw new IOException("the log %s has become shorter while it was read".formatted(file));
        }
        from += count;
      }
    }
  }
}
