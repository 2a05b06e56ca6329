package org.troupe.groups;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.futures.Futures;
import org.troupe.groups.internal.SpmdEnrolment;

/**
 * Creates typed groups.
 *
 * {@snippet file="org/troupe/groups/snippets/GroupSnippets.java" region="groups"}
 */
public final class Groups {

  /** Orders {@code node-2} before {@code node-10}. */
  private static final Comparator<Node> BY_NAME =
      Comparator.comparing((Node node) -> withLongNumbers(node.name())).thenComparing(Node::name);

  private static final Pattern NUMBER = Pattern.compile("0*([0-9]+)");
  private static final int LONGEST_NUMBER = 20;

  /** The placement of creations without another one. */
  private static final Placement ONE_EACH = Placement.each(1);

  private Groups() {}

  /** Pads numbers with zeros, so that the order of texts is that of the numbers. */
  private static String withLongNumbers(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(
            number -> {
              var digits = number.group(1);
              return "0".repeat(Math.max(0, LONGEST_NUMBER - digits.length())) + digits;
            });
  }

  /**
   * Prepares members on the nodes that are present at {@code create}, in the order of the nodes'
   * names, with numbers in them compared as numbers. So ranks do not depend on which node joined
   * first.
   */
  public static Creation on(Nodes nodes) {
    return new Creation(
        () -> {
          var list = nodes.list().stream().sorted(BY_NAME).toList();
          if (list.isEmpty()) {
            throw empty("no node is present", "wait for some with nodes.await(atLeast(..), ..)");
          }
          return list;
        },
        ONE_EACH,
        Options.STANDARD);
  }

  /** Prepares members on nodes, in this order. */
  public static Creation on(List<Node> nodes) {
    var list = List.copyOf(nodes);
    return new Creation(() -> list, ONE_EACH, Options.STANDARD);
  }

  /** Prepares members on nodes, in this order. */
  public static Creation on(Node... nodes) {
    for (var i = 0; i < nodes.length; i++) {
      Objects.requireNonNull(nodes[i], "node " + i + " of those for a group is null");
    }
    return on(List.of(nodes));
  }

  /** Prepares members in this JVM. */
  public static Creation here() {
    return on(ActiveObjects.node());
  }

  /** Prepares an elastic group with one member on each node, also on those that join later. */
  public static LiveGroup.Creation following(Nodes nodes) {
    return new LiveGroup.Creation(nodes, Options.STANDARD);
  }

  /**
   * Creates a typed group of existing objects.
   *
   * @param type a class or interface of all members
   * @param members in the order of their ranks: stubs, futures, typed groups (each one member), or
   *     ordinary objects, which are called in this JVM and get the arguments themselves rather than
   *     copies
   * @throws IllegalArgumentException if the list is empty, or a member is not of the type
   */
  public static <T> T of(Class<T> type, List<? extends T> members) {
    Objects.requireNonNull(members, "the members of a group are null; give a list of them");
    if (members.isEmpty()) {
      throw empty("there are no members of " + type.getName(), "give some");
    }
    return new Group<>(type, Member.allOf(type, members)).all();
  }

  /**
   * Makes existing active objects the members of an SPMD group, as {@link Creation#spmd} does for
   * new ones: from now on {@code Spmd.here(type)} is available to them. Each becomes a member after
   * the requests sent to it before; waits until all are.
   *
   * @param type a class or interface of all members
   * @param members stubs in the order of their ranks, each object once; all on nodes of one grid
   * @return the typed group
   * @throws IllegalArgumentException if the list is empty, or an object cannot be a member
   */
  public static <T> T spmd(Class<T> type, List<? extends T> members) {
    var all = of(type, members);
    var group = Group.of(all);
    List<T> stubs = new ArrayList<>(group.size());
    for (var rank = 0; rank < group.size(); rank++) {
      var stub = Futures.value(group.get(rank));
      if (!ActiveObjects.isStub(stub)) {
        throw new IllegalArgumentException(
            "member "
                + rank
                + " is "
                + Member.describe(stub)
                + ", which cannot be a member of an SPMD group; give active objects");
      }
      if (stubs.contains(stub)) {
        throw new IllegalArgumentException(
            "member "
                + rank
                + " is "
                + Member.describe(stub)
                + ", as member "
                + stubs.indexOf(stub)
                + " is; give each object once");
      }
      stubs.add(stub);
    }
    SpmdEnrolment.provider().enrol(stubs);
    return new Group<>(type, Member.allOf(type, stubs)).all();
  }

  private static IllegalArgumentException empty(String what, String remedy) {
    return new IllegalArgumentException(
        what + ", and a group needs at least one member; " + remedy);
  }

  /** Creates groups on some nodes. Immutable; may be shared between threads. */
  public static final class Creation {

    private final Supplier<List<Node>> nodes;
    private final Placement placement;
    private final Options options;

    private Creation(Supplier<List<Node>> nodes, Placement placement, Options options) {
      this.nodes = nodes;
      this.placement = placement;
      this.options = options;
    }

    /** Returns a copy with this number of members on each node. */
    public Creation each(int membersPerNode) {
      return placed(Placement.each(membersPerNode));
    }

    /** Returns a copy that places members by a rule. */
    public Creation placed(Placement rule) {
      return new Creation(nodes, rule, options);
    }

    /** Returns a copy with other options for the members. */
    public Creation with(Options other) {
      return new Creation(nodes, placement, other);
    }

    /**
     * Creates the members in parallel and waits until their constructors have returned.
     *
     * @param arguments copies reach each constructor; of a {@link Scatter} its part
     * @return the typed group
     * @throws IllegalArgumentException if there is no node, or a scatter does not fit the number of
     *     members
     * @throws GroupCallException if a constructor threw; the other objects have been terminated
     *     then
     */
    public <T> T create(Class<T> type, Object... arguments) {
      return new Group<>(
              type, Member.allOf(type, MemberCreation.create(type, arguments, places(), options)))
          .all();
    }

    /**
     * Creates the members like {@link #create}, as an SPMD group: {@code Spmd.here(type)} is
     * available in all their methods. All nodes must belong to one grid, as members send to each
     * other directly.
     *
     * @return the typed group
     * @throws IllegalArgumentException if there is no node, or a scatter does not fit
     * @throws GroupCallException if a constructor threw; the other objects have been terminated
     *     then
     */
    public <T> T spmd(Class<T> type, Object... arguments) {
      var places = places();
      var stubs = MemberCreation.create(type, arguments, places, options);
      SpmdEnrolment.provider().enrol(stubs, places);
      return new Group<>(type, Member.allOf(type, stubs)).all();
    }

    /**
     * Makes an SPMD group again from its last {@linkplain Group#checkpoint checkpoint} in a store:
     * each member with the state, the rank and the references to other members that it had, in a
     * new group. {@code LifeCycle.arrived()} is the first request of each. Waits until all members
     * serve.
     *
     * <p>The group has as many members as before. Unless a placement was given, they are divided
     * evenly among the nodes, in the order of ranks, however many nodes there are. Members of the
     * former group that still exist are not affected; terminate them.
     *
     * <p>Another program may restore the group when the one that made the checkpoint has ended, or
     * was killed.
     *
     * {@snippet file="org/troupe/groups/snippets/GroupSnippets.java" region="restore"}
     *
     * @param type the class or interface by which the members of the former group were called
     * @return the typed group
     * @throws IllegalArgumentException if there is no node, or a placement does not fit the number
     *     of members
     * @throws CollectiveException if the store has no complete checkpoint of such a group, or it is
     *     damaged
     */
    public <T> T restore(Class<T> type, Store store) {
      return restoreIfPresent(type, store)
          .orElseThrow(
              () ->
                  new CollectiveException(
                      "the store %s has no complete checkpoint of a group of %s; give the store and the type of Group.checkpoint(..), or create the group anew"
                          .formatted(store, type.getName())));
    }

    /**
     * Makes an SPMD group again as {@link #restore} does, if the store has a checkpoint of one; for
     * programs that begin anew otherwise.
     *
     * @return the typed group; empty if the store has no complete checkpoint of a group of this
     *     type
     * @throws IllegalArgumentException if there is no node, or a placement does not fit the number
     *     of members
     * @throws CollectiveException if the checkpoint is damaged, or a member cannot be restored
     */
    public <T> Optional<T> restoreIfPresent(Class<T> type, Store store) {
      Objects.requireNonNull(store, "the store of a checkpoint is null");
      var list = nodes.get();
      if (list.isEmpty()) {
        throw empty("no node was given", "give some, or use Groups.here() for this JVM");
      }
      var restored =
          SpmdEnrolment.provider()
              .restore(type, store, options, list.getFirst(), size -> places(list, size));
      if (restored.isEmpty()) {
        return Optional.empty();
      }
      var stubs = restored.stream().map(type::cast).toList();
      return Optional.of(new Group<>(type, Member.allOf(type, stubs)).all());
    }

    private List<Node> places(List<Node> list, int size) {
      if (placement == ONE_EACH) {
        return IntStream.range(0, size)
            .mapToObj(rank -> list.get((int) ((long) rank * list.size() / size)))
            .toList();
      }
      var places = placement.place(list);
      if (places.size() != size) {
        throw new IllegalArgumentException(
            "the placement has %d places, and the group in the checkpoint %d members; give one of %2$d, or none"
                .formatted(places.size(), size));
      }
      return places;
    }

    /** Returns a node for each member. */
    private List<Node> places() {
      var list = nodes.get();
      if (list.isEmpty()) {
        throw empty("no node was given", "give some, or use Groups.here() for this JVM");
      }
      var places = placement.place(list);
      if (places.isEmpty()) {
        throw empty(
            "the placement places no member on " + list.size() + " nodes", "give another one");
      }
      return places;
    }
  }
}
