package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.TypeDefinition;

/** Writes and reads the messages about objects that have moved. */
final class RelocationCodec {

  private static final int MOST_HOPS = 1 << 16;

  private final SymbolCodec symbols;
  private final ByteOutput out;

  /** Writes or reads the content of a routed message. */
  interface Contents {
    void write(Message content);

    Message read(ByteInput in);
  }

  RelocationCodec(SymbolCodec symbols, ByteOutput out) {
    this.symbols = symbols;
    this.out = out;
  }

  void write(Message.Relocation message, Contents contents) {
    switch (message) {
      case Message.Routed routed -> {
        out.writeByte(Opcodes.ROUTED);
        writeRouted(routed, contents);
      }
      case Message.Relocated(var object, int route, var host, String address, int epoch) -> {
        out.writeByte(Opcodes.RELOCATED);
        writeObject(object);
        out.writeVarInt(route + 1);
        writeNode(host, address);
        out.writeVarInt(epoch);
      }
      case Message.Switched(
              var object,
              int route,
              long mark,
              var host,
              String address,
              int epoch) -> {
        out.writeByte(Opcodes.SWITCHED);
        writeObject(object);
        out.writeVarInt(route + 1);
        out.writeVarLong(mark);
        writeNode(host, address);
        out.writeVarInt(epoch);
      }
      case Message.Vacated(var object) -> {
        out.writeByte(Opcodes.VACATED);
        writeObject(object);
      }
      case Message.PassedOnServed(var origin) -> {
        out.writeByte(Opcodes.PASSED_ON_SERVED);
        writeNode(origin);
      }
    }
  }

  private void writeRouted(Message.Routed routed, Contents contents) {
    writeObject(routed.object());
    out.writeVarInt(routed.epoch());
    out.writeVarLong(routed.view());
    out.writeVarInt(routed.hops().size());
    for (var hop : routed.hops()) {
      writeNode(hop);
    }
    out.writeVarInt(routed.previous() + 1);
    writeNode(routed.origin(), routed.address());
    out.writeVarInt(routed.definitions().size());
    for (var definition : routed.definitions()) {
      out.writeVarInt(definition.id());
      out.writeBytes(definition.encoded());
    }
    contents.write(routed.content());
  }

  void writeObject(ObjectIdentity object) {
    writeNode(object.birth(), object.address());
    out.writeVarLong(object.number());
  }

  void writeNode(NodeId node, String address) {
    writeNode(node);
    symbols.write(out, address);
  }

  private void writeNode(NodeId node) {
    out.writeLong(node.incarnation());
    symbols.write(out, node.name());
  }

  Message.Routed readRouted(ByteInput in, Contents contents) {
    var object = readObject(in);
    var epoch = in.readVarInt();
    var view = in.readVarLong();
    var hops = new ArrayList<NodeId>();
    for (var left = in.readLength(MOST_HOPS, Long.BYTES + 1); left > 0; left--) {
      hops.add(readNode(in));
    }
    var previous = in.readVarInt() - 1;
    var origin = readNode(in);
    var address = symbols.read(in);
    var definitions = new ArrayList<TypeDefinition>();
    for (var left = in.readLength(MessageCodec.MOST_IN_A_LIST, 1); left > 0; left--) {
      var definition = new TypeDefinition(in.readVarInt(), in.readBytes());
      symbols.count(definition.encoded().length);
      definitions.add(definition);
    }
    var content = contents.read(in);
    return new Message.Routed(
        object,
        epoch,
        view,
        List.copyOf(hops),
        previous,
        origin,
        address,
        List.copyOf(definitions),
        content);
  }

  Message.Relocated readRelocated(ByteInput in) {
    var object = readObject(in);
    var route = in.readVarInt() - 1;
    var host = readNode(in);
    return new Message.Relocated(object, route, host, symbols.read(in), in.readVarInt());
  }

  Message.Switched readSwitched(ByteInput in) {
    var object = readObject(in);
    var route = in.readVarInt() - 1;
    var mark = in.readVarLong();
    var host = readNode(in);
    return new Message.Switched(object, route, mark, host, symbols.read(in), in.readVarInt());
  }

  Message.Vacated readVacated(ByteInput in) {
    return new Message.Vacated(readObject(in));
  }

  Message.PassedOnServed readPassedOnServed(ByteInput in) {
    return new Message.PassedOnServed(readNode(in));
  }

  ObjectIdentity readObject(ByteInput in) {
    var birth = readNode(in);
    return new ObjectIdentity(birth, symbols.read(in), in.readVarLong());
  }

  NodeId readNode(ByteInput in) {
    var incarnation = in.readLong();
    return new NodeId(symbols.read(in), incarnation);
  }

  static SerializationException unroutable(int kind) {
    return new SerializationException("a routed frame of the unknown kind " + kind);
  }
}
