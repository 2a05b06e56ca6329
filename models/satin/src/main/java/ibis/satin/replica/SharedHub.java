package ibis.satin.replica;

import ibis.satin.SharedObject;
import java.util.HashMap;
import java.util.Map;

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
   * The replica of the program's own node is another than the hub's, because the program writes it when it likes.
   */

  private final Map<String, SharedObject> replicas = new HashMap<>();
  private final Map<Integer, SharedHost> hosts = new HashMap<>();

  /** Creates one without objects. */
  public SharedHub() {}

  /** Adds a node. */
  public void join(int number, SharedHost host) {
    hosts.put(number, host);
  }

  /** Adds an object. */
  public void share(int from, String id, byte[] state, boolean toAll) {
    if (replicas.putIfAbsent(id, SharedState.read(state)) == null && toAll) {
      hosts.forEach(
          (number, host) -> {
            if (number != from) {
              host.install(id, state);
            }
          });
    }
  }

  /** Sends an object to a node that has met its name. */
  public void fetch(int by, String id) {
    SharedObject replica = replicas.get(id);
    SharedHost host = hosts.get(by);
    if (replica != null && host != null) {
      host.install(id, SharedState.write(replica));
    }
  }

  /** Passes a write on, and applies it. */
  public void write(int from, String id, String method, String descriptor, Object[] arguments) {
    hosts.forEach(
        (number, host) -> {
          if (number != from) {
            host.write(id, method, descriptor, arguments);
          }
        });
    // Last, as it may change the arguments, of which the others have got copies.
    SharedObject replica = replicas.get(id);
    if (replica != null) {
      SharedReplicas.apply(replica, method, descriptor, arguments);
    }
  }
}
