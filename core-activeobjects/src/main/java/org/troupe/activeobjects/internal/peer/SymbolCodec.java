package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;

/**
 * Writes names of methods and types as numbers: the first frame that uses a name defines it.
 * Writing is done under the lock of the outbox, reading under that of the inbox.
 */
final class SymbolCodec {

  private static final int DEFINITION_BYTES = 100; // the overhead of a name or type that is kept

  private final Membership membership;
  private final Map<String, Integer> ids = new HashMap<>(); // sending
  private final List<String> names = new ArrayList<>(); // receiving
  private long definedBytes; // receiving

  SymbolCodec(Membership membership) {
    this.membership = membership;
  }

  /** Returns how many names have been written. */
  int written() {
    return ids.size();
  }

  /** Forgets all but the first names, because the frame that defines the others is not sent. */
  void forget(int kept) {
    ids.values().removeIf(id -> id >= kept);
  }

  /** Writes the number of a name; if the name is new, it follows. */
  void write(ByteOutput out, String symbol) {
    var known = ids.get(symbol);
    if (known != null) {
      out.writeVarInt(known);
      return;
    }
    out.writeVarInt(ids.size());
    out.writeString(symbol);
    ids.put(symbol, ids.size());
  }

  /** Reads a name. */
  String read(ByteInput in) {
    var id = in.readVarInt();
    if (id == names.size()) {
      var symbol = in.readString();
      count((long) Character.BYTES * symbol.length());
      names.add(symbol);
    }
    if (id < 0 || id >= names.size()) {
      throw new SerializationException("a frame uses the name number " + id + ", never defined");
    }
    return names.get(id);
  }

  /** Accounts for memory that is kept for as long as the other node is known. */
  void count(long bytes) {
    definedBytes += bytes + DEFINITION_BYTES;
    var most = membership.receiveLimits().definitionBytes();
    if (definedBytes > most) {
      throw new SerializationException(
          "it has defined names and types of more than %d bytes; give this JVM more memory (-Xmx) if the program has so many"
              .formatted(most));
    }
  }
}
