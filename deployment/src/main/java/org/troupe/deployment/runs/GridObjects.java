package org.troupe.deployment.runs;

import java.util.List;

/**
 * The active objects of a deployment that nodes know of each other, as other processes on the same
 * machine see them: totals, and the objects with the longest queues. Immutable.
 *
 * @param id the id that {@code --of} takes
 * @param program the command of the program that deployed it
 * @param total the totals of all nodes and classes
 * @param nodes the totals of each node, the program included; the longest queues first
 * @param classes the totals of the classes, those with the longest queues first; at most a hundred
 *     of each node
 * @param objects the objects with the longest queues, the longest first
 */
public record GridObjects(
    String id,
    String program,
    Total total,
    List<NodeTotal> nodes,
    List<ClassTotal> classes,
    List<ObjectLine> objects) {

  /** Copies the lists. */
  public GridObjects {
    nodes = List.copyOf(nodes);
    classes = List.copyOf(classes);
    objects = List.copyOf(objects);
  }

  /**
   * The sum of several objects.
   *
   * @param queued the approximate number of requests in their queues
   * @param serving how many of them serve a request
   */
  public record Total(long objects, long queued, long serving) {

    static final Total NONE = new Total(0, 0, 0);

    Total plus(Total other) {
      return new Total(objects + other.objects, queued + other.queued, serving + other.serving);
    }
  }

  /**
   * The objects of a node.
   *
   * @param isAnswered whether the node has answered in time
   * @param forwarders how many objects that have left the node have a forwarder there
   * @param uncounted the number of objects that the node did not look at, because that took too
   *     long
   */
  public record NodeTotal(
      String node, boolean isAnswered, Total total, long forwarders, long uncounted) {}

  /**
   * The objects of a class.
   *
   * @param type the full name of the class
   */
  public record ClassTotal(String type, Total total) {}

  /**
   * An object.
   *
   * @param object its identity: the node of its birth and its number there
   * @param type the full name of its class
   * @param node the node that it is on
   * @param names the names under which nodes have registered it
   * @param moves how often it has moved, without restarts on another node
   * @param queued the approximate number of requests in its queue
   * @param serving the method that it serves, or how far its log has been replayed; empty if it
   *     serves none
   * @param servingSeconds for how long it serves that request, at most; negative if unknown
   * @param restarts how often it was restarted on its node, and how often on another one
   * @param key its name in the grid; empty if it has none
   * @param logBytes about how many bytes its log has behind its last image; 0 if it has no log
   * @param isAsleep whether it sleeps in its store
   * @param options its options that differ from the standard
   */
  public record ObjectLine(
      String object,
      String type,
      String node,
      List<String> names,
      int moves,
      int queued,
      String serving,
      double servingSeconds,
      int restarts,
      String key,
      long logBytes,
      boolean isAsleep,
      String options) {

    /** Copies the list. */
    public ObjectLine {
      names = List.copyOf(names);
    }
  }
}
