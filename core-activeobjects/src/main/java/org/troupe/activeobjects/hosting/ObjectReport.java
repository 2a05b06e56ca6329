package org.troupe.activeobjects.hosting;

import java.util.List;

/**
 * The active objects of a node that other nodes refer to, at one moment: totals of all, and the
 * ones with the longest queues. The middleware's own objects are left out. Immutable and
 * serializable.
 *
 * @param total the totals of all classes
 * @param classes the totals of the classes with most objects
 * @param objects the objects with the longest queues, the longest first
 * @param forwarders how many objects that have left the node have a forwarder there
 * @param names names under which the node has registered objects of other nodes; some of them if
 *     there are many
 * @param uncounted the number of objects that were not looked at, because counting took too long
 */
public record ObjectReport(
    ClassTotal total,
    List<ClassTotal> classes,
    List<ObjectLine> objects,
    long forwarders,
    List<Name> names,
    long uncounted) {

  /** Copies the lists. */
  public ObjectReport {
    classes = List.copyOf(classes);
    objects = List.copyOf(objects);
    names = List.copyOf(names);
  }

  /**
   * The objects of one class.
   *
   * @param type the name of the class
   * @param objects their number
   * @param queued the approximate number of requests in their queues
   * @param serving how many of them serve a request
   */
  public record ClassTotal(String type, long objects, long queued, long serving) {

    /** Returns the common total of two. */
    public ClassTotal plus(ClassTotal other) {
      return new ClassTotal(
          type, objects + other.objects, queued + other.queued, serving + other.serving);
    }
  }

  /**
   * An object.
   *
   * @param identity the node of its birth and its number there, which it keeps when it moves
   * @param type the name of its class
   * @param names the names under which its node has registered it
   * @param moves how often it has moved, without restarts on another node
   * @param queued the approximate number of requests in its queue
   * @param serving the method that it serves, with the number of further requests in service, or
   *     its service loop if that computes by itself, or how far its log has been replayed; else
   *     empty
   * @param servingSeconds for how long it serves that request, at most; negative if it serves none
   * @param restarts how often it was restarted on this node, and how often on another one
   * @param key its name in the grid; empty if it has none
   * @param logBytes about how many bytes of requests, answers and values its log has behind its
   *     last image; 0 if it has no log
   * @param isAsleep whether it sleeps in its store
   * @param options its options that differ from the standard
   */
  public record ObjectLine(
      String identity,
      String type,
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

  /** A name under which an object is registered, given by its identity. */
  public record Name(String name, String identity) {}
}
