package org.troupe.activeobjects;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.SerializationCounts;

/**
 * Creates active objects, and gives access to them and to the node that the caller runs on. All
 * methods may be called from any thread.
 *
 * {@snippet file="org/troupe/activeobjects/snippets/CoreSnippets.java" region="calls"}
 */
public final class ActiveObjects {

  private ActiveObjects() {}

  /** Returns a creation of active objects on a node. */
  public static Creation on(Node node) {
    return new Creation(
        List.of(RuntimeProvider.current().requireMember(node)), null, Options.STANDARD);
  }

  /**
   * Returns a creation of active objects on the nodes of a set, each on the node that has the
   * fewest objects at the time.
   */
  public static Creation on(Nodes nodes) {
    return new Creation(
        List.of(), Objects.requireNonNull(nodes, "the nodes are null"), Options.STANDARD);
  }

  /** Returns a creation of active objects in this JVM. */
  public static Creation here() {
    return new Creation(List.of(), null, Options.STANDARD);
  }

  /** Creates active objects. Immutable; may be shared between threads. */
  public static final class Creation {

    private final List<Node> node; // at most one; empty: those of the set, or here
    private final @Nullable Nodes nodes;
    private final Options options;

    private Creation(List<Node> node, @Nullable Nodes nodes, Options options) {
      this.node = node;
      this.nodes = nodes;
      this.options = options;
    }

    /** Returns a creation on the same nodes with other options. */
    public Creation with(Options other) {
      return new Creation(node, nodes, other);
    }

    /** Returns the node of the next object; {@code null} for the one of the thread. */
    private @Nullable Node next() {
      return nodes == null
          ? node.isEmpty() ? null : node.getFirst()
          : RuntimeProvider.current().leastLoaded(nodes);
    }

    /**
     * Creates an active object: an instance of the class, constructed on its node by the
     * constructor that fits the arguments. Waits until the constructor has returned.
     *
     * <p>Until then {@code this} is an ordinary object, and is copied when it is passed to another
     * active object; a constructor that publishes its object passes {@code self(..).stub()}.
     *
     * @param arguments are copied to the constructor; stubs and futures are passed by reference
     * @return its stub
     * @throws UnsuitableClassException if the class can have no stub, with every reason and remedy
     * @throws IllegalArgumentException if no constructor fits, or more than one
     * @throws ExceptionInInitializerError if the static initializer of the class fails here
     * @throws RuntimeException if the constructor throws an unchecked exception: that exception
     * @throws RemoteFailure for a checked exception of the constructor, which is the cause
     */
    public <T> T create(Class<T> type, Object... arguments) {
      try {
        return RuntimeProvider.current().create(next(), type, options, arguments);
      } catch (RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable failure) {
        throw checked(failure);
      }
    }

    /**
     * Creates an active object without waiting for its constructor.
     *
     * @return a future of the stub, or of the exception that the constructor throws
     * @throws UnsuitableClassException if the class can have no stub
     */
    public <T> CompletableFuture<T> createAsync(Class<T> type, Object... arguments) {
      return RuntimeProvider.current().createAsync(next(), type, options, arguments);
    }

    /**
     * Creates an active object from a copy of an existing object; the original is not changed.
     * Waits until the object is there.
     *
     * @return the stub of the copy
     * @throws UnsuitableClassException if the object's class can have no stub
     */
    public <T> T turnActive(T object) {
      return awaited(RuntimeProvider.current().turnActive(next(), object, options));
    }

    /**
     * Returns the object that has a name in the grid. If there is none, it is created, on one of
     * the nodes of this creation, by the constructor that fits the arguments; else the arguments
     * and options do not count. An object that sleeps need not wake for that. Two programs that
     * give the same name at the same time get the same object. Waits until the object is there.
     *
     * <p>The options must say where the object is {@linkplain Keep kept}. It is restarted
     * {@linkplain Restart#elsewhere elsewhere} if its node is lost, under any policy, so its queue
     * cannot be {@linkplain Options#withQueueBound bounded}, and found by its name until it is
     * terminated.
     *
     * @param key the name, not empty and of at most 1,000 characters
     * @param type the class of the object
     * @return its stub
     * @throws IllegalArgumentException if the name is that of an object of another class, or the
     *     options say no store
     * @throws IllegalStateException if the program takes part in no grid, or the object was given
     *     up after too many failures
     */
    public <T> T named(String key, Class<T> type, Object... arguments) {
      var hosts = nodes != null ? nodes.list() : node.isEmpty() ? null : node;
      return awaited(RuntimeProvider.current().named(hosts, key, type, options, arguments));
    }

    /**
     * Returns the object that has a name in the grid, on any node, if there is one.
     *
     * @param type its class, or a class or interface of it
     * @throws IllegalArgumentException if the object is not of that type
     * @throws IllegalStateException as {@link #named} does
     */
    public <T> Optional<T> find(String key, Class<T> type) {
      return awaited(RuntimeProvider.current().find(key, type));
    }

    private static <T> T awaited(CompletableFuture<T> created) {
      try {
        return created.join();
      } catch (CompletionException failure) {
        switch (failure.getCause()) {
          case RuntimeException cause -> throw cause;
          case Error cause -> throw cause;
          case null -> throw failure;
          case Throwable cause -> throw checked(cause);
        }
      }
    }

    private static RemoteFailure checked(Throwable cause) {
      return new RemoteFailure(cause.getClass().getName(), cause.getMessage(), cause);
    }
  }

  /**
   * Returns the reference behind a stub, for explicit calls. Waits if the object is a future, whose
   * value may be a stub.
   *
   * @throws IllegalArgumentException if the object is not the stub of an active object
   */
  @SuppressWarnings("unchecked") // a stub of type T has a reference to a T
  public static <T> Ref<T> ref(T stub) {
    return (Ref<T>) RuntimeProvider.current().ref(stub);
  }

  /**
   * Obtains a value that may differ each time, or has an effect that must not happen twice, within
   * a request of an object that is {@linkplain Keep#calls kept by its calls}. The value, or the
   * exception or error, is logged; when the request is served again, it is taken from the log, and
   * the effect does not happen again. Elsewhere the effect simply happens.
   *
   * <p>Calls of active objects within the effect are not logged, and happen once like the rest.
   *
   * @param effect reads a clock, draws a number, reads a file, creates an active object ...
   * @return the value, which must be one that can be sent to another node
   */
  public static <T extends @Nullable Object> T once(Supplier<T> effect) {
    return RuntimeProvider.current().once(effect);
  }

  /**
   * Obtains a value as {@link #once} does, by an effect that gets a key. A service outside of the
   * grid that ignores a second request with the key of an earlier one thus has the effect at most
   * once, although the effect is tried again if the process ends before its value is logged.
   *
   * <p>The key belongs to the object, its request, and the place of the effect among those of the
   * request. It is the same each time that the request is served again, also on another node and in
   * a later run, and no other effect of any object gets it, unless a node that is wrongly taken for
   * lost stands still between its last question for that and the effect. The request is stable in
   * the store before the effect begins. An object that is put back to a save point gives the keys
   * again that it has given since. Elsewhere than in a request of an object that is kept by its
   * calls, and within an effect of {@link #once}, each effect gets a key of its own.
   *
   * {@snippet file="org/troupe/activeobjects/snippets/CoreSnippets.java" region="once"}
   *
   * @param effect gets the key, of at most 80 letters, digits and hyphens
   * @return the value, which must be one that can be sent to another node
   */
  public static <T extends @Nullable Object> T onceByKey(Function<String, T> effect) {
    return RuntimeProvider.current().onceByKey(effect);
  }

  /** Returns whether an object is the stub of an active object; waits if it is a future. */
  public static boolean isStub(Object object) {
    return RuntimeProvider.current().isStub(object);
  }

  /**
   * Returns the reference of the active object that the current thread serves.
   *
   * @param type its class, or a supertype of it
   * @throws IllegalStateException if the thread serves none
   */
  public static <T> Ref<T> self(Class<T> type) {
    return RuntimeProvider.current().self(type);
  }

  /**
   * Returns the reference of the active object whose call the current thread serves, or {@code
   * null} if the call came from a thread that serves none.
   *
   * @throws IllegalStateException if the thread serves no call
   */
  public static @Nullable Ref<?> caller() {
    return RuntimeProvider.current().caller();
  }

  /**
   * Returns the node that the current thread works for: the node of the active object that it
   * serves, else the node of this JVM. The node may be passed to other active objects, which can
   * look up names or create active objects on it. A JVM that takes part in no grid is a node, too,
   * which only its own objects can reach.
   */
  public static Node node() {
    return RuntimeProvider.current().node();
  }

  /**
   * Registers an active object under a name on a node, where {@link Node#lookup} finds it.
   *
   * @throws IllegalArgumentException if the name is taken there
   */
  public static void register(Node node, String name, Object stub) {
    RuntimeProvider.current().register(node, name, stub);
  }

  /**
   * Returns the messages and bytes that {@link #node} has sent to other nodes since it joined. Use
   * {@link Traffic#since} for the traffic between two readings.
   */
  public static Traffic traffic() {
    return RuntimeProvider.current().traffic();
  }

  /**
   * Returns the counters of the serializer of {@link #node}, over all calls and replies that it has
   * encoded or decoded. All are 0 unless its JVM runs with {@code
   * -Dtroupe.serialization.count=true}.
   */
  public static SerializationCounts tally() {
    return RuntimeProvider.current().tally();
  }

  /**
   * Sets the handler of this JVM for failures that no caller can observe; {@code null} logs them.
   */
  public static void onFailure(@Nullable FailureHandler handler) {
    RuntimeProvider.current().onFailure(handler);
  }

  /**
   * Returns a table in plain text of how each method of a class is called on an active object
   * (waiting, future or one-way); or the reasons why the class cannot be that of an active object.
   */
  public static String explain(Class<?> type) {
    return RuntimeProvider.current().explain(type);
  }
}
