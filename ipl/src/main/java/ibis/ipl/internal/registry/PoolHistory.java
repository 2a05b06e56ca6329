package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.InstanceIdentifier;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A member's knowledge of its pool, sent to a restarted server.
 *
 * @param joined a lower bound of the number of members that have joined so far
 * @param members the present members, in order of joining
 * @param sequences the next number of each sequence
 * @param terminator the member that has terminated the pool, or {@code null}
 */
record PoolHistory(
    int joined,
    List<InstanceIdentifier> members,
    Map<String, InstanceIdentifier> winners,
    Map<String, Long> sequences,
    @Nullable InstanceIdentifier terminator) {

  private static final int MOST = 1 << 20;

  /** Returns the number in a member's name: how many members had joined before it. */
  static int numberOf(InstanceIdentifier member) {
    String name = member.name();
    try {
      return Integer.parseInt(name, name.lastIndexOf(' ') + 1, name.length(), 10);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + name + "' is no name of a pool with a server", e);
    }
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeInt(joined);
    out.writeInt(members.size());
    for (InstanceIdentifier member : members) {
      member.writeTo(out);
    }
    out.writeInt(winners.size());
    for (Map.Entry<String, InstanceIdentifier> election : winners.entrySet()) {
      out.writeUTF(election.getKey());
      election.getValue().writeTo(out);
    }
    out.writeInt(sequences.size());
    for (Map.Entry<String, Long> sequence : sequences.entrySet()) {
      out.writeUTF(sequence.getKey());
      out.writeLong(sequence.getValue());
    }
    out.writeBoolean(terminator != null);
    if (terminator != null) {
      terminator.writeTo(out);
    }
  }

  static PoolHistory readFrom(DataInput in) throws IOException {
    int joined = in.readInt();
    var members = new ArrayList<InstanceIdentifier>();
    for (int count = count(in); count > 0; count--) {
      members.add(InstanceIdentifier.readFrom(in));
    }
    var winners = new LinkedHashMap<String, InstanceIdentifier>();
    for (int count = count(in); count > 0; count--) {
      winners.put(in.readUTF(), InstanceIdentifier.readFrom(in));
    }
    var sequences = new LinkedHashMap<String, Long>();
    for (int count = count(in); count > 0; count--) {
      sequences.put(in.readUTF(), in.readLong());
    }
    InstanceIdentifier terminator = in.readBoolean() ? InstanceIdentifier.readFrom(in) : null;
    return new PoolHistory(joined, members, winners, sequences, terminator);
  }

  private static int count(DataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST) {
      throw new IOException("malformed history of a pool: " + count + " entries");
    }
    return count;
  }
}
