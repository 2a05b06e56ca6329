package org.troupe.activeobjects.internal.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RuntimeProvider;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.CallTable;
import org.troupe.activeobjects.internal.membership.LoneNode;
import org.troupe.activeobjects.internal.membership.MemberNode;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.peer.RemoteRequest;
import org.troupe.activeobjects.internal.store.DirectoryJournals;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.futures.Futures;
import org.troupe.serialization.SerializationCounts;

/** Implements the entry points of users with the node that the current thread works for. */
public final class NodeRuntimeProvider implements RuntimeProvider {

  @Override
  public Node requireMember(Node node) {
    return node instanceof LoneNode ? node : MemberNode.of(node);
  }

  /**
   * Returns the objects of a node that is reached without a grid; {@code null} for a member of one.
   *
   * @param node {@code null} for the node that the current thread works for
   */
  private static @Nullable NodeObjects reachedDirectly(@Nullable Node node) {
    return switch (node) {
      case null -> NodeRuntime.current();
      case LoneNode alone -> alone.objects();
      default -> null;
    };
  }

  @Override
  public <T> T create(@Nullable Node node, Class<T> type, Options options, Object[] arguments)
      throws Throwable {
    requireUnloggedCreation();
    CallTable.warn(type);
    var current = NodeRuntime.current();
    if (node == null || node.id().equals(current.id())) {
      // On this thread, for which others may wait.
      return current.factory().create(type, options, arguments).stub();
    }
    if (node instanceof LoneNode alone) {
      return alone.objects().factory().create(type, options, arguments).stub();
    }
    try {
      return MemberNode.of(node).create(type, options, arguments).join();
    } catch (CompletionException failure) {
      throw Objects.requireNonNull(failure.getCause());
    }
  }

  @Override
  public <T> CompletableFuture<T> createAsync(
      @Nullable Node node, Class<T> type, Options options, Object[] arguments) {
    requireUnloggedCreation();
    CallTable.warn(type);
    var objects = reachedDirectly(node);
    return objects == null
        ? MemberNode.of(Objects.requireNonNull(node)).create(type, options, arguments)
        : objects.factory().createAsync(type, options, arguments);
  }

  @Override
  public <T> CompletableFuture<T> turnActive(@Nullable Node node, T object, Options options) {
    requireUnloggedCreation();
    var objects = reachedDirectly(node);
    return objects == null
        ? MemberNode.of(Objects.requireNonNull(node)).turnActive(object, options)
        : CompletableFuture.completedFuture(objects.factory().turnActive(object, options).stub());
  }

  @Override
  public <T> CompletableFuture<T> named(
      @Nullable List<Node> hosts, String key, Class<T> type, Options options, Object[] arguments) {
    requireUnloggedCreation();
    CallTable.warn(type);
    return runtime().named(hosts, key, type, options, arguments);
  }

  @Override
  public <T> CompletableFuture<Optional<T>> find(String key, Class<T> type) {
    requireUnloggedCreation();
    return runtime().find(key, type);
  }

  private static NodeRuntime runtime() {
    return (NodeRuntime) NodeRuntime.current().host();
  }

  @Override
  public Node leastLoaded(Nodes nodes) {
    var all = nodes.list();
    return all.size() == 1 ? all.getFirst() : runtime().leastLoaded(nodes, all);
  }

  private static void requireUnloggedCreation() {
    LoggedBody.requireUnlogged(
        "the creation of an object", "create it within ActiveObjects.once(..)");
  }

  @Override
  public <T extends @Nullable Object> T once(Supplier<T> effect) {
    var logged = loggedBody();
    return logged == null ? effect.get() : logged.log().once(effect);
  }

  @Override
  public <T extends @Nullable Object> T onceByKey(Function<String, T> effect) {
    var logged = loggedBody();
    return logged == null
        ? effect.apply(UUID.randomUUID().toString())
        : logged.log().onceByKey(effect);
  }

  /** Returns the object whose logged request the thread serves; {@code null} if there is none. */
  private static @Nullable LoggedBody loggedBody() {
    var context = ServiceContext.current();
    return context != null && context.isLogged && context.body instanceof LoggedBody logged
        ? logged
        : null;
  }

  @Override
  public Ref<?> ref(Object stub) {
    return Reference.require(stub);
  }

  @Override
  public boolean isStub(Object object) {
    return Reference.behind(Futures.value(object)) != null;
  }

  @Override
  public <T> Ref<T> self(Class<T> type) {
    var body = ServiceContext.currentBody();
    if (body == null) {
      throw new IllegalStateException(
          "self() was asked by a thread that serves no active object; ask it inside a method that"
              + " an active object serves, not in a thread started there");
    }
    if (!type.isAssignableFrom(body.type().type())) {
      throw new IllegalArgumentException(
          body
              + " is no "
              + type.getName()
              + "; ask for self() by its class, or a supertype of it");
    }
    return Reference.to(body).as(type);
  }

  @Override
  public @Nullable Ref<?> caller() {
    var context = ServiceContext.current();
    if (context == null || context.request == null || context.body == null) {
      throw new IllegalStateException(
          "caller() was asked by a thread that serves no call of an active object; ask it inside a"
              + " method that an active object serves, not in a thread started there");
    }
    var node = NodeObjects.of(context.body);
    return switch (context.request.caller) {
      case null -> null;
      case Body body -> Reference.to(body);
      case RemoteCaller caller -> {
        var reference = ((NodeRuntime) node.host()).reference(caller);
        if (context.request instanceof RemoteRequest remote && remote.isAnswered()) {
          throw new IllegalStateException(
              "caller() was asked after the call was answered, when the caller may be gone; ask it"
                  + " while the call is served");
        }
        yield reference;
      }
      default -> throw new AssertionError(context.request.caller);
    };
  }

  @Override
  public Node node() {
    return NodeRuntime.current().host().self();
  }

  @Override
  public void register(Node node, String name, Object stub) {
    LoggedBody.requireUnlogged("a registration", "register it within ActiveObjects.once(..)");
    if (node instanceof LoneNode alone) {
      alone.objects().names().register(name, Reference.require(stub));
    } else {
      MemberNode.of(node).register(name, stub);
    }
  }

  @Override
  public Traffic traffic() {
    return NodeRuntime.current().host().traffic();
  }

  @Override
  public SerializationCounts tally() {
    return NodeRuntime.current().marshaller().serializer().tally();
  }

  @Override
  public void onFailure(@Nullable FailureHandler handler) {
    NodeRuntime.main().objects().failures().handler(handler);
  }

  @Override
  public String explain(Class<?> type) {
    return CallTable.explain(type);
  }

  @Override
  public LocalNodes startLocalNodes(int count, @Nullable Transport transport) {
    return transport == null ? InProcessGrid.start(count) : InProcessGrid.start(count, transport);
  }

  @Override
  public LocalNodes resumeLocalNodes(Store store, int count) {
    return InProcessGrid.resume(store, count);
  }

  @Override
  public Journals openDirectory(Path folder, boolean isSynced, StoreUser user) throws IOException {
    return DirectoryJournals.open(folder, isSynced, user);
  }

  @Override
  public Journals openExistingDirectory(Path folder, boolean isSynced, StoreUser user)
      throws IOException {
    return DirectoryJournals.openExisting(folder, isSynced, user);
  }
}
