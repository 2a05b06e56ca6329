package ibis.satin.replica;

import java.util.Map;

/** A node's end of the order of writes. */
public class SharedHost {

  private final SharedHub hub;

  /**
   * Prepares this node.
   *
   * @param properties system properties of the program, set here unless they have a value
   */
  public SharedHost(SharedHub hub, int number, Map<String, String> properties) {
    properties.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
    this.hub = hub;
    SharedReplicas.here().connect(hub, number);
  }

  /** Adds an object to those of this node. */
  public void install(String id, byte[] state) {
    SharedReplicas.here().install(id, state);
  }

  /** Applies the write of another node at the next safe point. */
  public void write(String id, String method, String descriptor, Object[] arguments) {
    SharedReplicas.here().applyLater(id, method, descriptor, arguments);
  }

  /** Forgets the objects of a run that has ended. */
  public void close() {
    SharedReplicas.here().disconnect(hub);
  }
}
