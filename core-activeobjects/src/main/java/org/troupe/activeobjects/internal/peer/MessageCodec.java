package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.internal.marshal.CompositeToken;
import org.troupe.activeobjects.internal.marshal.EncodedFailure;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.marshal.FutureToken;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.internal.object.MulticastStamp;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;

/**
 * Writes and reads the headers of the frames between this node and one other.
 *
 * <p>Names of methods and types travel once and are numbers afterwards; the definition stands in
 * the first ordered frame that uses it, so it is there before any later frame is read. Writing is
 * done under the lock of the outbox, reading under that of the inbox.
 */
public final class MessageCodec {

  private static final Message.Probe.Follows[] FOLLOWS = Message.Probe.Follows.values();
  private static final int MOST_IN_A_LIST = 1 << 20;
  private static final int HELLO = 0;
  private static final int PARCEL = 16;
  private static final int REFERENCE = 0;
  private static final int FUTURE = 1;
  private static final int EXPLICIT_REFERENCE = 2;
  private static final int COMPOSITE = 3;
  private static final int NODE = 4;
  private static final int NODES = 5;
  private static final int DEEPEST = 100; // of groups in groups
  private static final int DEFINITION_BYTES = 100; // for what keeps a name or type, beside its own

  /** Of what the current thread takes: frames come by the million, on few threads. */
  private static final ThreadLocal<ByteInput> HEADER =
      ThreadLocal.withInitial(() -> new ByteInput(new byte[0]));

  private final Peer peer;

  // sending
  private final Map<String, Integer> symbolIds = new HashMap<>();
  private final BitSet definedTypes = new BitSet();
  private final BitSet newTypes = new BitSet(); // of the frame being written
  private final ByteOutput out = new ByteOutput();

  // receiving
  private final List<String> symbols = new ArrayList<>();
  private final Map<String, Message.Call> lastCalls = new HashMap<>(); // by their methods
  private final TypeTable types;
  private long definedBytes;

  MessageCodec(Peer peer) {
    this.peer = peer;
    this.types = new TypeTable(peer.classAccess().from(peer.classes()));
  }

  /** What the other node means by its type ids. */
  TypeTable types() {
    return types;
  }

  /** Returns the input of a header, which is read before this thread serves anything. */
  public static ByteInput header(Frame frame) {
    return header(frame.header());
  }

  /** Returns the input of a header. */
  public static ByteInput header(byte[] header) {
    var in = HEADER.get();
    in.refill(header, 0, header.length);
    return in;
  }

  /** Encodes a failure for a peer, but leaves behind what is of another grid. */
  static EncodedFailure encodedFailure(Throwable failure, Peer peer) {
    var encoded = peer.node().copies().failures().encode(failure);
    try {
      requireOneGrid(encoded.side(), peer.access());
      return encoded;
    } catch (IllegalArgumentException e) {
      return new EncodedFailure(encoded.summary(), null);
    }
  }

  /** Reads the frame of somebody unknown, who must greet; else gives {@code null}. */
  public static Message greeting(Frame frame) {
    var in = new ByteInput(frame.header());
    in.readLong(); // the sender
    var number = in.readVarLong();
    in.readVarLong(); // what it acknowledges
    in.readVarLong(); // what it has served
    in.readVarLong(); // no call
    return number == 0 && in.readByte() == HELLO ? readHello(in) : null;
  }

  /**
   * Reads of a parcel, with nothing of what is in it, what it is for, but leaves what comes with
   * definitions, and all other messages, to those who take them: then gives {@code null}.
   */
  static Message.Parcel parcel(ByteInput in) {
    return in.readVarInt() == 0 && in.readByte() == PARCEL ? readParcel(in) : null;
  }

  private static Message.Parcel readParcel(ByteInput in) {
    return new Message.Parcel(
        in.readVarLong(),
        new BodyExtension.Key(in.readLong(), in.readVarLong()),
        in.readVarInt(),
        in.readLong(),
        List.of());
  }

  private static Message.Hello readHello(ByteInput in) {
    return new Message.Hello(in.readString(), in.readString(), in.readVarLong(), in.readBoolean());
  }

  /**
   * Writes a header: what stands first in every one, then definitions, then the message.
   *
   * @param number the frame's number, or 0 if it is not ordered
   * @param acknowledged the last ordered frame that this node has taken
   * @param served how many one-way calls of the receiver this node has served
   * @param callId the call that the message is about, or 0
   * @param typeIds what the frame's body uses
   * @param spare filled and returned, instead of a new array, if it is as long; or {@code null}
   */
  byte[] write(
      long number,
      long acknowledged,
      long served,
      long callId,
      Message message,
      int[] typeIds,
      byte[] spare) {
    var known = symbolIds.size();
    newTypes.clear();
    try {
      out.writeLong(peer.node().id().incarnation());
      out.writeVarLong(number);
      out.writeVarLong(acknowledged);
      out.writeVarLong(served);
      out.writeVarLong(callId);
      if (number != 0) {
        writeDefinitions(typeIds);
      }
      writeMessage(message);
      if (spare == null || spare.length != out.size()) {
        return out.toByteArray();
      }
      out.copyTo(spare);
      return spare;
    } catch (RuntimeException | Error e) { // the frame does not go, nor do its definitions
      symbolIds.values().removeIf(id -> id >= known);
      newTypes.stream().forEach(definedTypes::clear);
      throw e;
    } finally {
      out.clear();
    }
  }

  private void writeDefinitions(int[] typeIds) {
    for (var id : typeIds) {
      if (!definedTypes.get(id)) {
        definedTypes.set(id);
        newTypes.set(id);
      }
    }
    out.writeVarInt(newTypes.cardinality());
    for (var id = newTypes.nextSetBit(0); id >= 0; id = newTypes.nextSetBit(id + 1)) {
      out.writeVarInt(id);
      out.writeBytes(peer.node().copies().serializer().ownTypes().definition(id).encoded());
    }
  }

  private void readDefinitions(ByteInput in) {
    for (var left = in.readLength(MOST_IN_A_LIST, 1); left > 0; left--) {
      var definition = new TypeDefinition(in.readVarInt(), in.readBytes());
      defined(definition.encoded().length);
      types.define(definition);
    }
  }

  /** The number of a name; where it is the next new one, the name itself follows. */
  private void writeSymbol(String symbol) {
    var known = symbolIds.get(symbol);
    if (known != null) {
      out.writeVarInt(known);
      return;
    }
    out.writeVarInt(symbolIds.size());
    out.writeString(symbol);
    symbolIds.put(symbol, symbolIds.size());
  }

  /** Counts what is kept for as long as the other node is known. */
  private void defined(long bytes) {
    definedBytes += bytes + DEFINITION_BYTES;
    var most = peer.access().receiveLimits().definitionBytes();
    if (definedBytes > most) {
      throw new SerializationException(
          "it has defined names and types of more than %d bytes; give this JVM more memory (-Xmx) if the program has so many"
              .formatted(most));
    }
  }

  private String readSymbol(ByteInput in) {
    var id = in.readVarInt();
    if (id == symbols.size()) {
      var symbol = in.readString();
      defined((long) Character.BYTES * symbol.length());
      symbols.add(symbol);
    }
    if (id < 0 || id >= symbols.size()) {
      throw new SerializationException("a frame uses the name number " + id + ", never defined");
    }
    return symbols.get(id);
  }

  private void writeMessage(Message message) {
    switch (message) {
      case Message.Hello(String name, String address, long received, boolean missed) -> {
        out.writeByte(HELLO);
        out.writeString(name);
        out.writeString(address);
        out.writeVarLong(received);
        out.writeBoolean(missed);
      }
      case Message.Heartbeat(MemoryUsage(long heapUsed, long heapMost, long resident)) -> {
        out.writeByte(1);
        out.writeVarLong(heapUsed);
        out.writeVarLong(heapMost);
        out.writeVarLong(resident);
      }
      case Message.Call call -> {
        out.writeByte(2);
        out.writeVarLong(call.target());
        writeSymbol(call.method());
        out.writeBoolean(call.valueWanted());
        out.writeBoolean(call.counted());
        out.writeVarLong(call.caller());
        if (call.caller() != 0) {
          writeSymbol(call.callerType());
        }
        writeSide(call.side());
      }
      case Message.Multicast multicast -> {
        out.writeByte(14);
        writeMulticast(multicast);
      }
      case Message.Behind(NodeId origin, String address, long count, Message call) -> {
        out.writeByte(15);
        out.writeLong(origin.incarnation());
        writeSymbol(origin.name());
        writeSymbol(address);
        out.writeVarLong(count);
        writeMessage(call);
      }
      case Message.Parcel parcel -> {
        out.writeByte(PARCEL);
        out.writeVarLong(parcel.target());
        out.writeLong(parcel.key().origin());
        out.writeVarLong(parcel.key().number());
        out.writeVarInt(parcel.from());
        out.writeLong(parcel.tag());
        writeSide(parcel.side());
      }
      case Message.Terminate(long target, boolean now) -> {
        out.writeByte(3);
        out.writeVarLong(target);
        out.writeBoolean(now);
      }
      case Message.Answer(List<Object> side) -> {
        out.writeByte(4);
        writeSide(side);
      }
      case Message.Simple(Object value) -> {
        out.writeByte(13);
        writeSimple(value);
      }
      case Message.Failed(FailureSummary summary, List<Object> side) -> {
        out.writeByte(5);
        summary.write(out);
        writeSide(side);
      }
      case Message.OneWayFailed(
              long caller,
              String call,
              FailureSummary summary,
              List<Object> side) -> {
        out.writeByte(6);
        out.writeVarLong(caller);
        out.writeString(call);
        summary.write(out);
        writeSide(side);
      }
      case Message.Value(long future, List<Object> side) -> {
        out.writeByte(7);
        out.writeVarLong(future);
        writeSide(side);
      }
      case Message.ValueFailed(long future, FailureSummary summary, List<Object> side) -> {
        out.writeByte(8);
        out.writeVarLong(future);
        summary.write(out);
        writeSide(side);
      }
      case Message.Credit(long target, int count) -> {
        out.writeByte(9);
        out.writeVarLong(target);
        out.writeVarInt(count);
      }
      case Message.Backlog(boolean isFull) -> {
        out.writeByte(17);
        out.writeBoolean(isFull);
      }
      case Message.RoomWanted(long target) -> {
        out.writeByte(18);
        out.writeVarLong(target);
      }
      case Message.Room(long target) -> {
        out.writeByte(19);
        out.writeVarLong(target);
      }
      case Message.Abandon abandon -> out.writeByte(10);
      case Message.Unexchanged broken -> out.writeByte(12);
      case Message.Probe probe -> {
        out.writeByte(11);
        out.writeLong(probe.starter());
        out.writeVarLong(probe.startCall());
        out.writeByte((byte) probe.follows().ordinal());
        out.writeVarLong(probe.id());
        out.writeVarInt(probe.places());
        out.writeBoolean(probe.forMemory());
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
      case HELLO -> readHello(in);
      case 1 ->
          new Message.Heartbeat(
              new MemoryUsage(in.readVarLong(), in.readVarLong(), in.readVarLong()));
      case 2 -> readCall(in);
      case 3 -> new Message.Terminate(in.readVarLong(), in.readBoolean());
      case 4 -> new Message.Answer(readSide(in));
      case 5 -> new Message.Failed(FailureSummary.read(in), readSide(in));
      case 6 ->
          new Message.OneWayFailed(
              in.readVarLong(), in.readString(), FailureSummary.read(in), readSide(in));
      case 7 -> new Message.Value(in.readVarLong(), readSide(in));
      case 8 -> new Message.ValueFailed(in.readVarLong(), FailureSummary.read(in), readSide(in));
      case 9 -> new Message.Credit(in.readVarLong(), in.readVarInt());
      case 10 -> new Message.Abandon();
      case 17 -> new Message.Backlog(in.readBoolean());
      case 18 -> new Message.RoomWanted(in.readVarLong());
      case 19 -> new Message.Room(in.readVarLong());
      case 11 -> readProbe(in);
      case 12 -> new Message.Unexchanged();
      case 13 -> new Message.Simple(readSimple(in));
      case 14 -> readMulticast(in);
      case 15 -> readBehind(in);
      case PARCEL -> readParcel(in).with(readSide(in));
      default ->
          throw new SerializationException(
              "a frame of the unknown kind " + kind + "; do both nodes run the same version?");
    };
  }

  private void writeSimple(Object value) {
    switch (value) {
      case Integer i -> {
        out.writeByte(0);
        out.writeInt(i);
      }
      case Long l -> {
        out.writeByte(1);
        out.writeLong(l);
      }
      case Double d -> {
        out.writeByte(2);
        out.writeDouble(d);
      }
      case Boolean b -> {
        out.writeByte(3);
        out.writeBoolean(b);
      }
      case Float f -> {
        out.writeByte(4);
        out.writeFloat(f);
      }
      case Short s -> {
        out.writeByte(5);
        out.writeShort(s);
      }
      case Byte b -> {
        out.writeByte(6);
        out.writeByte(b);
      }
      case Character c -> {
        out.writeByte(7);
        out.writeChar(c);
      }
      default -> throw new AssertionError(value);
    }
  }

  private static Object readSimple(ByteInput in) {
    var kind = in.readByte();
    return switch (kind) {
      case 0 -> Integer.valueOf(in.readInt());
      case 1 -> Long.valueOf(in.readLong());
      case 2 -> Double.valueOf(in.readDouble());
      case 3 -> Boolean.valueOf(in.readBoolean());
      case 4 -> Float.valueOf(in.readFloat());
      case 5 -> Short.valueOf(in.readShort());
      case 6 -> Byte.valueOf(in.readByte());
      case 7 -> Character.valueOf(in.readChar());
      default -> throw new SerializationException("a value of the unknown kind " + kind);
    };
  }

  private Message.Call readCall(ByteInput in) {
    var target = in.readVarLong();
    var method = readSymbol(in);
    var valueWanted = in.readBoolean();
    var counted = in.readBoolean();
    var caller = in.readVarLong();
    var callerType = caller == 0 ? "" : readSymbol(in);
    var side = readSide(in);
    var isPlain = side.isEmpty();
    var last = isPlain ? lastCalls.get(method) : null;
    if (last != null && last.is(target, method, valueWanted, counted, caller)) {
      return last;
    }
    var call = new Message.Call(target, method, valueWanted, counted, caller, callerType, side);
    if (isPlain) {
      lastCalls.put(method, call);
    }
    return call;
  }

  private void writeMulticast(Message.Multicast multicast) {
    out.writeVarInt(multicast.targets().length);
    for (var target : multicast.targets()) {
      out.writeVarLong(target);
    }
    writeSymbol(multicast.method());
    out.writeBoolean(multicast.valueWanted());
    out.writeBoolean(multicast.counted());
    out.writeVarLong(multicast.caller());
    if (multicast.caller() != 0) {
      writeSymbol(multicast.callerType());
    }
    var stamp = multicast.stamp();
    out.writeVarInt(stamp.nodes().length);
    for (var i = 0; i < stamp.nodes().length; i++) {
      out.writeLong(stamp.nodes()[i]);
      out.writeVarLong(stamp.counts()[i]);
    }
    writeSide(multicast.side());
  }

  private Message.Multicast readMulticast(ByteInput in) {
    var targets = new long[in.readLength(MOST_IN_A_LIST, 1)];
    for (var i = 0; i < targets.length; i++) {
      targets[i] = in.readVarLong();
    }
    var method = readSymbol(in);
    var valueWanted = in.readBoolean();
    var counted = in.readBoolean();
    var caller = in.readVarLong();
    var callerType = caller == 0 ? "" : readSymbol(in);
    var nodes = new long[in.readLength(MOST_IN_A_LIST, Long.BYTES + 1)];
    var counts = new long[nodes.length];
    for (var i = 0; i < nodes.length; i++) {
      nodes[i] = in.readLong();
      counts[i] = in.readVarLong();
    }
    var stamp = new MulticastStamp(peer.id(), peer.address(), nodes, counts);
    return new Message.Multicast(
        targets, method, valueWanted, counted, stamp, caller, callerType, readSide(in));
  }

  private Message.Behind readBehind(ByteInput in) {
    var incarnation = in.readLong();
    var origin = new NodeId(readSymbol(in), incarnation);
    var address = readSymbol(in);
    var count = in.readVarLong();
    var kind = in.readByte();
    return new Message.Behind(
        origin,
        address,
        count,
        switch (kind) {
          case 2 -> readCall(in);
          case 14 -> readMulticast(in);
          default ->
              throw new SerializationException("a frame of kind " + kind + " behind another");
        });
  }

  private static Message.Probe readProbe(ByteInput in) {
    var starter = in.readLong();
    var startCall = in.readVarLong();
    var follows = in.readByte();
    if (follows < 0 || follows >= FOLLOWS.length) {
      throw new SerializationException("a search that follows what is unknown: " + follows);
    }
    var id = in.readVarLong();
    var places = in.readVarInt();
    var forMemory = in.readBoolean();
    var path = new ArrayList<String>();
    for (var left = in.readLength(MOST_IN_A_LIST, 1); left > 0; left--) {
      path.add(in.readString());
    }
    return new Message.Probe(starter, startCall, FOLLOWS[follows], id, places, forMemory, path);
  }

  private void writeSide(List<Object> side) {
    out.writeVarInt(side.size());
    for (var token : side) {
      switch (token) {
        case Reference<?> reference -> {
          out.writeByte(REFERENCE);
          writeReference(reference);
        }
        case ReferenceMarshaller.ExplicitReference(Reference<?> reference) -> {
          out.writeByte(EXPLICIT_REFERENCE);
          writeReference(reference);
        }
        case FutureToken(var result, String type) -> {
          out.writeByte(FUTURE);
          out.writeVarLong(peer.futures().owe(result));
          writeSymbol(type == null ? "" : type);
          out.writeString(result.describe());
        }
        case CompositeToken composite -> {
          out.writeByte(COMPOSITE);
          writeSymbol(composite.type());
          writeSide(composite.parts());
        }
        case NodeToken node -> {
          requireOneGrid(node, peer.access());
          out.writeByte(NODE);
          // This node may be known by another grid of its JVM's.
          writeNode(node.isLocal() ? peer.access().describeSelf() : node.member());
        }
        case NodesToken nodes -> {
          requireOneGrid(nodes, peer.access());
          out.writeByte(NODES);
          writeSymbol(nodes.virtualNode());
        }
        default -> throw new AssertionError(token);
      }
    }
  }

  /**
   * Refuses what is of another grid than the node that it would be sent to.
   *
   * @param side what stands beside encoded values
   * @throws IllegalArgumentException which names what is refused
   */
  public static void requireOneGrid(List<Object> side, Membership grid) {
    for (var i = 0; i < side.size(); i++) { // most often there is none
      requireOneGrid(side.get(i), grid);
    }
  }

  private static void requireOneGrid(Object token, Membership grid) {
    switch (token) {
      case Reference<?> reference when isOfOther(reference, grid) -> throw ofOtherGrid(reference);
      case ReferenceMarshaller.ExplicitReference(Reference<?> reference)
          when isOfOther(reference, grid) ->
          throw ofOtherGrid(reference);
      case NodeToken node when node.access() != grid && !node.isLocal() -> throw ofOtherGrid(node);
      case NodesToken nodes when nodes.access() != grid -> throw ofOtherGrid(nodes);
      case CompositeToken group -> requireOneGrid(group.parts(), grid);
      default -> {
        // It stands for something of this node.
      }
    }
  }

  private static boolean isOfOther(Reference<?> reference, Membership grid) {
    return reference.target() instanceof Reference.Target.Elsewhere(var home, _, _, _)
        && Peer.of(home).access() != grid;
  }

  private static IllegalArgumentException ofOtherGrid(Object what) {
    return new IllegalArgumentException(
        what
            + " cannot be sent to a node of another grid, as nodes of different grids do not reach"
            + " each other; send something of one grid, or an object of this JVM that calls it");
  }

  private void writeNode(NodeDescription member) {
    out.writeLong(member.id().incarnation());
    writeSymbol(member.id().name());
    writeSymbol(member.address());
    writeSymbol(member.host());
    out.writeVarInt(member.virtualNodes().size());
    member.virtualNodes().forEach(this::writeSymbol);
    out.writeVarInt(member.attributes().size());
    member
        .attributes()
        .forEach(
            (name, value) -> {
              writeSymbol(name);
              writeSymbol(value);
            });
  }

  private NodeDescription readNode(ByteInput in) {
    var incarnation = in.readLong();
    var id = new NodeId(readSymbol(in), incarnation);
    var address = readSymbol(in);
    var host = readSymbol(in);
    var virtualNodes = new ArrayList<String>();
    for (var left = in.readLength(MOST_IN_A_LIST, 1); left > 0; left--) {
      virtualNodes.add(readSymbol(in));
    }
    var attributes = new HashMap<String, String>();
    for (var left = in.readLength(MOST_IN_A_LIST, 2); left > 0; left--) {
      attributes.put(readSymbol(in), readSymbol(in));
    }
    return new NodeDescription(
        id, address, List.copyOf(virtualNodes), host, Map.copyOf(attributes));
  }

  private void writeReference(Reference<?> reference) {
    requireOneGrid(reference, peer.access());
    writeSymbol(reference.type().getName());
    switch (reference.target()) {
      case Reference.Target.Here(Body body) -> {
        out.writeLong(body.node().id().incarnation());
        writeSymbol(body.node().id().name());
        writeSymbol(peer.access().address());
        out.writeVarLong(body.number());
        out.writeVarInt(body.queueBound());
        writeSymbol(body.type().scheduling().immediates());
      }
      case Reference.Target.Elsewhere(var home, long number, int bound, String immediates) -> {
        out.writeLong(home.id().incarnation());
        writeSymbol(home.id().name());
        writeSymbol(Peer.of(home).address());
        out.writeVarLong(number);
        out.writeVarInt(bound);
        writeSymbol(immediates);
      }
    }
  }

  private List<Object> readSide(ByteInput in) {
    return readSide(in, 0);
  }

  private List<Object> readSide(ByteInput in, int depth) {
    var count = in.readLength(MOST_IN_A_LIST, 1);
    if (count == 0) {
      return List.of();
    }
    var side = new ArrayList<>(count);
    for (var i = 0; i < count; i++) {
      var kind = in.readByte();
      switch (kind) {
        case REFERENCE -> side.add(readReference(in));
        case EXPLICIT_REFERENCE -> side.add(new ExplicitName(readReference(in)));
        case FUTURE -> {
          var future = in.readVarLong();
          var type = readSymbol(in);
          var holder = peer.futures().holder(future, in.readString());
          side.add(new FutureToken(holder, type.isEmpty() ? null : type));
        }
        case COMPOSITE -> {
          if (depth == DEEPEST) {
            throw new SerializationException("groups of groups, deeper than " + DEEPEST);
          }
          side.add(new CompositeToken(readSymbol(in), readSide(in, depth + 1), peer.classes()));
        }
        case NODE -> side.add(peer.access().node(readNode(in)));
        case NODES -> side.add(peer.access().liveNodes(readSymbol(in)));
        default -> throw new SerializationException("a token of the unknown kind " + kind);
      }
    }
    return side;
  }

  private RemoteName readReference(ByteInput in) {
    var type = readSymbol(in);
    var incarnation = in.readLong();
    var home = new NodeId(readSymbol(in), incarnation);
    return new RemoteName(
        type,
        home,
        readSymbol(in),
        in.readVarLong(),
        in.readVarInt(),
        readSymbol(in),
        peer.access());
  }

  /**
   * A reference as it arrived: its class is looked for when it is used, not on the thread that
   * reads.
   */
  public record RemoteName(
      String type,
      NodeId home,
      String address,
      long number,
      int bound,
      String immediates,
      Membership access) {}

  /** One that is to be a {@link org.troupe.activeobjects.Ref} rather than a stub. */
  public record ExplicitName(RemoteName name) {}
}
