package org.troupe.activeobjects;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.serialization.SerializationCounts;

/**
 * The runtime behind {@link ActiveObjects} and {@link LocalNodes}. Programs do not use it: the
 * runtime implements it as a service, so that this package depends on no other package of the
 * module but those of transports and stores.
 */
public interface RuntimeProvider {

  /** Returns the runtime on the class path or module path. */
  static RuntimeProvider current() {
    return Loaded.INSTANCE;
  }

  /**
   * Returns the node, if it is one of a grid.
   *
   * @throws IllegalArgumentException if it is not
   */
  Node requireMember(Node node);

  /**
   * Creates an active object and waits for its constructor.
   *
   * @param node the node of the object; {@code null} for the node that the current thread works for
   * @throws Throwable the exception of the constructor
   */
  <T> T create(@Nullable Node node, Class<T> type, Options options, Object[] arguments)
      throws Throwable;

  /** Creates an active object as {@link #create} does, without waiting for its constructor. */
  <T> CompletableFuture<T> createAsync(
      @Nullable Node node, Class<T> type, Options options, Object[] arguments);

  /** Creates an active object from a copy of the object; the future completes with its stub. */
  <T> CompletableFuture<T> turnActive(@Nullable Node node, T object, Options options);

  /**
   * Returns the object that has a name in the grid, for {@link ActiveObjects.Creation#named}.
   *
   * @param hosts the nodes on which it may be made; {@code null} for the node of the current thread
   */
  <T> CompletableFuture<T> named(
      @Nullable List<Node> hosts, String key, Class<T> type, Options options, Object[] arguments);

  /** Returns a named object, for {@link ActiveObjects.Creation#find}. */
  <T> CompletableFuture<Optional<T>> find(String key, Class<T> type);

  /**
   * Returns the node with the fewest objects; waits for the numbers.
   *
   * @throws IllegalStateException if there is none
   */
  Node leastLoaded(Nodes nodes);

  /** Obtains a value once, for {@link ActiveObjects#once}. */
  <T extends @Nullable Object> T once(Supplier<T> effect);

  /** Obtains a value once, by an effect with a key, for {@link ActiveObjects#onceByKey}. */
  <T extends @Nullable Object> T onceByKey(Function<String, T> effect);

  /** Returns the reference behind a stub, for {@link ActiveObjects#ref}. */
  Ref<?> ref(Object stub);

  /** Returns whether an object is a stub, for {@link ActiveObjects#isStub}. */
  boolean isStub(Object object);

  /** Returns the active object that the current thread serves, for {@link ActiveObjects#self}. */
  <T> Ref<T> self(Class<T> type);

  /** Returns the caller of the current request, for {@link ActiveObjects#caller}. */
  @Nullable Ref<?> caller();

  /** Returns the node that the current thread works for, for {@link ActiveObjects#node}. */
  Node node();

  /** Registers an active object under a name, for {@link ActiveObjects#register}. */
  void register(Node node, String name, Object stub);

  /** Returns the traffic of the current node, for {@link ActiveObjects#traffic}. */
  Traffic traffic();

  /** Returns the counters of the current node's serializer, for {@link ActiveObjects#tally}. */
  SerializationCounts tally();

  /** Sets the failure handler of the JVM, for {@link ActiveObjects#onFailure}. */
  void onFailure(@Nullable FailureHandler handler);

  /** Returns the call table of a class, for {@link ActiveObjects#explain}. */
  String explain(Class<?> type);

  /**
   * Starts nodes in this JVM, for {@link LocalNodes#start}.
   *
   * @param transport carries their frames; {@code null} for the transport within a JVM
   */
  LocalNodes startLocalNodes(int count, @Nullable Transport transport);

  /** Starts nodes in this JVM, for {@link LocalNodes#resume}. */
  LocalNodes resumeLocalNodes(Store store, int count);

  /** Opens the store in a directory, for {@link Store.Directory}. */
  Journals openDirectory(Path folder, boolean isSynced, StoreUser user) throws IOException;

  /** Opens the store in a directory that has one. */
  Journals openExistingDirectory(Path folder, boolean isSynced, StoreUser user) throws IOException;

  /**
   * Returns a service of the runtime.
   *
   * @throws IllegalStateException if no provider of it is found
   */
  static <S> S load(Class<S> service) {
    return ServiceLoader.load(service, service.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no provider of "
                        + service.getName()
                        + " is found; is troupe-core-activeobjects complete on the class path or"
                        + " module path?"));
  }

  /** Holds the instance, which is looked up once. */
  final class Loaded {
    private static final RuntimeProvider INSTANCE = load(RuntimeProvider.class);

    private Loaded() {}
  }
}
