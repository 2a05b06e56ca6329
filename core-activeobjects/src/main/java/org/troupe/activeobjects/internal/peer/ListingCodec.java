package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.listing.CopyChanges;
import org.troupe.activeobjects.internal.object.RemoteObjects;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;

/**
 * Writes and reads messages about references. A message names each node once, and then by its
 * place, so that a dropped reference takes about eight bytes.
 */
final class ListingCodec {

  private final ByteOutput out;

  ListingCodec(ByteOutput out) {
    this.out = out;
  }

  void write(Message.Listing message) {
    switch (message) {
      case Message.CopiesChanged(List<RemoteObjects.Change> changes) -> {
        out.writeByte(Opcodes.COPIES_CHANGED);
        writeChanges(changes);
      }
      case Message.CopiesStated(long lost, List<RemoteObjects.Stated> statement) -> {
        out.writeByte(Opcodes.COPIES_STATED);
        out.writeLong(lost);
        out.writeVarInt(statement.size());
        for (var each : statement) {
          out.writeVarLong(each.number());
          out.writeVarInt(each.count());
        }
      }
      case Message.ObjectKept(long number) -> {
        out.writeByte(Opcodes.CALLER_KEPT);
        out.writeVarLong(number);
      }
    }
  }

  private void writeChanges(List<RemoteObjects.Change> changes) {
    Map<Long, Integer> places = new LinkedHashMap<>();
    for (var each : changes) {
      each.copies().given().keySet().forEach(node -> places.putIfAbsent(node, places.size()));
      each.copies().dropped().keySet().forEach(node -> places.putIfAbsent(node, places.size()));
    }
    out.writeVarInt(places.size());
    places.keySet().forEach(out::writeLong);
    out.writeVarInt(changes.size());
    for (var each : changes) {
      out.writeVarLong(each.number());
      writeCounts(each.copies().given(), places);
      writeCounts(each.copies().dropped(), places);
    }
  }

  private void writeCounts(Map<Long, Integer> counts, Map<Long, Integer> places) {
    out.writeVarInt(counts.size());
    counts.forEach(
        (node, count) -> {
          out.writeVarInt(places.getOrDefault(node, 0));
          out.writeVarInt(count);
        });
  }

  static Message.CopiesChanged readChanged(ByteInput in) {
    var nodes = new long[in.readLength(MessageCodec.MOST_IN_A_LIST, Long.BYTES)];
    for (var i = 0; i < nodes.length; i++) {
      nodes[i] = in.readLong();
    }
    var changes = new ArrayList<RemoteObjects.Change>();
    for (var left = in.readLength(MessageCodec.MOST_IN_A_LIST, 3); left > 0; left--) {
      var number = in.readVarLong();
      changes.add(
          new RemoteObjects.Change(
              number, new CopyChanges(readCounts(in, nodes), readCounts(in, nodes))));
    }
    return new Message.CopiesChanged(changes);
  }

  private static Map<Long, Integer> readCounts(ByteInput in, long[] nodes) {
    var size = in.readLength(MessageCodec.MOST_IN_A_LIST, 2);
    if (size == 0) {
      return Map.of();
    }
    Map<Long, Integer> counts = new HashMap<>();
    for (var left = size; left > 0; left--) {
      var place = in.readVarInt();
      if (place < 0 || place >= nodes.length) {
        throw new SerializationException("a change of references of an unnamed node: " + place);
      }
      counts.put(nodes[place], readCount(in));
    }
    return counts;
  }

  private static int readCount(ByteInput in) {
    var count = in.readVarInt();
    if (count <= 0) {
      throw new SerializationException("a change of " + count + " references");
    }
    return count;
  }

  static Message.CopiesStated readStated(ByteInput in) {
    var lost = in.readLong();
    var statement = new ArrayList<RemoteObjects.Stated>();
    for (var left = in.readLength(MessageCodec.MOST_IN_A_LIST, 2); left > 0; left--) {
      statement.add(new RemoteObjects.Stated(in.readVarLong(), readCount(in)));
    }
    return new Message.CopiesStated(lost, statement);
  }

  static Message.ObjectKept readKept(ByteInput in) {
    return new Message.ObjectKept(in.readVarLong());
  }
}
