package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;

/** Writes and reads the names of numbered calls, and the messages about such calls. */
final class NumberedCodec {

  // The kinds of origins
  private static final int SENDER = 0;
  private static final int RECEIVER = 1;
  private static final int PROCESS = 2;
  private static final int LOGGED = 3;

  private final NodeId self;
  private final NodeId peer;
  private final SymbolCodec symbols;
  private final RelocationCodec relocations;
  private final ByteOutput out;

  NumberedCodec(
      NodeId self, NodeId peer, SymbolCodec symbols, RelocationCodec relocations, ByteOutput out) {
    this.self = self;
    this.peer = peer;
    this.symbols = symbols;
    this.relocations = relocations;
    this.out = out;
  }

  void write(CallName name) {
    write(name.origin());
    out.writeVarLong(name.number());
    out.writeVarLong(name.number() - name.after());
    out.writeVarLong(name.number() - name.settled() << 1 | (name.isFirst() ? 1 : 0));
    out.writeVarLong(name.taken() == 0 ? 0 : name.number() - name.taken());
  }

  CallName readName(ByteInput in) {
    var origin = readOrigin(in);
    var number = in.readVarLong();
    var after = number - in.readVarLong();
    var rest = in.readVarLong();
    var settled = number - (rest >>> 1);
    var untaken = in.readVarLong();
    var taken = untaken == 0 ? 0 : number - untaken;
    if (number < 1
        || after < 0
        || after >= number
        || settled < 0
        || settled >= number
        || taken < 0
        || taken > after) {
      throw new SerializationException(
          "a call with the number %d after %d, which settles %d, behind %d that were taken"
              .formatted(number, after, settled, taken));
    }
    return new CallName(origin, number, after, settled, taken, (rest & 1) != 0);
  }

  void write(Message.Acknowledgement message) {
    switch (message) {
      case Message.Taken(var object, var origin, long first, long last) -> {
        out.writeByte(Opcodes.TAKEN);
        write(object, origin, last);
        out.writeVarLong(first);
      }
      case Message.Settled(var object, var origin, long upTo) -> {
        out.writeByte(Opcodes.SETTLED);
        write(object, origin, upTo);
      }
    }
  }

  private void write(ObjectIdentity object, CallOrigin origin, long upTo) {
    relocations.writeObject(object);
    write(origin);
    out.writeVarLong(upTo);
  }

  Message.Taken readTaken(ByteInput in) {
    var object = relocations.readObject(in);
    var origin = readOrigin(in);
    var last = in.readVarLong();
    return new Message.Taken(object, origin, in.readVarLong(), last);
  }

  Message.Settled readSettled(ByteInput in) {
    return new Message.Settled(relocations.readObject(in), readOrigin(in), in.readVarLong());
  }

  private void write(CallOrigin origin) {
    switch (origin) {
      case CallOrigin.Process(NodeId node) when node.equals(self) -> out.writeByte(SENDER);
      case CallOrigin.Process(NodeId node) when node.equals(peer) -> out.writeByte(RECEIVER);
      case CallOrigin.Process(NodeId node) -> {
        out.writeByte(PROCESS);
        out.writeLong(node.incarnation());
        symbols.write(out, node.name());
      }
      case CallOrigin.Logged(ObjectIdentity object) -> {
        out.writeByte(LOGGED);
        relocations.writeObject(object);
      }
      case CallOrigin.Near() -> throw new AssertionError("a number of the called object");
    }
  }

  private CallOrigin readOrigin(ByteInput in) {
    var kind = in.readByte();
    return switch (kind) {
      case SENDER -> new CallOrigin.Process(peer);
      case RECEIVER -> new CallOrigin.Process(self);
      case PROCESS -> new CallOrigin.Process(relocations.readNode(in));
      case LOGGED -> new CallOrigin.Logged(relocations.readObject(in));
      default -> throw new SerializationException("an origin of the unknown kind " + kind);
    };
  }
}
