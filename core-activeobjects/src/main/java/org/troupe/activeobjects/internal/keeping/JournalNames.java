package org.troupe.activeobjects.internal.keeping;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Origin;

/** The names of the journals of named objects, and the epochs in which nodes open journals. */
final class JournalNames {

  /*
   * Design: epochs of journals
   *
   *   epoch of the object (from bit 20 on), number of the node if the object has a name (19 bits) + reopenings by the node
   *
   * The name of an object may be used again when the object was terminated, and the epochs of the next one begin at 0 again. A
   * node that is only taken for lost may still have the former one, and would write to, take over, or delete the journal of the next. The
   * numbers of nodes tell their epochs apart: the store refuses what it writes, and before it opens or deletes a journal, it
   * finds that the journal is not its own.
   */
  private static final int OWN_BITS = 20;
  private static final int NODE_BITS = 19;

  private JournalNames() {}

  /** Returns the name of the journal of a named object. */
  static String of(String key) {
    if (key.matches("[a-z0-9-]{1,100}")) {
      return "named-" + key;
    }
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
      return "named." + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Returns the first epoch in which a node opens the journal of an object. */
  static long epoch(Origin.Stored origin, int epochOfObject, NodeId node) {
    var first = (long) epochOfObject << OWN_BITS;
    return origin.key().isEmpty() // then the journal has a name of its own
        ? first
        : first + (Long.hashCode(node.incarnation()) & (1 << NODE_BITS) - 1);
  }

  /**
   * Returns the epoch in which a node replaces what an earlier attempt to make a named object has
   * left. Two nodes that replace the same remains have different ones.
   */
  static long epochOfReplacement(Origin.Stored origin, long before, NodeId node) {
    return Math.max(before + 1, epoch(origin, 0, node) | 1L << NODE_BITS);
  }

  /** Returns the epoch of an object whose journal was opened last with an epoch of its own. */
  static int epochOfObject(long epochOfJournal) {
    return (int) (epochOfJournal >> OWN_BITS);
  }
}
