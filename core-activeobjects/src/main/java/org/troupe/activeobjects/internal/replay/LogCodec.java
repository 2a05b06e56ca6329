package org.troupe.activeobjects.internal.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;

/** Writes the records and the accounts of logged objects as bytes, and reads them. Thread-safe. */
public final class LogCodec<C, V> {

  /** Writes and reads what the protocol does not look into. */
  public interface Content<T> {

    /** Writes a value so that it can be read in another process. */
    void write(ByteOutput out, T value);

    /** Reads a value. */
    T read(ByteInput in);
  }

  /** The first byte of the accounts in an image; a later format has another. */
  private static final byte FORMAT = 2;

  // The first bytes of records, of which none may get another meaning
  private static final byte REQUEST = 1;
  private static final byte ANSWER = 2;
  private static final byte TAKEN = 3;
  private static final byte ONCE = 4;
  private static final byte END = 5;
  private static final byte SET_ASIDE = 6;
  private static final byte MADE_AGAIN = 7;
  private static final byte UNSENT = 8;

  private static final byte OF_LOGGED = 0;
  private static final byte OF_PROCESS = 1;
  private static final byte NEAR = 2;

  private static final int LONGEST_TEXT = 1 << 16;

  private final Content<C> calls;
  private final Content<V> outcomes;

  /** Creates a codec. */
  public LogCodec(Content<C> calls, Content<V> outcomes) {
    this.calls = calls;
    this.outcomes = outcomes;
  }

  /** Writes a record. */
  void write(ByteOutput out, LogRecord<C, V> entry) {
    switch (entry) {
      case LogRecord.Request<C, V>(TakenRequest<C> request) -> {
        out.writeByte(REQUEST);
        write(out, request);
      }
      case LogRecord.Answer<C, V> answer -> {
        out.writeByte(ANSWER);
        write(out, answer.target());
        out.writeVarLong(answer.number());
        out.writeString(answer.fingerprint().call());
        out.writeLong(answer.fingerprint().digest());
        out.writeBoolean(answer.isOfTarget());
        outcomes.write(out, answer.outcome());
      }
      case LogRecord.Taken<C, V>(ObjectIdentity target, long upTo) -> {
        out.writeByte(TAKEN);
        write(out, target);
        out.writeVarLong(upTo);
      }
      case LogRecord.Once<C, V>(long request, int index, V value) -> {
        out.writeByte(ONCE);
        out.writeVarLong(request);
        out.writeVarInt(index);
        outcomes.write(out, value);
      }
      case LogRecord.End<C, V>(long request, long digest) -> {
        out.writeByte(END);
        out.writeVarLong(request);
        out.writeLong(digest);
      }
      case LogRecord.SetAside<C, V>(long request, V outcome, var sent) -> {
        out.writeByte(SET_ASIDE);
        out.writeVarLong(request);
        outcomes.write(out, outcome);
        writeSent(out, sent);
      }
      case LogRecord.MadeAgain<C, V>(long request) -> {
        out.writeByte(MADE_AGAIN);
        out.writeVarLong(request);
      }
      case LogRecord.Unsent<C, V>(ObjectIdentity target, long number, long after) -> {
        out.writeByte(UNSENT);
        write(out, target);
        out.writeVarLong(number);
        out.writeVarLong(after);
      }
    }
  }

  /**
   * Reads records that were written one behind the other; at least one.
   *
   * @param what what is read, for the error
   * @throws IOException if the bytes are not records
   */
  List<LogRecord<C, V>> readRecords(byte[] bytes, String what) throws IOException {
    var in = new ByteInput(bytes);
    return whole(
        in,
        what,
        () -> {
          List<LogRecord<C, V>> records = new ArrayList<>();
          do {
            records.add(readRecord(in));
          } while (in.remaining() > 0);
          return records;
        });
  }

  private LogRecord<C, V> readRecord(ByteInput in) {
    var kind = in.readByte();
    return switch (kind) {
      case REQUEST -> new LogRecord.Request<>(readRequest(in));
      case ANSWER -> readAnswer(in);
      case TAKEN -> new LogRecord.Taken<>(readIdentity(in), in.readVarLong());
      case ONCE -> new LogRecord.Once<>(in.readVarLong(), in.readVarInt(), outcomes.read(in));
      case END -> new LogRecord.End<>(in.readVarLong(), in.readLong());
      case SET_ASIDE -> new LogRecord.SetAside<>(in.readVarLong(), outcomes.read(in), readSent(in));
      case MADE_AGAIN -> new LogRecord.MadeAgain<>(in.readVarLong());
      case UNSENT -> new LogRecord.Unsent<>(readIdentity(in), in.readVarLong(), in.readVarLong());
      default -> throw new SerializationException("its kind " + kind + " is unknown");
    };
  }

  private LogRecord<C, V> readAnswer(ByteInput in) {
    var target = readIdentity(in);
    var number = in.readVarLong();
    var fingerprint = new CallFingerprint(in.readString(LONGEST_TEXT), in.readLong());
    var isOfTarget = in.readBoolean();
    return new LogRecord.Answer<>(target, number, fingerprint, outcomes.read(in), isOfTarget);
  }

  /** Writes the accounts of an image. */
  void write(ByteOutput out, LoggedObjectImage<C, V> image) {
    out.writeByte(FORMAT);
    out.writeVarLong(image.begun());
    out.writeVarLong(image.counted());
    out.writeVarLong(image.deaths().request());
    out.writeVarInt(image.deaths().count());
    out.writeVarInt(image.waiting().size());
    image.waiting().forEach(each -> write(out, each));
    writeSent(out, image.sent());
    out.writeVarInt(image.received().size());
    image
        .received()
        .forEach(
            (origin, account) -> {
              write(out, origin);
              out.writeVarLong(account.highest());
              out.writeVarInt(account.answers().size());
              account
                  .answers()
                  .forEach(
                      (number, answer) -> {
                        out.writeVarLong(number);
                        outcomes.write(out, answer);
                      });
            });
  }

  /**
   * Reads the accounts of an image.
   *
   * @param what what is read, for the error
   * @throws IOException if the bytes are not the accounts of an image
   */
  LoggedObjectImage<C, V> readImage(ByteInput in, String what) throws IOException {
    return whole(
        in,
        what,
        () -> {
          var format = in.readByte();
          if (format != FORMAT) {
            throw new SerializationException(
                "its format "
                    + format
                    + " is unknown; read it with the version of the library that wrote it");
          }
          var begun = in.readVarLong();
          var counted = in.readVarLong();
          var deaths = new LoggedObjectImage.Deaths(in.readVarLong(), in.readVarInt());
          List<TakenRequest<C>> waiting = new ArrayList<>();
          for (var left = in.readLength(Integer.MAX_VALUE, 1); left > 0; left--) {
            waiting.add(readRequest(in));
          }
          var sent = readSent(in);
          Map<CallOrigin, ReceivedCalls.State<V>> received = new HashMap<>();
          for (var left = in.readLength(Integer.MAX_VALUE, 1); left > 0; left--) {
            received.put(readOrigin(in), readReceived(in));
          }
          return new LoggedObjectImage<>(begun, counted, deaths, waiting, sent, received);
        });
  }

  private ReceivedCalls.State<V> readReceived(ByteInput in) {
    var highest = in.readVarLong();
    Map<Long, V> answers = new HashMap<>();
    for (var left = in.readLength(Integer.MAX_VALUE, 1); left > 0; left--) {
      answers.put(in.readVarLong(), outcomes.read(in));
    }
    return new ReceivedCalls.State<>(highest, answers);
  }

  private void writeSent(ByteOutput out, Map<ObjectIdentity, SentCalls.State<C>> sent) {
    out.writeVarInt(sent.size());
    sent.forEach(
        (target, account) -> {
          write(out, target);
          out.writeVarLong(account.made());
          out.writeVarLong(account.sent());
          out.writeVarLong(account.taken());
          out.writeVarInt(account.untaken().size());
          for (var each : account.untaken()) {
            out.writeVarLong(each.number());
            out.writeVarLong(each.after());
            calls.write(out, each.call());
          }
          out.writeVarInt(account.wanted().size());
          account.wanted().forEach(out::writeVarLong);
        });
  }

  private Map<ObjectIdentity, SentCalls.State<C>> readSent(ByteInput in) {
    Map<ObjectIdentity, SentCalls.State<C>> sent = new HashMap<>();
    for (var left = in.readLength(Integer.MAX_VALUE, 1); left > 0; left--) {
      sent.put(readIdentity(in), readSentState(in));
    }
    return sent;
  }

  private SentCalls.State<C> readSentState(ByteInput in) {
    var made = in.readVarLong();
    var sent = in.readVarLong();
    var taken = in.readVarLong();
    List<NumberedCall<C>> untaken = new ArrayList<>();
    for (var left = in.readLength(Integer.MAX_VALUE, 1); left > 0; left--) {
      untaken.add(new NumberedCall<>(in.readVarLong(), in.readVarLong(), calls.read(in)));
    }
    Set<Long> wanted = new HashSet<>();
    for (var left = in.readLength(Integer.MAX_VALUE, 1); left > 0; left--) {
      wanted.add(in.readVarLong());
    }
    return new SentCalls.State<>(made, sent, taken, untaken, wanted);
  }

  private void write(ByteOutput out, TakenRequest<C> request) {
    write(out, request.origin());
    out.writeVarLong(request.number());
    calls.write(out, request.call());
  }

  private TakenRequest<C> readRequest(ByteInput in) {
    return new TakenRequest<>(readOrigin(in), in.readVarLong(), calls.read(in));
  }

  private static void write(ByteOutput out, CallOrigin origin) {
    switch (origin) {
      case CallOrigin.Logged(ObjectIdentity object) -> {
        out.writeByte(OF_LOGGED);
        write(out, object);
      }
      case CallOrigin.Process(NodeId node) -> {
        out.writeByte(OF_PROCESS);
        write(out, node);
      }
      case CallOrigin.Near() -> out.writeByte(NEAR);
    }
  }

  private static CallOrigin readOrigin(ByteInput in) {
    var kind = in.readByte();
    return switch (kind) {
      case OF_LOGGED -> new CallOrigin.Logged(readIdentity(in));
      case OF_PROCESS -> new CallOrigin.Process(readNode(in));
      case NEAR -> new CallOrigin.Near();
      default -> throw new SerializationException("the kind " + kind + " of an origin is unknown");
    };
  }

  private static void write(ByteOutput out, ObjectIdentity object) {
    write(out, object.birth());
    out.writeString(object.address());
    out.writeVarLong(object.number());
  }

  private static ObjectIdentity readIdentity(ByteInput in) {
    return new ObjectIdentity(readNode(in), in.readString(LONGEST_TEXT), in.readVarLong());
  }

  private static void write(ByteOutput out, NodeId node) {
    out.writeString(node.name());
    out.writeLong(node.incarnation());
  }

  private static NodeId readNode(ByteInput in) {
    return new NodeId(in.readString(LONGEST_TEXT), in.readLong());
  }

  private static <T> T whole(ByteInput in, String what, Supplier<T> reading) throws IOException {
    try {
      var read = reading.get();
      if (in.remaining() > 0) {
        throw new SerializationException(in.remaining() + " bytes follow it");
      }
      return read;
    } catch (SerializationException | IllegalArgumentException e) {
      throw new IOException(what + " cannot be read: " + e.getMessage(), e);
    }
  }
}
