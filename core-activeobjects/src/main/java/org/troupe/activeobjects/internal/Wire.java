package org.troupe.activeobjects.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.troupe.activeobjects.NodeId;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.TypeDefinition;
import org.troupe.serialization.TypeTable;

/**
 * Writes and reads the headers of the frames between this node and one other.
 *
 * <p>Names of methods and types travel once and are numbers afterwards; the definition stands in
 * the first ordered frame that uses it, so it is there before any later frame is read. Writing is
 * done under the sender's lock of the peer, reading under the receiver's.
 */
final class Wire {

  private static final int MOST_IN_A_LIST = 1 << 20;
  private static final int REFERENCE = 0;
  private static final int FUTURE = 1;

  private final Peer peer;

  // sending
  private final Map<String, Integer> symbolIds = new HashMap<>();
  private final Set<Integer> definedTypes = new HashSet<>();

  // receiving
  private final List<String> symbols = new ArrayList<>();
  private final TypeTable types = new TypeTable();

  Wire(Peer peer) {
    this.peer = peer;
  }

  /** What the other node means by its type ids. */
  TypeTable types() {
    return types;
  }

  /**
   * What stands first in every header.
   *
   * @param sender the incarnation of the sending node
   * @param sequence the frame's number, or 0 if it is not ordered
   * @param acknowledged the last ordered frame that the sender has taken
   * @param served how many one-way calls of the receiver the sender has served
   */
  record Envelope(long sender, long sequence, long acknowledged, long served) {

    static Envelope read(ByteInput in) {
      return new Envelope(in.readLong(), in.readVarLong(), in.readVarLong(), in.readVarLong());
    }
  }

  /** Reads an unordered message that must be a greeting, or gives {@code null}. */
  static Message greeting(ByteInput in) {
    return in.readByte() == 0
        ? new Message.Hello(in.readString(), in.readString(), in.readVarLong())
        : null;
  }

  byte[] write(Envelope envelope, Message message, int[] typeIds) {
    var body = new ByteOutput();
    var newSymbols = new ArrayList<String>();
    writeMessage(body, message, newSymbols);
    var out = new ByteOutput();
    out.writeLong(envelope.sender());
    out.writeVarLong(envelope.sequence());
    out.writeVarLong(envelope.acknowledged());
    out.writeVarLong(envelope.served());
    if (message.isOrdered()) {
      writeDefinitions(out, newSymbols, typeIds);
    }
    var bytes = body.toByteArray();
    out.write(bytes, 0, bytes.length);
    return out.toByteArray();
  }

  private void writeDefinitions(ByteOutput out, List<String> newSymbols, int[] typeIds) {
    out.writeVarInt(newSymbols.size());
    newSymbols.forEach(out::writeString);
    var count = 0;
    for (var id : typeIds) {
      if (!definedTypes.contains(id)) {
        count++;
      }
    }
    out.writeVarInt(count);
    for (var id : typeIds) {
      if (definedTypes.add(id)) {
        out.writeVarInt(id);
        out.writeBytes(peer.node().serializer().ownTypes().definition(id).encoded());
      }
    }
  }

  private void readDefinitions(ByteInput in) {
    for (var left = in.readLength(MOST_IN_A_LIST, 1); left > 0; left--) {
      symbols.add(in.readString());
    }
    for (var left = in.readLength(MOST_IN_A_LIST, 1); left > 0; left--) {
      types.define(new TypeDefinition(in.readVarInt(), in.readBytes()));
    }
  }

  private void writeSymbol(ByteOutput out, String symbol, List<String> newSymbols) {
    out.writeVarInt(
        symbolIds.computeIfAbsent(
            symbol,
            name -> {
              newSymbols.add(name);
              return symbolIds.size();
            }));
  }

  private String readSymbol(ByteInput in) {
    var id = in.readVarInt();
    if (id < 0 || id >= symbols.size()) {
      throw new SerializationException("a frame uses the name number " + id + ", never defined");
    }
    return symbols.get(id);
  }

  private void writeMessage(ByteOutput out, Message message, List<String> symbols) {
    switch (message) {
      case Message.Hello(String name, String address, long received) -> {
        out.writeByte(0);
        out.writeString(name);
        out.writeString(address);
        out.writeVarLong(received);
      }
      case Message.Heartbeat beat -> out.writeByte(1);
      case Message.Call call -> {
        out.writeByte(2);
        out.writeVarLong(call.target());
        writeSymbol(out, call.method(), symbols);
        out.writeVarLong(call.callId());
        out.writeBoolean(call.valueWanted());
        out.writeBoolean(call.counted());
        out.writeVarLong(call.caller());
        if (call.caller() != 0) {
          writeSymbol(out, call.callerType(), symbols);
        }
        writeSide(out, call.side(), symbols);
      }
      case Message.Terminate(long target, boolean now) -> {
        out.writeByte(3);
        out.writeVarLong(target);
        out.writeBoolean(now);
      }
      case Message.Answer(long callId, List<Object> side) -> {
        out.writeByte(4);
        out.writeVarLong(callId);
        writeSide(out, side, symbols);
      }
      case Message.Failed(long callId, Failures.Summary summary, List<Object> side) -> {
        out.writeByte(5);
        out.writeVarLong(callId);
        summary.write(out);
        writeSide(out, side, symbols);
      }
      case Message.OneWayFailed(
              long caller,
              String call,
              Failures.Summary summary,
              List<Object> side) -> {
        out.writeByte(6);
        out.writeVarLong(caller);
        out.writeString(call);
        summary.write(out);
        writeSide(out, side, symbols);
      }
      case Message.Value(long future, List<Object> side) -> {
        out.writeByte(7);
        out.writeVarLong(future);
        writeSide(out, side, symbols);
      }
      case Message.ValueFailed(long future, Failures.Summary summary, List<Object> side) -> {
        out.writeByte(8);
        out.writeVarLong(future);
        summary.write(out);
        writeSide(out, side, symbols);
      }
      case Message.Credit(long target, int count) -> {
        out.writeByte(9);
        out.writeVarLong(target);
        out.writeVarInt(count);
      }
      case Message.Abandon(long callId) -> {
        out.writeByte(10);
        out.writeVarLong(callId);
      }
      case Message.Unexchanged(long callId) -> {
        out.writeByte(12);
        out.writeVarLong(callId);
      }
      case Message.Probe probe -> {
        out.writeByte(11);
        out.writeLong(probe.starter());
        out.writeVarLong(probe.startCall());
        out.writeBoolean(probe.followCall());
        out.writeVarLong(probe.id());
        out.writeVarInt(probe.path().size());
        probe.path().forEach(out::writeString);
      }
    }
  }

  /** Reads what follows the envelope. */
  Message read(ByteInput in, boolean ordered) {
    if (ordered) {
      readDefinitions(in);
    }
    var kind = in.readByte();
    return switch (kind) {
      case 0 -> new Message.Hello(in.readString(), in.readString(), in.readVarLong());
      case 1 -> new Message.Heartbeat();
      case 2 -> readCall(in);
      case 3 -> new Message.Terminate(in.readVarLong(), in.readBoolean());
      case 4 -> new Message.Answer(in.readVarLong(), readSide(in));
      case 5 -> new Message.Failed(in.readVarLong(), Failures.Summary.read(in), readSide(in));
      case 6 ->
          new Message.OneWayFailed(
              in.readVarLong(), in.readString(), Failures.Summary.read(in), readSide(in));
      case 7 -> new Message.Value(in.readVarLong(), readSide(in));
      case 8 -> new Message.ValueFailed(in.readVarLong(), Failures.Summary.read(in), readSide(in));
      case 9 -> new Message.Credit(in.readVarLong(), in.readVarInt());
      case 10 -> new Message.Abandon(in.readVarLong());
      case 11 -> readProbe(in);
      case 12 -> new Message.Unexchanged(in.readVarLong());
      default ->
          throw new SerializationException(
              "a frame of the unknown kind " + kind + "; do both nodes run the same version?");
    };
  }

  private Message.Call readCall(ByteInput in) {
    var target = in.readVarLong();
    var method = readSymbol(in);
    var callId = in.readVarLong();
    var valueWanted = in.readBoolean();
    var counted = in.readBoolean();
    var caller = in.readVarLong();
    var callerType = caller == 0 ? "" : readSymbol(in);
    return new Message.Call(
        target, method, callId, valueWanted, counted, caller, callerType, readSide(in));
  }

  private static Message.Probe readProbe(ByteInput in) {
    var starter = in.readLong();
    var startCall = in.readVarLong();
    var followCall = in.readBoolean();
    var id = in.readVarLong();
    var path = new ArrayList<String>();
    for (var left = in.readLength(MOST_IN_A_LIST, 1); left > 0; left--) {
      path.add(in.readString());
    }
    return new Message.Probe(starter, startCall, followCall, id, path);
  }

  private void writeSide(ByteOutput out, List<Object> side, List<String> symbols) {
    out.writeVarInt(side.size());
    for (var token : side) {
      switch (token) {
        case Reference<?> reference -> {
          out.writeByte(REFERENCE);
          writeReference(out, reference, symbols);
        }
        case FutureToken(var result, String type) -> {
          out.writeByte(FUTURE);
          out.writeVarLong(peer.owe(result));
          writeSymbol(out, type == null ? "" : type, symbols);
          out.writeString(result.describe());
        }
        default -> throw new AssertionError(token);
      }
    }
  }

  private void writeReference(ByteOutput out, Reference<?> reference, List<String> symbols) {
    writeSymbol(out, reference.type().getName(), symbols);
    switch (reference.target()) {
      case Reference.Target.Here(Body body) -> {
        out.writeLong(body.node().id().incarnation());
        writeSymbol(out, body.node().id().name(), symbols);
        writeSymbol(out, peer.access().address(), symbols);
        out.writeVarLong(body.number());
        out.writeVarInt(body.credits() == null ? 0 : body.credits().bound());
      }
      case Reference.Target.Elsewhere(Peer home, long number, int bound) -> {
        out.writeLong(home.id().incarnation());
        writeSymbol(out, home.id().name(), symbols);
        writeSymbol(out, home.address(), symbols);
        out.writeVarLong(number);
        out.writeVarInt(bound);
      }
    }
  }

  private List<Object> readSide(ByteInput in) {
    var count = in.readLength(MOST_IN_A_LIST, 1);
    if (count == 0) {
      return List.of();
    }
    var side = new ArrayList<>(count);
    for (var i = 0; i < count; i++) {
      if (in.readByte() == REFERENCE) {
        side.add(readReference(in));
      } else {
        var future = in.readVarLong();
        var type = readSymbol(in);
        var holder = peer.holder(future, in.readString());
        side.add(new FutureToken(holder, type.isEmpty() ? null : type));
      }
    }
    return side;
  }

  private RemoteName readReference(ByteInput in) {
    var type = readSymbol(in);
    var incarnation = in.readLong();
    var home = new NodeId(readSymbol(in), incarnation);
    return new RemoteName(
        type, home, readSymbol(in), in.readVarLong(), in.readVarInt(), peer.access());
  }

  /**
   * A reference as it arrived: its class is looked for when it is used, not on the thread that
   * reads.
   */
  record RemoteName(
      String type, NodeId home, String address, long number, int bound, Access access) {}
}
