package org.troupe.activeobjects.internal.service;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeActivity.ClassLine;
import org.troupe.activeobjects.hosting.NodeActivity.GroupPlace;
import org.troupe.activeobjects.hosting.NodeActivity.MethodLine;
import org.troupe.activeobjects.hosting.NodeActivity.OperationLine;
import org.troupe.activeobjects.hosting.NodeActivity.PeerLine;
import org.troupe.activeobjects.hosting.NodeActivity.QueueLine;
import org.troupe.activeobjects.hosting.NodeActivity.Times;
import org.troupe.activeobjects.hosting.NodeActivity.WaitKind;
import org.troupe.activeobjects.hosting.NodeActivity.WaitLine;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.serialization.SerializationException;

/** Encodes what a node does in a bounded number of bytes. */
final class ActivityCodec {

  /*
   * Design: rows until the bytes run out
   *
   * Numbers have seven bits per byte, as most are small. A text is written once; later rows refer to it by its place among the texts. The
   * sections follow each other, the most important rows first, and each may use what the sections before it have left of their
   * shares. A row that does not fit is undone, and ends its section; the rows that are left out are counted. The rest for the last
   * section, the operations, has space for a row with a class of the longest name.
   */

  /** The most bytes of the activity in a report; the whole report of a node is less than 2 KiB. */
  static final int MOST_BYTES = 1_900;

  private static final int END_OF_METHODS = 750;
  private static final int END_OF_QUEUES = 1_080;
  private static final int END_OF_WAITS = 1_350;
  private static final int END_OF_CLASSES = 1_430;
  private static final int END_OF_PEERS = 1_505;
  private static final int END_OF_FAILURES = 1_660;
  private static final int TAIL = 30; // the three numbers at the end

  private static final int LONGEST_TEXT = 120; // characters
  private static final int LONGEST_AWAITED = 60; // characters: the other fields say the same
  private static final int MOST_ROWS = 100; // that are accepted
  private static final ObservationTier[] TIERS = ObservationTier.values();
  private static final WaitKind[] WAIT_KINDS = WaitKind.values();
  private static final FailureGroup.Kind[] KINDS = FailureGroup.Kind.values();

  private ActivityCodec() {}

  static byte[] encode(NodeActivity activity) {
    var out = new Writer();
    out.number(activity.tier().ordinal());
    out.number(activity.clockNanos());
    out.number(activity.served());
    out.number(activity.failed());
    var left = activity.leftOut();
    left += out.rows(activity.methods(), END_OF_METHODS, ActivityCodec::write);
    left += out.rows(activity.queues(), END_OF_QUEUES, ActivityCodec::write);
    left += out.rows(activity.waits(), END_OF_WAITS, ActivityCodec::write);
    left += out.rows(activity.classes(), END_OF_CLASSES, ActivityCodec::write);
    left += out.rows(activity.peers(), END_OF_PEERS, ActivityCodec::write);
    left += out.rows(activity.failures(), END_OF_FAILURES, ActivityCodec::write);
    left += out.rows(activity.operations(), MOST_BYTES - TAIL, ActivityCodec::write);
    out.number(left);
    out.number(activity.unvisited());
    out.number(activity.lastEvent());
    return out.bytes();
  }

  /**
   * Decodes a report.
   *
   * @throws SerializationException if the bytes are none
   */
  static NodeActivity decode(byte[] bytes) {
    var in = new Reader(bytes);
    return new NodeActivity(
        in.oneOf(TIERS),
        in.number(),
        in.number(),
        in.number(),
        in.rows(ActivityCodec::method),
        in.rows(ActivityCodec::queue),
        in.rows(ActivityCodec::wait),
        in.rows(ActivityCodec::classLine),
        in.rows(ActivityCodec::peer),
        in.rows(ActivityCodec::failure),
        in.rows(ActivityCodec::operation),
        in.number(),
        in.number(),
        in.number());
  }

  private static void write(MethodLine row, Writer out) {
    out.text(row.type());
    out.text(row.method());
    out.number(row.accepted());
    out.number(row.served());
    out.number(row.failed());
    write(row.waits(), out);
    write(row.services(), out);
  }

  private static MethodLine method(Reader in) {
    return new MethodLine(
        in.text(), in.text(), in.number(), in.number(), in.number(), times(in), times(in));
  }

  private static void write(Times times, Writer out) {
    out.number(times.samples());
    if (times.samples() != 0) {
      out.number(times.medianNanos());
      out.number(times.p99Nanos());
      out.number(times.mostNanos());
    }
  }

  private static Times times(Reader in) {
    var samples = in.number();
    return samples == 0 ? Times.NONE : new Times(samples, in.number(), in.number(), in.number());
  }

  private static void write(QueueLine row, Writer out) {
    out.text(row.object());
    out.text(row.type());
    out.number(row.queued());
    out.text(row.serving());
    out.text(row.caller());
    out.number(row.servingMicros() + 1);
    out.number(row.leastMicros());
  }

  private static QueueLine queue(Reader in) {
    return new QueueLine(
        in.text(), in.text(), in.integer(), in.text(), in.text(), in.number() - 1, in.number());
  }

  private static void write(WaitLine row, Writer out) {
    out.text(row.object());
    out.text(row.type());
    out.text(row.serving());
    out.number(row.kind().ordinal());
    out.text(row.awaited(), LONGEST_AWAITED);
    out.text(row.awaitedObject());
    out.text(row.awaitedNode());
    out.text(row.awaitedMethod());
    out.number(row.waitingMicros() + 1);
    out.number(row.leastMicros());
    out.text(row.line());
    var group = row.group();
    out.number(group.rank() + 1L);
    if (group.rank() >= 0) {
      out.text(group.group());
      out.number(group.size());
      out.number(group.missing().size());
      group.missing().forEach(out::number);
    }
  }

  private static WaitLine wait(Reader in) {
    return new WaitLine(
        in.text(),
        in.text(),
        in.text(),
        in.oneOf(WAIT_KINDS),
        in.text(),
        in.text(),
        in.text(),
        in.text(),
        in.number() - 1,
        in.number(),
        in.text(),
        group(in));
  }

  private static GroupPlace group(Reader in) {
    var rank = in.integer() - 1;
    if (rank < 0) {
      return GroupPlace.NONE;
    }
    var group = in.text();
    var size = in.integer();
    var count = in.integer();
    if (count > GroupPlace.MOST_MISSING) {
      throw new SerializationException("the report of a node has a wait for " + count + " ranks");
    }
    List<Integer> missing = new ArrayList<>();
    for (var i = 0; i < count; i++) {
      missing.add(in.integer());
    }
    return new GroupPlace(group, rank, size, missing);
  }

  private static void write(ClassLine row, Writer out) {
    out.text(row.type());
    out.number(row.objects());
    out.number(row.queued());
    out.number(row.serving());
    out.number(row.longestQueue());
    out.text(row.longestObject());
    out.number(row.isWhole() ? 1 : 0);
  }

  private static ClassLine classLine(Reader in) {
    return new ClassLine(
        in.text(),
        in.number(),
        in.number(),
        in.number(),
        in.integer(),
        in.text(),
        in.number() != 0);
  }

  private static void write(PeerLine row, Writer out) {
    out.text(row.node());
    out.text(row.driver());
    out.number(row.messages());
    out.number(row.bytes());
    out.number(row.resets());
    out.number(row.roundTripNanos());
  }

  private static PeerLine peer(Reader in) {
    return new PeerLine(in.text(), in.text(), in.number(), in.number(), in.number(), in.number());
  }

  private static void write(FailureGroup row, Writer out) {
    out.number(row.kind().ordinal());
    out.text(row.call());
    out.text(row.exception());
    out.text(row.frame());
    out.number(row.count());
    out.number(row.firstMillis());
    out.number(row.lastMillis());
    out.text(row.example());
  }

  private static FailureGroup failure(Reader in) {
    return new FailureGroup(
        in.oneOf(KINDS),
        in.text(),
        in.text(),
        in.text(),
        in.number(),
        in.number(),
        in.number(),
        in.text());
  }

  private static void write(OperationLine row, Writer out) {
    out.text(row.group());
    out.text(row.type());
    out.number(row.size());
    out.text(row.operation());
    out.text(row.algorithm());
    out.number(row.parts());
    out.number(row.bytes());
  }

  private static OperationLine operation(Reader in) {
    return new OperationLine(
        in.text(), in.text(), in.integer(), in.text(), in.text(), in.number(), in.number());
  }

  /** Writes a row. */
  private interface RowWriter<R> {
    void write(R row, Writer out);
  }

  /** Reads a row. */
  private interface RowReader<R> {
    R read(Reader in);
  }

  /** The bytes of a report while it is being made. */
  private static final class Writer {
    private byte[] bytes = new byte[2 * MOST_BYTES];
    private int length;
    private final List<String> texts = new ArrayList<>();

    void number(long value) {
      var rest = value;
      while ((rest & ~0x7f) != 0) {
        put((byte) (rest | 0x80));
        rest >>>= 7;
      }
      put((byte) rest);
    }

    private void put(byte value) {
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * length);
      }
      bytes[length++] = value;
    }

    void text(String text) {
      text(text, LONGEST_TEXT);
    }

    void text(String text, int longest) {
      var cut = shortened(text, longest);
      var known = texts.indexOf(cut);
      if (known >= 0) {
        number(known + 1L);
        return;
      }
      texts.add(cut);
      number(0);
      var encoded = cut.getBytes(StandardCharsets.UTF_8);
      number(encoded.length);
      for (var each : encoded) {
        put(each);
      }
    }

    static String shortened(String text, int longest) {
      if (text.length() <= longest) {
        return text;
      }
      var half = (longest - 3) / 2;
      return text.substring(0, half) + "..." + text.substring(text.length() - half);
    }

    /** Writes rows behind their number; returns how many did not fit. */
    <R> int rows(List<R> rows, int end, RowWriter<R> writer) {
      var at = length;
      put((byte) 0);
      var written = 0;
      for (var each : rows) {
        var before = length;
        var textsBefore = texts.size();
        writer.write(each, this);
        if (length > end) {
          length = before;
          texts.subList(textsBefore, texts.size()).clear();
          break;
        }
        written++;
      }
      bytes[at] = (byte) written;
      return rows.size() - written;
    }

    byte[] bytes() {
      return Arrays.copyOf(bytes, length);
    }
  }

  /** The bytes of a report that has arrived. */
  private static final class Reader {
    private final byte[] bytes;
    private int at;
    private final List<String> texts = new ArrayList<>();

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    private byte next() {
      if (at == bytes.length) {
        throw new SerializationException("the report of a node ends early");
      }
      return bytes[at++];
    }

    long number() {
      var value = 0L;
      for (var shift = 0; shift < Long.SIZE; shift += 7) {
        var part = next();
        value |= (long) (part & 0x7f) << shift;
        if (part >= 0) {
          return value;
        }
      }
      throw new SerializationException("the report of a node has a number that is too long");
    }

    /** Reads a number of at most 31 bits; a larger one becomes the largest. */
    int integer() {
      var value = number();
      return value < 0 ? Integer.MAX_VALUE : (int) Math.min(value, Integer.MAX_VALUE);
    }

    String text() {
      var known = number();
      if (known != 0) {
        if (known < 0 || known > texts.size()) {
          throw new SerializationException("the report of a node refers to no text");
        }
        return texts.get((int) known - 1);
      }
      var size = number();
      if (size < 0 || size > bytes.length - at) {
        throw new SerializationException("the report of a node ends within a text");
      }
      var text = new String(bytes, at, (int) size, StandardCharsets.UTF_8);
      at += (int) size;
      texts.add(text);
      return text;
    }

    <E> E oneOf(E[] all) {
      var index = number();
      if (index < 0 || index >= all.length) {
        throw new SerializationException("the report of a node has an unknown value " + index);
      }
      return all[(int) index];
    }

    <R> List<R> rows(RowReader<R> reader) {
      var count = next();
      if (count < 0 || count > MOST_ROWS) {
        throw new SerializationException("the report of a node has " + count + " rows");
      }
      List<R> rows = new ArrayList<>();
      for (var i = 0; i < count; i++) {
        rows.add(reader.read(this));
      }
      return rows;
    }
  }
}
