package org.troupe.activeobjects.hosting;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.RuntimeProvider;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.transport.Transport;

/**
 * This JVM's membership in one grid. The software that launches nodes opens one in the launcher and
 * in every node. Thread-safe.
 */
public interface GridMember extends AutoCloseable {

  /**
   * Opens an endpoint through which this JVM can coordinate or join a grid.
   *
   * @throws IOException if the transport cannot be opened, or a system property has a bad value
   * @throws IllegalArgumentException if there is no such transport; the message lists the available
   *     ones
   */
  static GridMember open(Settings settings) throws IOException {
    return RuntimeProvider.load(Opener.class).open(settings);
  }

  /** Returns the coordinator of nodes within this JVM, for tools that show what these nodes do. */
  static GridMember of(LocalNodes nodes) {
    return ((Coordinated) nodes).coordinator();
  }

  /**
   * Returns the member of this JVM that knows a node, for tools that show what the node does.
   *
   * @throws IllegalArgumentException if the node belongs to no grid
   */
  static GridMember of(Node node) {
    if (node instanceof Known known) {
      return known.knownBy();
    }
    throw new IllegalArgumentException(
        node + " is no node of a grid; take one of a grid's nodes()");
  }

  /** A node of a grid. */
  interface Known {

    /** Returns the member of this JVM that knows the node. */
    GridMember knownBy();
  }

  /** Nodes with a coordinator in this JVM. */
  interface Coordinated {

    /** Returns the coordinator. */
    GridMember coordinator();
  }

  /** Opens grid members; the runtime provides it as a service. */
  interface Opener {

    /** Opens this JVM's own node, as {@link GridMember#open} describes. */
    GridMember open(Settings settings) throws IOException;
  }

  /**
   * The settings of a grid member.
   *
   * @param name the node's name, unique in the grid
   * @param virtualNodes the virtual nodes that the node belongs to; empty for a launcher, which
   *     runs no objects of users
   * @param host the name of the machine
   * @param attributes further properties that the node publishes
   * @param transport the name of the transport
   * @param endpoint where the transport listens, and the secret
   * @param silence how long a node may be silent before it is suspected
   */
  record Settings(
      String name,
      List<String> virtualNodes,
      String host,
      Map<String, String> attributes,
      String transport,
      Transport.EndpointOptions endpoint,
      Duration silence) {

    /** The default limit on silence. */
    public static final Duration USUAL_SILENCE = Duration.ofSeconds(10);

    /** Copies the collections. */
    public Settings {
      virtualNodes = List.copyOf(virtualNodes);
      attributes = Map.copyOf(attributes);
    }
  }

  /** Returns this JVM's own node. */
  Node self();

  /** Returns the identity and address of this node, in the form that {@link #join} takes. */
  String contact();

  /** Returns the transport's address in a {@link #contact() contact}. */
  static String address(String contact) {
    return NodeContact.parse(contact).address();
  }

  /**
   * Returns a contact with another address, such as one that also leads through a tunnel.
   *
   * @param contact a contact as {@link #contact()} returns it
   * @param change maps the old address to the new one
   */
  static String contact(String contact, UnaryOperator<String> change) {
    var old = NodeContact.parse(contact);
    return new NodeContact(old.id(), change.apply(old.address())).toString();
  }

  /** Makes this JVM the coordinator of a new grid. */
  void coordinate();

  /**
   * Lets the objects that a store has from earlier runs go on in the grid of this coordinator: an
   * object is made again when it is called, and at once if it has unfinished requests. Called
   * before nodes are admitted. Journals that cannot be read are reported in the log.
   *
   * @param savePoint the save point to which logged objects are put back; empty for their last
   *     state
   * @throws IOException if the store cannot be used, or another run uses it, or it has no such save
   *     point
   */
  void resume(Store store, Optional<String> savePoint) throws IOException;

  /**
   * Makes a save point of all logged objects of the grid; for its coordinator.
   *
   * @param name at most 50 letters, digits, hyphens and underscores
   * @return completes when it is stable
   */
  CompletableFuture<Void> save(String name);

  /** Deletes a save point from all stores that the grid uses; for its coordinator. */
  CompletableFuture<Void> deleteSave(String name);

  /**
   * Joins the grid of a coordinator; waits until the coordinator has answered.
   *
   * @param coordinatorContact the coordinator's {@link #contact() contact}
   * @throws IOException if the coordinator cannot be reached or does not answer in time
   */
  void join(String coordinatorContact, Duration timeout) throws IOException;

  /**
   * Returns the live set of the nodes of one virtual node, or of all nodes for the empty string.
   * The coordinator itself is not among them.
   */
  Nodes nodes(String virtualNode);

  /** Returns the member with this name, even if it is leaving; empty if there is none. */
  Optional<Node> member(String name);

  /**
   * Returns the names, sorted, of the transport's mechanisms that carry frames from this node to
   * others.
   */
  SortedSet<String> drivers();

  /**
   * Requests a report of about 2 KiB on a node's resources and activity.
   *
   * @param visit for how long the node looks at its objects, of 200 ms at most
   */
  AwaitedReport report(Node node, Duration visit);

  /**
   * Changes what a node records of the requests that its objects serve, from now on.
   *
   * @return a future that completes with {@code true}, and fails if the node is lost
   */
  CompletableFuture<Boolean> observe(Node node, ObservationTier tier);

  /**
   * Requests the trace of a node, which records while it observes {@link ObservationTier#TRACE}.
   *
   * @param from the number of the first entry, as {@link TracePart#next} returned it; {@link
   *     Long#MAX_VALUE} for no entry but the number of the next one
   * @param most how many entries to return, of {@value TracePart#MOST} at most
   * @return a future that fails if the node is lost
   */
  CompletableFuture<TracePart> trace(Node node, long from, int most);

  /**
   * Starts a recording of the JDK Flight Recorder on a node, of which it makes one at a time. The
   * node discards it if the client is silent for a minute beyond the given time.
   *
   * @param settings {@code default} or {@code profile}
   * @param seconds for how long it is wanted
   * @param mostBytes the size beyond which its oldest part is dropped
   * @return a future that fails if the node is lost, or cannot record now
   */
  CompletableFuture<RecordingStart> startRecording(
      Node node, String settings, long seconds, long mostBytes);

  /**
   * Requests the next part of a recording, which ends with the first one.
   *
   * @return a future of the part, which is empty after the last one; it fails if the node is lost,
   *     or has discarded the recording
   */
  CompletableFuture<byte[]> nextOfRecording(Node node, long id);

  /** Ends and deletes a recording of a node, if there is one with this id. */
  CompletableFuture<Boolean> discardRecording(Node node, long id);

  /**
   * Requests a report on a node's active objects, whose size the query bounds. The node looks at
   * its objects for a second at most.
   *
   * @return a future that fails if the node is lost
   */
  CompletableFuture<ObjectReport> objects(Node node, ObjectQuery query);

  /**
   * Requests the futures of a node that have not arrived.
   *
   * @param most how many to list of each kind, {@value FutureReport#MOST} at most
   * @return a future that fails if the node is lost
   */
  CompletableFuture<FutureReport> futures(Node node, int most);

  /**
   * Requests what a node has sent to another one.
   *
   * @param other the name of the other node
   * @return a future whose value is empty if the node has no link to the other one, and which fails
   *     if the node is lost
   */
  CompletableFuture<Optional<PairDetail>> pair(Node node, String other);

  /**
   * Sets the listener for the vital signs of all nodes, this one included, which arrive with their
   * heartbeats. Only for the coordinator.
   */
  void onVitals(NodeVitals.Listener listener);

  /**
   * Requests the events of a node behind a number, as far as it still knows them.
   *
   * @return a future that fails if the node is lost
   */
  CompletableFuture<List<NodeEvent>> events(Node node, long behind);

  /**
   * Requests what an object does. The node looks for it for a second at most.
   *
   * @param birth the name of the node on which the object was created
   * @param number its number there
   * @return a future whose value is empty if the object is not on the node, and which fails if the
   *     node is lost
   */
  CompletableFuture<Optional<ObjectDetail>> object(Node node, String birth, long number);

  /**
   * Waits for the one-way calls that a node has sent to other nodes of the grid so far. When they
   * have been served, their failures are known to the node.
   *
   * @return a future that completes when each of them was served, or was reported as lost, and all
   *     other calls of the node have arrived; its value is the number of these one-way calls since
   *     the node has joined, and it fails if the node is lost
   */
  CompletableFuture<Long> callsServed(Node caller);

  /**
   * Waits until the failure handler of a node's JVM has received the failures that are known to the
   * node, of its calls that have no observer.
   *
   * @return a future that completes with {@code true}, and fails if the node is lost
   */
  CompletableFuture<Boolean> failuresReported(Node caller);

  /**
   * Requests the state of a node as text for people: the call or future that each of its active
   * objects waits for, and the stack traces of all threads.
   *
   * @return a future that fails if the node is lost
   */
  CompletableFuture<String> stack(Node node);

  /**
   * Announces a node that will join and the virtual nodes that it belongs to; for {@link
   * Nodes#all}.
   *
   * @param progress describes the current step of the node's start, or is empty; used in the error
   *     message of a wait that times out; must not block
   */
  void expect(String name, List<String> virtualNodes, Supplier<String> progress);

  /**
   * Reports to the coordinator how the process of a node has ended. The report is more certain than
   * a time-out: a node that has joined is dead, and one that has not can no longer join.
   */
  void ended(String name, ExitReport exit);

  /**
   * Reports to the coordinator that the process of a node has ended, for a reason that is all that
   * is known.
   */
  default void ended(String name, String reason) {
    ended(name, ExitReport.of(reason));
  }

  /**
   * Registers a listener for each node that joins from now on. It runs at once, independently of
   * the program's own listeners: each time on a virtual thread, and in no order.
   */
  void onJoin(Consumer<Node> listener);

  /**
   * Registers a post-mortem, which gets the name of a node that cannot be reached. It determines
   * how the process of the node has ended, within a bounded time, and if it succeeds, it calls
   * {@link #ended} before its future completes.
   */
  void onSuspicion(Function<String, CompletableFuture<Void>> postMortem);

  /** Registers the provider of further nodes. */
  void provide(Provider provider);

  /** Starts and ends nodes, for {@link Nodes#request} and {@link Nodes#release}. */
  interface Provider {

    /**
     * Begins to start more nodes of a virtual node, or of any virtual node for the empty string.
     */
    void request(String virtualNode, int more);

    /** Ends a node in an orderly way. */
    CompletableFuture<Void> release(Node node);
  }

  /**
   * Ends a node in an orderly way: announces to all members that it is leaving, waits until the
   * listeners in this JVM have been notified, and ends it. Only for the coordinator.
   *
   * @return a future that completes when the node has left; it never fails
   */
  CompletableFuture<Void> retire(Node node, String reason);

  /**
   * Asks the coordinator to let this node leave in an orderly way; the coordinator ends the node
   * when it may leave.
   *
   * @return a future that completes when the coordinator has received the request, and fails if the
   *     coordinator is lost
   */
  CompletableFuture<Void> askToLeave(String reason);

  /**
   * Registers an action that runs once, with the reason, when the coordinator ends this node or is
   * lost.
   */
  void onEnd(Consumer<String> action);

  /**
   * Returns the kept objects of this node, in the words of messages, that have not ended with a
   * last image in a store that outlives the node; while the process ends.
   *
   * @param logsCalls whether to return those whose calls are logged, which lose nothing without
   *     that image; else those that lose what has happened since the image before
   */
  List<String> withoutLastImage(boolean logsCalls);

  /**
   * Waits, before an orderly end, until the nodes have served the one-way calls that this node has
   * sent to them. Calls not served in time are lost, and the failure handler is notified.
   */
  void settle(Duration atMost);

  /**
   * Records that all nodes are about to end. Lost objects are not made again from now on, and no
   * object remembers a failure that comes from the end of another node, so that a later run can go
   * on with them. Called before the first node is ended. Only for the coordinator.
   */
  void endSupervision();

  /**
   * Ends all nodes. Only for the coordinator.
   *
   * @return a future that completes when all nodes have answered or are gone
   */
  CompletableFuture<Void> endAll(String reason);

  /** Leaves the grid and closes the endpoint; calls in progress fail. Idempotent. */
  @Override
  void close();
}
