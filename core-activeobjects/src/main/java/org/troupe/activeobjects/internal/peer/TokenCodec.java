package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.marshal.CompositeToken;
import org.troupe.activeobjects.internal.marshal.FutureToken;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ObservedCall;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteObject;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.futures.FutureResult;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;

/**
 * Writes and reads the tokens that stand beside encoded values: references, futures, groups and
 * nodes. Their names share the symbols of the messages.
 */
final class TokenCodec {

  private static final int REFERENCE = 0;
  private static final int FUTURE = 1;
  private static final int EXPLICIT_REFERENCE = 2;
  private static final int COMPOSITE = 3;
  private static final int NODE = 4;
  private static final int NODES = 5;
  private static final int DEEPEST = 100; // nesting of groups

  private final NodeObjects node;
  private final GridNode peer;
  private final ForwardedFutures futures;
  private final SymbolCodec symbols;
  private final Relocations relocations;
  private final ReferenceMarshaller.PeerFinder peers;
  private final ByteOutput out;

  /** The holder of the objects of the references in the frame that is being written. */
  private final List<Object> given = new ArrayList<>(0);

  TokenCodec(
      NodeObjects node,
      GridNode peer,
      ForwardedFutures futures,
      SymbolCodec symbols,
      Relocations relocations,
      ReferenceMarshaller.PeerFinder peers,
      ByteOutput out) {
    this.node = node;
    this.peer = peer;
    this.futures = futures;
    this.symbols = symbols;
    this.relocations = relocations;
    this.peers = peers;
    this.out = out;
  }

  void writeSide(List<Object> side) {
    out.writeVarInt(side.size());
    for (var token : side) {
      switch (token) {
        case Reference<?> reference -> {
          out.writeByte(REFERENCE);
          writeReference(reference);
        }
        case ExplicitReference(Reference<?> reference) -> {
          out.writeByte(EXPLICIT_REFERENCE);
          writeReference(reference);
        }
        case RemoteName name -> { // which another node has sent
          out.writeByte(REFERENCE);
          writeName(name);
        }
        case ExplicitName(RemoteName name) -> {
          out.writeByte(EXPLICIT_REFERENCE);
          writeName(name);
        }
        case FutureToken(var result, String type) -> {
          out.writeByte(FUTURE);
          out.writeVarLong(futures.register(result));
          symbols.write(out, type == null ? "" : type);
          out.writeString(result.describe());
          out.writeBytes(context(result));
        }
        case CompositeToken composite -> {
          out.writeByte(COMPOSITE);
          symbols.write(out, composite.type());
          writeSide(composite.parts());
        }
        case NodeToken member -> {
          GridBoundary.requireOneGrid(member, peer.access());
          out.writeByte(NODE);
          // Another grid of this JVM may know the node.
          writeNode(member.isLocal() ? peer.access().describeSelf() : member.member());
        }
        case NodesToken nodes -> {
          GridBoundary.requireOneGrid(nodes, peer.access());
          out.writeByte(NODES);
          symbols.write(out, nodes.virtualNode());
        }
        default -> throw new AssertionError(token);
      }
    }
  }

  /** Returns the context of the call that a future is the result of; empty if not known. */
  private static byte[] context(FutureResult<?> result) {
    var context = ObserverBinding.isBound() ? ObservedCall.contextOf(result) : null;
    return context == null ? ObserverBinding.NOT_TRACED : context;
  }

  private void writeNode(NodeDescription member) {
    out.writeLong(member.id().incarnation());
    symbols.write(out, member.id().name());
    symbols.write(out, member.address());
    symbols.write(out, member.host());
    out.writeVarInt(member.virtualNodes().size());
    member.virtualNodes().forEach(name -> symbols.write(out, name));
    out.writeVarInt(member.attributes().size());
    member
        .attributes()
        .forEach(
            (name, value) -> {
              symbols.write(out, name);
              symbols.write(out, value);
            });
  }

  private NodeDescription readNode(ByteInput in) {
    var incarnation = in.readLong();
    var id = new NodeId(symbols.read(in), incarnation);
    var address = symbols.read(in);
    var host = symbols.read(in);
    var virtualNodes = new ArrayList<String>();
    for (var left = in.readLength(MessageCodec.MOST_IN_A_LIST, 1); left > 0; left--) {
      virtualNodes.add(symbols.read(in));
    }
    var attributes = new HashMap<String, String>();
    for (var left = in.readLength(MessageCodec.MOST_IN_A_LIST, 2); left > 0; left--) {
      attributes.put(symbols.read(in), symbols.read(in));
    }
    return new NodeDescription(
        id, address, List.copyOf(virtualNodes), host, Map.copyOf(attributes));
  }

  private void writeReference(Reference<?> reference) {
    GridBoundary.requireOneGrid(reference, peer.access());
    var type = reference.type().getName();
    switch (reference.target()) {
      case Reference.Target.Here(Body body) -> {
        var origin = body.origin();
        var scheduling = body.type().scheduling();
        var number = body.number(); // which exports the body
        write(
            type,
            origin == null ? body.node().id() : origin.birth(),
            origin == null ? peer.access().address() : origin.address(),
            origin == null ? number : origin.number(),
            body.statedBound(),
            scheduling.immediates());
        writePlace(reference.target().birth(), reference.target().number(), keepsCalls(body));
        given.add(body);
      }
      case Reference.Target.Elsewhere(
              var home,
              long number,
              int bound,
              String immediates,
              var object) -> {
        write(type, home.id(), GridNode.of(home).address(), number, bound, immediates);
        writePlace(home.id(), number, relocations.isKeepingCalls(home.id(), number));
        if (object != null) {
          given.add(object);
        }
      }
    }
  }

  private void writeName(RemoteName name) {
    write(name.type(), name.home(), name.address(), name.number(), name.bound(), name.immediates());
    writePlace(name.home(), name.number(), name.keepsCalls());
    if (name.held() != null) {
      given.add(name.held());
    }
  }

  /** Counts the copies in a frame that is complete, and is not on its way yet. */
  void countGiven() {
    if (given.isEmpty()) {
      return;
    }
    var receiver = peer.id().incarnation();
    for (var each : given) {
      switch (each) {
        case Body body -> NodeObjects.of(body).exports().given(body, node, receiver);
        case RemoteObject object -> object.given(node, receiver);
        default -> throw new AssertionError(each);
      }
    }
    given.clear();
  }

  /** Forgets the copies in a frame that could not be written. */
  void forgetGiven() {
    given.clear();
  }

  private void write(
      String type, NodeId home, String address, long number, int bound, String immediates) {
    symbols.write(out, type);
    out.writeLong(home.incarnation());
    symbols.write(out, home.name());
    symbols.write(out, address);
    out.writeVarLong(number);
    out.writeVarInt(bound);
    symbols.write(out, immediates);
  }

  /** Returns whether an object outlives its node with all calls that it has taken. */
  private static boolean keepsCalls(Body body) {
    return body.keepsCalls();
  }

  /** Writes where an object is, and whether it keeps its calls: a zero for most objects. */
  private void writePlace(NodeId birth, long number, boolean keepsCalls) {
    var place = relocations.place(birth, number);
    out.writeVarInt((place == null ? 0 : place.epoch()) << 1 | (keepsCalls ? 1 : 0));
    if (place != null && place.epoch() > 0) {
      out.writeLong(place.node().incarnation());
      symbols.write(out, place.node().name());
      symbols.write(
          out,
          place.node().equals(node.id())
              ? peer.access().address()
              : relocations.address(place.node()));
    }
  }

  List<Object> readSide(ByteInput in) {
    return readSide(in, 0);
  }

  private List<Object> readSide(ByteInput in, int depth) {
    var count = in.readLength(MessageCodec.MOST_IN_A_LIST, 1);
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
          var type = symbols.read(in);
          var description = in.readString();
          var context = MessageCodec.readContext(in);
          var holder = futures.holder(future, description, context.length == 0 ? null : context);
          side.add(new FutureToken(holder, type.isEmpty() ? null : type));
        }
        case COMPOSITE -> {
          if (depth == DEEPEST) {
            throw new SerializationException("groups of groups, deeper than " + DEEPEST);
          }
          side.add(new CompositeToken(symbols.read(in), readSide(in, depth + 1), peer.classes()));
        }
        case NODE -> side.add(peer.access().node(readNode(in)));
        case NODES -> side.add(peer.access().liveNodes(symbols.read(in)));
        default -> throw new SerializationException("a token of the unknown kind " + kind);
      }
    }
    return side;
  }

  private RemoteName readReference(ByteInput in) {
    var type = symbols.read(in);
    var home = readNodeId(in);
    var address = symbols.read(in);
    var number = in.readVarLong();
    var bound = in.readVarInt();
    var immediates = symbols.read(in);
    var placing = in.readVarInt();
    var epoch = placing >>> 1;
    var place = epoch == 0 ? null : new Place(readNodeId(in), epoch);
    var placeAddress = place == null ? "" : symbols.read(in);
    return new RemoteName(
        type,
        home,
        address,
        number,
        bound,
        immediates,
        place,
        placeAddress,
        (placing & 1) != 0,
        peer.access(),
        received(home, address, number, place));
  }

  /** Counts a copy that the other node has sent; returns what holds the object from now on. */
  private @Nullable Object received(
      NodeId home, String address, long number, @Nullable Place place) {
    var giver = peer.id().incarnation();
    if (home.equals(node.id())) {
      return node.exports().cameHome(number, giver);
    }
    if (!node.exports().areCounted()
        || NodeObjects.isService(number)
        || place != null && relocations.mayHaveLeft(home)) {
      return null; // it is not collected
    }
    try {
      return node.remoteObjects()
          .received(
              home.incarnation(), number, giver, () -> peers.named(home, peer.access(), address));
    } catch (SerializationException e) {
      return null; // too many nodes are known; the copy is never dropped, and its use fails
    }
  }

  private NodeId readNodeId(ByteInput in) {
    var incarnation = in.readLong();
    return new NodeId(symbols.read(in), incarnation);
  }
}
