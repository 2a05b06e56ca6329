package ibis.satin.replica;

import ibis.satin.SharedObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.troupe.activeobjects.NodeLostException;

/**
 * The order of all writes: an active object of the program's node, to which every node sends its
 * own.
 */
public class SharedHub {

  /*
   * Design: one order.
   *
   * A node applies its write at once and sends it here. The hub serves one message at a time: it passes the write on
   * to all nodes but the writer, and applies it to a replica of its own. So the writes of one node arrive everywhere in
   * their order, once each. A node that asks for an object gets the hub's replica as a message between two writes: it
   * has seen all before, and gets all after it. Writes of objects that a node does not have are dropped there.
   *
   * A job may reach a node, and the node may ask for an object of it, before the object has come here from the node
   * that has shared it. Then the node gets the object when it comes, unless it has given up or is lost.
   *
   * The replica of the program's own node is another than the hub's, because the program writes it when it likes.
   */

  private final Map<String, SharedObject> replicas = new HashMap<>();
  private final Map<Integer, SharedHost> hosts = new HashMap<>();

  /** The nodes that have asked for an object that has not come, by its name. */
  private final Map<String, Set<Integer>> awaited = new HashMap<>();

  /** Creates one without objects. */
  public SharedHub() {}

  /** Adds a node. */
  public void join(int number, SharedHost host) {
    hosts.put(number, host);
  }

  /** Adds an object. */
  public void share(int from, String id, byte[] state, boolean toAll) {
    if (replicas.putIfAbsent(id, SharedState.read(state)) != null) {
      return;
    }
    Set<Integer> waiting = awaited.remove(id);
    tell(
        number -> number != from && (toAll || waiting != null && waiting.contains(number)),
        host -> host.install(id, state));
  }

  /** Sends an object to a node that has met its name. */
  public void fetch(int by, String id) {
    SharedObject replica = replicas.get(id);
    if (replica == null) {
      awaited.computeIfAbsent(id, _ -> new HashSet<>()).add(by);
      return;
    }
    byte[] state = SharedState.write(replica);
    tell(number -> number == by, host -> host.install(id, state));
  }

  /** Forgets that a node has asked for an object that has not come. */
  public void giveUp(int by, String id) {
    awaited.computeIfPresent(
        id, (_, waiting) -> waiting.remove(by) && waiting.isEmpty() ? null : waiting);
  }

  /** Passes a write on, and applies it. */
  public void write(int from, String id, String method, String descriptor, Object[] arguments) {
    tell(number -> number != from, host -> host.write(id, method, descriptor, arguments));
    // Last, as it may change the arguments, of which the others have got copies.
    SharedObject replica = replicas.get(id);
    if (replica != null) {
      SharedReplicas.apply(replica, method, descriptor, arguments);
    }
  }

  /** Sends a message to the nodes that have some numbers, and forgets those that are lost. */
  private void tell(IntPredicate numbers, Consumer<SharedHost> message) {
    for (int number : List.copyOf(hosts.keySet())) {
      SharedHost host = hosts.get(number);
      if (host != null && numbers.test(number)) {
        try {
          message.accept(host);
        } catch (NodeLostException lost) {
          hosts.remove(number);
          List.copyOf(awaited.keySet()).forEach(id -> giveUp(number, id));
        }
      }
    }
  }
}
