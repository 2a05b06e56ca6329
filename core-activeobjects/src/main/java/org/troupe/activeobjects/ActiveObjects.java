package org.troupe.activeobjects;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.troupe.serialization.Tally;

/**
 * Where active objects come from, and what can be asked of them.
 *
 * {@snippet file="org/troupe/activeobjects/snippets/CoreSnippets.java" region="calls"}
 */
public final class ActiveObjects {

  private ActiveObjects() {}

  /** Says that an active object is to live on a node. */
  public static Creation on(Node node) {
    return new Creation(RuntimeProvider.current().requireMember(node), Options.STANDARD);
  }

  /** Says that an active object is to live in this JVM. */
  public static Creation here() {
    return new Creation(null, Options.STANDARD);
  }

  /** Makes active objects at one place. Immutable; may be shared between threads. */
  public static final class Creation {

    private final Node node; // null: here
    private final Options options;

    private Creation(Node node, Options options) {
      this.node = node;
      this.options = options;
    }

    /** Returns the same place, with other options. */
    public Creation with(Options other) {
      return new Creation(node, other);
    }

    /**
     * Makes an active object: an instance of the class, made there by the constructor that fits the
     * arguments. Waits until the constructor has returned.
     *
     * <p>Until then its {@code this} is an ordinary object and would be copied; a constructor that
     * wants to be known to others passes {@code self(..).stub()} on.
     *
     * @param arguments copies of them reach the constructor; stubs and futures travel as such
     * @return its stub
     * @throws UnsuitableClassException if the class can have no stub, with every reason and remedy
     * @throws IllegalArgumentException if no constructor fits, or more than one
     * @throws ExceptionInInitializerError if the static initializer of the class fails here
     * @throws RuntimeException what the constructor throws, if that is unchecked
     * @throws RemoteFailure for a checked exception of the constructor, which is the cause
     */
    public <T> T create(Class<T> type, Object... arguments) {
      try {
        return RuntimeProvider.current().create(node, type, options, arguments);
      } catch (RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable failure) {
        throw checked(failure);
      }
    }

    /**
     * Makes an active object without waiting for its constructor.
     *
     * @return completes with the stub, or with what the constructor throws
     * @throws UnsuitableClassException if the class can have no stub
     */
    public <T> CompletableFuture<T> createAsync(Class<T> type, Object... arguments) {
      return RuntimeProvider.current().createAsync(node, type, options, arguments);
    }

    /**
     * Makes a copy of an existing object active; the original stays as it is.
     *
     * @return the stub of the copy
     * @throws UnsuitableClassException if the object's class can have no stub
     */
    public <T> T turnActive(T object) {
      return awaited(RuntimeProvider.current().turnActive(node, object, options));
    }

    private static <T> T awaited(CompletableFuture<T> created) {
      try {
        return created.join();
      } catch (CompletionException failure) {
        switch (failure.getCause()) {
          case RuntimeException cause -> throw cause;
          case Error cause -> throw cause;
          case Throwable cause -> throw checked(cause);
        }
      }
    }

    private static RemoteFailure checked(Throwable cause) {
      return new RemoteFailure(cause.getClass().getName(), cause.getMessage(), cause);
    }
  }

  /**
   * Returns the reference behind a stub, for explicit calls. Waits for a future, whose value may be
   * a stub.
   *
   * @throws IllegalArgumentException if the object is not the stub of an active object
   */
  @SuppressWarnings("unchecked") // a stub of type T has a reference to a T
  public static <T> Ref<T> ref(T stub) {
    return (Ref<T>) RuntimeProvider.current().ref(stub);
  }

  /** Says whether an object is the stub of an active object; waits if it is a future. */
  public static boolean isStub(Object object) {
    return RuntimeProvider.current().isStub(object);
  }

  /**
   * Returns the reference of the active object that the current thread serves.
   *
   * @param type its class, or a type of it
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
  public static Ref<?> caller() {
    return RuntimeProvider.current().caller();
  }

  /**
   * Returns the node that the current thread works for: that of the active object which it serves,
   * else this JVM's own. It may be passed to others, who look names up on it, or make active
   * objects there.
   *
   * @throws IllegalStateException if this JVM takes part in no grid
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
   * Returns what the node that the current thread works for has sent to other nodes since it
   * joined. A difference of two readings is what was sent between them.
   */
  public static Traffic traffic() {
    return RuntimeProvider.current().traffic();
  }

  /**
   * Returns what the node that the current thread works for has counted while it encoded and
   * decoded calls and answers; nothing if its JVM was not told to, by {@code
   * -Dtroupe.serialization.count=true}.
   */
  public static Tally tally() {
    return RuntimeProvider.current().tally();
  }

  /**
   * Sets who is told of failures that nobody else hears of in this JVM; {@code null} for the log.
   */
  public static void onFailure(FailureHandler handler) {
    RuntimeProvider.current().onFailure(handler);
  }

  /**
   * Returns what calls on active objects of a class do, method by method, as a table to read; or
   * why it can have none.
   */
  public static String explain(Class<?> type) {
    return RuntimeProvider.current().explain(type);
  }
}
