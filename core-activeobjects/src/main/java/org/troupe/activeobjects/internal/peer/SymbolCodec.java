package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.observe.TierSwitch;
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
  private final Map<String, Written> written = new HashMap<>(); // sending
  private final List<String> names = new ArrayList<>(); // receiving
  private long definedBytes; // receiving

  /** A name that the other node knows. */
  private static final class Written {
    private final int id;
    private long calls; // of the method, while requests are counted

    Written(int id) {
      this.id = id;
    }
  }

  SymbolCodec(Membership membership) {
    this.membership = membership;
  }

  /** Returns how many names have been written. */
  int written() {
    return written.size();
  }

  /** Forgets all but the first names, because the frame that defines the others is not sent. */
  void forget(int kept) {
    written.values().removeIf(each -> each.id >= kept);
  }

  /** Writes the number of a name; if the name is new, it follows. */
  void write(ByteOutput out, String symbol) {
    writeKnown(out, symbol);
  }

  /** Writes the name of a method that is called, and counts the calls if requests are counted. */
  void writeCalled(ByteOutput out, String method, int calls) {
    var name = writeKnown(out, method);
    if (TierSwitch.isCounting()) {
      name.calls += calls;
    }
  }

  private Written writeKnown(ByteOutput out, String symbol) {
    var known = written.get(symbol);
    if (known != null) {
      out.writeVarInt(known.id);
      return known;
    }
    var name = new Written(written.size());
    out.writeVarInt(name.id);
    out.writeString(symbol);
    written.put(symbol, name);
    return name;
  }

  /** Returns how often each method was called, under the lock of the outbox. */
  Map<String, Long> calls() {
    Map<String, Long> calls = new HashMap<>();
    written.forEach(
        (symbol, name) -> {
          if (name.calls > 0) {
            calls.put(symbol, name.calls);
          }
        });
    return calls;
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
