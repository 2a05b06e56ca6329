package org.troupe.activeobjects.hosting;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.transport.Transport;

/**
 * This JVM's part in one grid: made by what launches nodes, in the launcher and in every node. May
 * be shared between threads.
 */
public interface GridMember extends AutoCloseable {

  /**
   * Opens this JVM to a grid.
   *
   * @throws IOException if the transport cannot be opened
   * @throws IllegalArgumentException if there is no such transport; the message lists those there
   *     are
   */
  static GridMember open(Settings settings) throws IOException {
    return ServiceLoader.load(Opener.class, Opener.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no runtime of active objects is there"))
        .open(settings);
  }

  /** Opens a JVM to a grid; the runtime provides it as a service. */
  interface Opener {

    /** Opens this JVM's own node, as {@link GridMember#open} describes. */
    GridMember open(Settings settings) throws IOException;
  }

  /**
   * What the host needs to know.
   *
   * @param name the node's name, unique in the grid
   * @param virtualNodes what the node is for; none for a launcher, which is no node for users
   * @param host the name of the machine
   * @param attributes what else the node tells of itself
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

    /** The usual bound on silence. */
    public static final Duration USUAL_SILENCE = Duration.ofSeconds(10);

    /** Copies the collections. */
    public Settings {
      virtualNodes = List.copyOf(virtualNodes);
      attributes = Map.copyOf(attributes);
    }
  }

  /** Returns this JVM's own node. */
  Node self();

  /** Returns who and where this node is, in the form that {@link #join} takes. */
  String contact();

  /** Returns the transport's address in a {@link #contact}. */
  static String address(String contact) {
    return NodeContact.parse(contact).address();
  }

  /**
   * Returns a contact with another address, such as one that leads through a tunnel as well.
   *
   * @param contact as {@link #contact()} gives it
   * @param change makes the new address of the old one
   */
  static String contact(String contact, UnaryOperator<String> change) {
    var old = NodeContact.parse(contact);
    return new NodeContact(old.id(), change.apply(old.address())).toString();
  }

  /** Makes this JVM the coordinator of a new grid. */
  void coordinate();

  /**
   * Joins the grid of a coordinator; waits until it has answered.
   *
   * @param coordinatorContact the coordinator's {@link #contact}
   * @throws IOException if it cannot be reached or does not answer in time
   */
  void join(String coordinatorContact, Duration timeout) throws IOException;

  /**
   * Returns the live set of the nodes of one virtual node, or of all with the empty string. The
   * coordinator itself is not among them.
   */
  Nodes nodes(String virtualNode);

  /** Returns the member of this name, even if it is leaving; nothing if there is none. */
  Optional<Node> member(String name);

  /** Returns what carries frames from here to other nodes, as the transport calls it, sorted. */
  SortedSet<String> drivers();

  /**
   * Asks a node how it is doing.
   *
   * @return fails if the node is lost
   */
  CompletableFuture<NodeReport> report(Node node);

  /**
   * Asks a node what its active objects wait for and what its threads do, as text for people.
   *
   * @return fails if the node is lost
   */
  CompletableFuture<String> stack(Node node);

  /**
   * Says that a node is to come, and what it is for; for {@link Nodes#all}.
   *
   * @param progress what it waits for, as far as that is known, for those who wait for it in vain;
   *     must not block
   */
  void expect(String name, List<String> virtualNodes, Supplier<String> progress);

  /**
   * Says that the process of a node has ended, and how: for the coordinator, which then knows
   * better than any time-out. A node that has joined is dead; one that has not can no longer join.
   */
  void ended(String name, ExitReport certificate);

  /** The same, of which nothing is known but the reason. */
  default void ended(String name, String reason) {
    ended(name, ExitReport.of(reason));
  }

  /**
   * Says who hears at once of each node that joins from now on, whatever the program's own
   * listeners do meanwhile: each time on a virtual thread, and in no order.
   */
  void onJoin(Consumer<Node> launcher);

  /**
   * Says who can find out how a node has ended that cannot be reached: by its name, in a bounded
   * time. If they know, they call {@link #ended} before the future completes.
   */
  void onSuspicion(Function<String, CompletableFuture<Void>> inquest);

  /** Says who gives nodes and takes them back. */
  void provide(Provider provider);

  /** Gives nodes and takes them back, for {@link Nodes#request} and {@link Nodes#release}. */
  interface Provider {

    /** Begins to start more nodes of a virtual node, or of any with the empty string. */
    void request(String virtualNode, int more);

    /** Ends a node in good order. */
    CompletableFuture<Void> release(Node node);
  }

  /**
   * Ends a node in good order, for the coordinator: lets all know that it is leaving, waits until
   * the listeners here have heard it, and ends it.
   *
   * @return completes when it has left; never fails
   */
  CompletableFuture<Void> retire(Node node, String reason);

  /**
   * Asks the coordinator to let this node leave in good order; it is told to end when it may.
   *
   * @return completes when the coordinator has heard it; fails if that is lost
   */
  CompletableFuture<Void> askToLeave(String reason);

  /** Runs the action, once, when the coordinator ends this node or is lost; gives the reason. */
  void onEnd(Consumer<String> action);

  /**
   * Waits until the nodes have served the one-way calls that this one has sent them, before an
   * orderly end: what is not served then is lost, and the failure handler hears of it.
   */
  void settle(Duration atMost);

  /**
   * Ends all nodes: for the coordinator.
   *
   * @return completes when all have answered or are gone
   */
  CompletableFuture<Void> endAll(String reason);

  /** Leaves the grid and closes the endpoint; calls in progress end with an error. Idempotent. */
  @Override
  void close();
}
