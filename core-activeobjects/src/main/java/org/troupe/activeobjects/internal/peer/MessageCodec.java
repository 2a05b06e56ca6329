package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.internal.body.MulticastStamp;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;

/**
 * Writes and reads the headers of the frames between this node and one other.
 *
 * <p>Names of methods and types are sent once and are numbers afterwards. The first ordered frame
 * that uses a name defines it, so the definition is read before any later frame. Writing is done
 * under the lock of the outbox, reading under that of the inbox.
 */
public final class MessageCodec {

  private static final Message.Probe.Follows[] FOLLOWS = Message.Probe.Follows.values();
  static final int MOST_IN_A_LIST = 1 << 20;

  // flags of a call
  private static final int VALUE_WANTED = 1;
  private static final int COUNTED = 2;
  private static final int TRACED = 4; // the context follows
  private static final int NOT_TRACED = 8; // as the caller's observer has decided

  /**
   * The header input of the current thread, reused because frames arrive by the million on few
   * threads.
   */
  private static final ThreadLocal<ByteInput> HEADER =
      ThreadLocal.withInitial(() -> new ByteInput(new byte[0]));

  private static final int[] NO_TYPES = {};

  private final NodeObjects node;
  private final GridNode peer;

  private final SymbolCodec symbols;
  private final TokenCodec tokens;
  private final ListingCodec listing;
  private final NumberedCodec numbered;

  private final RelocationCodec relocations;
  private final RelocationCodec.Contents routed =
      new RelocationCodec.Contents() {
        @Override
        public void write(Message content) {
          writeMessage(content);
        }

        @Override
        public Message read(ByteInput in) {
          return readRoutedContent(in);
        }
      };

  // sending
  private final BitSet definedTypes = new BitSet();
  private final BitSet newTypes = new BitSet(); // of the frame being written
  private final ByteOutput out = new ByteOutput();

  // receiving
  private final Map<String, Message.Call> lastCalls = new HashMap<>(); // by their methods
  private final TypeTable types;

  /**
   * Creates the codec for the frames between this node and another.
   *
   * @param futures the futures that are forwarded between the two
   * @param peers finds the nodes whose objects the other node refers to
   */
  MessageCodec(
      NodeObjects node,
      GridNode peer,
      ClassAccess classes,
      ForwardedFutures futures,
      Relocations places,
      ReferenceMarshaller.PeerFinder peers) {
    this.node = node;
    this.peer = peer;
    this.types = new TypeTable(classes.from(peer.classes()));
    this.symbols = new SymbolCodec(peer.access());
    this.relocations = new RelocationCodec(symbols, out);
    this.numbered = new NumberedCodec(node.id(), peer.id(), symbols, relocations, out);
    this.tokens = new TokenCodec(node, peer, futures, symbols, places, peers, out);
    this.listing = new ListingCodec(out);
  }

  /** Returns the payload of a frame, with the side table from its header. */
  Payload payload(Frame frame, List<Object> side, @Nullable CallCodec codec) {
    var values = new EncodedGraph(frame.body(), NO_TYPES, side, frame.arrays());
    return new Payload(values, types, codec);
  }

  /** Returns the types that the other node's type ids stand for. */
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

  /** Reads the greeting of an unknown node; returns {@code null} for any other frame. */
  public static @Nullable Message greeting(Frame frame) {
    var in = new ByteInput(frame.header());
    in.readLong(); // the sender
    var number = in.readVarLong();
    in.readVarLong(); // the acknowledgement
    in.readVarLong(); // the calls served
    in.readVarLong(); // no call
    return number == 0 && in.readByte() == Opcodes.HELLO ? readHello(in) : null;
  }

  /**
   * Reads the envelope of a packet without its contents; returns {@code null} for a packet with
   * definitions and for all other messages.
   */
  static Message.@Nullable Packet packet(ByteInput in) {
    return in.readVarInt() == 0 && in.readByte() == Opcodes.PACKET ? readPacket(in) : null;
  }

  private static Message.Packet readPacket(ByteInput in) {
    return new Message.Packet(
        in.readVarLong(),
        new BodyExtension.Key(in.readLong(), in.readVarLong()),
        in.readVarInt(),
        in.readLong(),
        List.of());
  }

  private static List<Long> readVitals(ByteInput in) {
    var count = in.readVarInt();
    if (count < 0 || count > Message.Heartbeat.MOST_VITALS) {
      throw new SerializationException("a heartbeat with " + count + " numbers");
    }
    List<Long> vitals = new ArrayList<>(count);
    for (var i = 0; i < count; i++) {
      vitals.add(in.readVarLong());
    }
    return vitals;
  }

  private static Message.Hello readHello(ByteInput in) {
    return new Message.Hello(
        in.readString(), in.readString(), in.readLong(), in.readVarLong(), in.readBoolean());
  }

  /**
   * Writes a header: the envelope, then definitions, then the message.
   *
   * @param number the frame's number, or 0 if it is not ordered
   * @param acknowledged the last ordered frame that this node has taken
   * @param served how many one-way calls of the receiver this node has served
   * @param callId the call that the message is about, or 0
   * @param typeIds the types that the frame's body uses
   * @param spare an array to be filled and returned, if its length fits, instead of a new one; or
   *     {@code null}
   */
  byte[] write(
      long number,
      long acknowledged,
      long served,
      long callId,
      Message message,
      int[] typeIds,
      byte @Nullable [] spare) {
    var known = symbols.written();
    newTypes.clear();
    try {
      out.writeLong(node.id().incarnation());
      out.writeVarLong(number);
      out.writeVarLong(acknowledged);
      out.writeVarLong(served);
      out.writeVarLong(callId);
      if (number != 0) {
        writeDefinitions(typeIds);
      }
      writeMessage(message);
      tokens.countGiven();
      if (spare == null || spare.length != out.size()) {
        return out.toByteArray();
      }
      out.copyTo(spare);
      return spare;
    } catch (RuntimeException | Error e) { // the frame is not sent, and neither are its definitions
      symbols.forget(known);
      newTypes.stream().forEach(definedTypes::clear);
      tokens.forgetGiven();
      throw e;
    } finally {
      out.clear();
    }
  }

  /** Returns how many calls of each method were written, by symbol, while requests were counted. */
  Map<String, Long> calls() {
    return symbols.calls();
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
      out.writeBytes(node.marshaller().serializer().ownTypes().definition(id).encoded());
    }
  }

  private void readDefinitions(ByteInput in) {
    for (var left = in.readLength(MOST_IN_A_LIST, 1); left > 0; left--) {
      var definition = new TypeDefinition(in.readVarInt(), in.readBytes());
      symbols.count(definition.encoded().length);
      types.define(definition);
    }
  }

  private void writeMessage(Message message) {
    switch (message) {
      case Message.Hello(
              String name,
              String address,
              long receiver,
              long received,
              boolean missed) -> {
        out.writeByte(Opcodes.HELLO);
        out.writeString(name);
        out.writeString(address);
        out.writeLong(receiver);
        out.writeVarLong(received);
        out.writeBoolean(missed);
      }
      case Message.Heartbeat(
              MemoryUsage(long heapUsed, long heapMost, long resident),
              var vitals) -> {
        out.writeByte(Opcodes.HEARTBEAT);
        out.writeVarLong(heapUsed);
        out.writeVarLong(heapMost);
        out.writeVarLong(resident);
        out.writeVarInt(vitals.size());
        vitals.forEach(out::writeVarLong);
      }
      case Message.Call call -> {
        out.writeByte(Opcodes.CALL);
        out.writeVarLong(call.target());
        symbols.writeCalled(out, call.method(), 1);
        writeFlags(call);
        out.writeVarLong(call.caller());
        if (call.caller() != 0) {
          symbols.write(out, call.callerType());
        }
        tokens.writeSide(call.side());
      }
      case Message.Numbered(var name, var call) -> {
        out.writeByte(Opcodes.NUMBERED);
        numbered.write(name);
        writeMessage(call);
      }
      case Message.Acknowledgement acknowledgement -> numbered.write(acknowledgement);
      case Message.Multicast multicast -> {
        out.writeByte(Opcodes.MULTICAST);
        writeMulticast(multicast);
      }
      case Message.Behind(NodeId origin, String address, long count, Message call) -> {
        out.writeByte(Opcodes.BEHIND);
        out.writeLong(origin.incarnation());
        symbols.write(out, origin.name());
        symbols.write(out, address);
        out.writeVarLong(count);
        writeMessage(call);
      }
      case Message.Packet packet -> {
        out.writeByte(Opcodes.PACKET);
        out.writeVarLong(packet.target());
        out.writeLong(packet.key().origin());
        out.writeVarLong(packet.key().number());
        out.writeVarInt(packet.from());
        out.writeLong(packet.tag());
        tokens.writeSide(packet.side());
      }
      case Message.Terminate(long target, boolean now) -> {
        out.writeByte(Opcodes.TERMINATE);
        out.writeVarLong(target);
        out.writeBoolean(now);
      }
      case Message.Answer(List<Object> side) -> {
        out.writeByte(Opcodes.ANSWER);
        tokens.writeSide(side);
      }
      case Message.Simple(Object value) -> {
        out.writeByte(Opcodes.SIMPLE);
        writeSimple(value);
      }
      case Message.Failed(FailureSummary summary, List<Object> side) -> {
        out.writeByte(Opcodes.FAILED);
        summary.write(out);
        tokens.writeSide(side);
      }
      case Message.OneWayFailed(
              long caller,
              String call,
              FailureSummary summary,
              List<Object> side) -> {
        out.writeByte(Opcodes.ONE_WAY_FAILED);
        out.writeVarLong(caller);
        out.writeString(call);
        summary.write(out);
        tokens.writeSide(side);
      }
      case Message.Value(long future, List<Object> side) -> {
        out.writeByte(Opcodes.VALUE);
        out.writeVarLong(future);
        tokens.writeSide(side);
      }
      case Message.ValueFailed(long future, FailureSummary summary, List<Object> side) -> {
        out.writeByte(Opcodes.VALUE_FAILED);
        out.writeVarLong(future);
        summary.write(out);
        tokens.writeSide(side);
      }
      case Message.Credit(long target, int count) -> {
        out.writeByte(Opcodes.CREDIT);
        out.writeVarLong(target);
        out.writeVarInt(count);
      }
      case Message.Backlog(boolean isFull) -> {
        out.writeByte(Opcodes.BACKLOG);
        out.writeBoolean(isFull);
      }
      case Message.CapacityRequest(long target) -> {
        out.writeByte(Opcodes.CAPACITY_REQUEST);
        out.writeVarLong(target);
      }
      case Message.CapacityGrant(long target) -> {
        out.writeByte(Opcodes.CAPACITY_GRANT);
        out.writeVarLong(target);
      }
      case Message.Relocation relocation -> relocations.write(relocation, routed);
      case Message.Mark(int route, long number) -> {
        out.writeByte(Opcodes.MARK);
        out.writeVarInt(route + 1);
        out.writeVarLong(number);
      }
      case Message.TailEnd end -> out.writeByte(Opcodes.TAIL_END);
      case Message.Listing copies -> listing.write(copies);
      case Message.Abandon abandon -> out.writeByte(Opcodes.ABANDON);
      case Message.Unexchanged broken -> out.writeByte(Opcodes.UNEXCHANGED);
      case Message.Probe probe -> {
        out.writeByte(Opcodes.PROBE);
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

  /** Reads the definitions and the message, which follow the envelope. */
  Message read(ByteInput in, boolean ordered) {
    if (ordered) {
      readDefinitions(in);
    }
    var kind = in.readByte();
    return switch (kind) {
      case Opcodes.HELLO -> readHello(in);
      case Opcodes.HEARTBEAT ->
          new Message.Heartbeat(
              new MemoryUsage(in.readVarLong(), in.readVarLong(), in.readVarLong()),
              readVitals(in));
      case Opcodes.CALL -> readCall(in);
      case Opcodes.TERMINATE -> new Message.Terminate(in.readVarLong(), in.readBoolean());
      case Opcodes.ANSWER -> new Message.Answer(tokens.readSide(in));
      case Opcodes.FAILED -> new Message.Failed(FailureSummary.read(in), tokens.readSide(in));
      case Opcodes.ONE_WAY_FAILED ->
          new Message.OneWayFailed(
              in.readVarLong(), in.readString(), FailureSummary.read(in), tokens.readSide(in));
      case Opcodes.VALUE -> new Message.Value(in.readVarLong(), tokens.readSide(in));
      case Opcodes.VALUE_FAILED ->
          new Message.ValueFailed(in.readVarLong(), FailureSummary.read(in), tokens.readSide(in));
      case Opcodes.CREDIT -> new Message.Credit(in.readVarLong(), in.readVarInt());
      case Opcodes.ABANDON -> new Message.Abandon();
      case Opcodes.BACKLOG -> new Message.Backlog(in.readBoolean());
      case Opcodes.CAPACITY_REQUEST -> new Message.CapacityRequest(in.readVarLong());
      case Opcodes.CAPACITY_GRANT -> new Message.CapacityGrant(in.readVarLong());
      case Opcodes.PROBE -> readProbe(in);
      case Opcodes.UNEXCHANGED -> new Message.Unexchanged();
      case Opcodes.SIMPLE -> new Message.Simple(readSimple(in));
      case Opcodes.MULTICAST -> readMulticast(in);
      case Opcodes.BEHIND -> readBehind(in);
      case Opcodes.PACKET -> readPacket(in).with(tokens.readSide(in));
      case Opcodes.ROUTED -> relocations.readRouted(in, routed);
      case Opcodes.RELOCATED -> relocations.readRelocated(in);
      case Opcodes.SWITCHED -> relocations.readSwitched(in);
      case Opcodes.TAIL_END -> new Message.TailEnd();
      case Opcodes.VACATED -> relocations.readVacated(in);
      case Opcodes.PASSED_ON_SERVED -> relocations.readPassedOnServed(in);
      case Opcodes.MARK -> readMark(in);
      case Opcodes.NUMBERED -> readNumbered(in, true);
      case Opcodes.TAKEN -> numbered.readTaken(in);
      case Opcodes.SETTLED -> numbered.readSettled(in);
      case Opcodes.COPIES_CHANGED -> ListingCodec.readChanged(in);
      case Opcodes.COPIES_STATED -> ListingCodec.readStated(in);
      case Opcodes.CALLER_KEPT -> ListingCodec.readKept(in);
      default ->
          throw new SerializationException(
              "a frame of the unknown kind " + kind + "; do both nodes run the same version?");
    };
  }

  private Message readRoutedContent(ByteInput in) {
    var kind = in.readByte();
    return switch (kind) {
      case Opcodes.CALL -> readCall(in, false);
      case Opcodes.NUMBERED -> readNumbered(in, false);
      case Opcodes.TERMINATE -> new Message.Terminate(in.readVarLong(), in.readBoolean());
      case Opcodes.MARK -> readMark(in);
      case Opcodes.TAIL_END -> new Message.TailEnd();
      default -> throw RelocationCodec.unroutable(kind);
    };
  }

  private Message.Numbered readNumbered(ByteInput in, boolean isOfPeer) {
    var name = numbered.readName(in);
    var kind = in.readByte();
    if (kind != Opcodes.CALL) {
      throw new SerializationException("a frame of kind " + kind + " with the name of a call");
    }
    return new Message.Numbered(name, readCall(in, isOfPeer));
  }

  private static Message.Mark readMark(ByteInput in) {
    return new Message.Mark(in.readVarInt() - 1, in.readVarLong());
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
    return readCall(in, true);
  }

  /**
   * Reads a call.
   *
   * @param isOfPeer whether the other node has made it, so that it may equal an earlier one
   */
  private Message.Call readCall(ByteInput in, boolean isOfPeer) {
    var target = in.readVarLong();
    var method = symbols.read(in);
    var flags = in.readByte();
    var context = readContext(in, flags);
    var valueWanted = (flags & VALUE_WANTED) != 0;
    var counted = (flags & COUNTED) != 0;
    var caller = in.readVarLong();
    var callerType = caller == 0 ? "" : symbols.read(in);
    var side = tokens.readSide(in);
    var isPlain = side.isEmpty() && isOfPeer && (context == null || context.length == 0);
    var last = isPlain ? lastCalls.get(method) : null;
    if (last != null && last.is(target, method, valueWanted, counted, caller, context)) {
      return last;
    }
    var call =
        new Message.Call(target, method, valueWanted, counted, caller, callerType, side, context);
    if (isPlain) {
      lastCalls.put(method, call);
    }
    return call;
  }

  private void writeFlags(Message.Request call) {
    var context = call.context();
    out.writeByte(
        (byte)
            ((call.valueWanted() ? VALUE_WANTED : 0)
                | (call.counted() ? COUNTED : 0)
                | (context == null ? 0 : context.length == 0 ? NOT_TRACED : TRACED)));
    if (context != null && context.length > 0) {
      out.writeBytes(context);
    }
  }

  /** Reads the context of a call, which a node without an observer skips like any other. */
  private static byte @Nullable [] readContext(ByteInput in, int flags) {
    if ((flags & NOT_TRACED) != 0) {
      return ObserverBinding.NOT_TRACED;
    }
    return (flags & TRACED) == 0 ? null : readContext(in);
  }

  /** Reads a context of at least one byte, which is bounded. */
  static byte[] readContext(ByteInput in) {
    var context = new byte[in.readLength(Observer.LONGEST_CONTEXT, 1)];
    in.read(context, 0, context.length);
    return context.length == 0 ? ObserverBinding.NOT_TRACED : context;
  }

  private void writeMulticast(Message.Multicast multicast) {
    out.writeVarInt(multicast.targets().length);
    for (var target : multicast.targets()) {
      out.writeVarLong(target);
    }
    symbols.writeCalled(out, multicast.method(), multicast.targets().length);
    writeFlags(multicast);
    if (multicast.context() != null) {
      out.writeVarInt(multicast.detailed());
    }
    out.writeVarLong(multicast.caller());
    if (multicast.caller() != 0) {
      symbols.write(out, multicast.callerType());
    }
    var stamp = multicast.stamp();
    out.writeVarInt(stamp.nodes().length);
    for (var i = 0; i < stamp.nodes().length; i++) {
      out.writeLong(stamp.nodes()[i]);
      out.writeVarLong(stamp.counts()[i]);
    }
    tokens.writeSide(multicast.side());
  }

  private Message.Multicast readMulticast(ByteInput in) {
    var targets = new long[in.readLength(MOST_IN_A_LIST, 1)];
    for (var i = 0; i < targets.length; i++) {
      targets[i] = in.readVarLong();
    }
    var method = symbols.read(in);
    var flags = in.readByte();
    var context = readContext(in, flags);
    var detailed = context == null ? 0 : in.readVarInt();
    var caller = in.readVarLong();
    var callerType = caller == 0 ? "" : symbols.read(in);
    var nodes = new long[in.readLength(MOST_IN_A_LIST, Long.BYTES + 1)];
    var counts = new long[nodes.length];
    for (var i = 0; i < nodes.length; i++) {
      nodes[i] = in.readLong();
      counts[i] = in.readVarLong();
    }
    var stamp = new MulticastStamp(peer.id(), peer.address(), nodes, counts);
    return new Message.Multicast(
        targets,
        method,
        (flags & VALUE_WANTED) != 0,
        (flags & COUNTED) != 0,
        stamp,
        caller,
        callerType,
        tokens.readSide(in),
        context,
        detailed);
  }

  private Message.Behind readBehind(ByteInput in) {
    var incarnation = in.readLong();
    var origin = new NodeId(symbols.read(in), incarnation);
    var address = symbols.read(in);
    var count = in.readVarLong();
    var kind = in.readByte();
    return new Message.Behind(
        origin,
        address,
        count,
        switch (kind) {
          case Opcodes.CALL -> readCall(in);
          case Opcodes.NUMBERED -> readNumbered(in, true);
          case Opcodes.MULTICAST -> readMulticast(in);
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
}
