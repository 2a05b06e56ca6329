package org.troupe.activeobjects.internal.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RuntimeProvider;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallTable;
import org.troupe.activeobjects.internal.membership.LoneNode;
import org.troupe.activeobjects.internal.membership.MemberNode;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.futures.Futures;
import org.troupe.serialization.SerializationCounts;

/** Implements the entry points of users with the node that the current thread works for. */
public final class NodeRuntimeProvider implements RuntimeProvider {

  @Override
  public Node requireMember(Node node) {
    return node instanceof LoneNode ? node : MemberNode.of(node);
  }

  /** Returns the objects of a node that is reached without a grid; null for a member of one. */
  private static NodeObjects reachedDirectly(Node node) {
    return switch (node) {
      case null -> NodeRuntime.current();
      case LoneNode alone -> alone.objects();
      default -> null;
    };
  }

  @Override
  public <T> T create(Node node, Class<T> type, Options options, Object[] arguments)
      throws Throwable {
    CallTable.warn(type);
    var current = NodeRuntime.current();
    var isCurrent = node != null && node.id().equals(current.id());
    var objects = isCurrent ? current : reachedDirectly(node);
    if (objects != null) {
      // On this thread, for which others may wait.
      return objects.factory().create(type, options, arguments).stub();
    }
    try {
      return MemberNode.of(node).create(type, options, arguments).join();
    } catch (CompletionException failure) {
      throw failure.getCause();
    }
  }

  @Override
  public <T> CompletableFuture<T> createAsync(
      Node node, Class<T> type, Options options, Object[] arguments) {
    CallTable.warn(type);
    var objects = reachedDirectly(node);
    return objects != null
        ? objects.factory().createAsync(type, options, arguments)
        : MemberNode.of(node).create(type, options, arguments);
  }

  @Override
  public <T> CompletableFuture<T> turnActive(Node node, T object, Options options) {
    var objects = reachedDirectly(node);
    return objects != null
        ? CompletableFuture.completedFuture(objects.factory().turnActive(object, options).stub())
        : MemberNode.of(node).turnActive(object, options);
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
      throw new IllegalArgumentException(body + " is no " + type.getName());
    }
    return Reference.to(body).as(type);
  }

  @Override
  public Ref<?> caller() {
    var context = ServiceContext.current();
    if (context == null || context.request == null) {
      throw new IllegalStateException(
          "caller() was asked by a thread that serves no call of an active object");
    }
    return switch (context.request.caller) {
      case null -> null;
      case Body body -> Reference.to(body);
      case RemoteCaller(RemoteNode home, long number, String type) ->
          new Reference<>(
              NodeObjects.of(context.body),
              ActiveType.of(NodeObjects.of(context.body).classes().find(type, home.classes())),
              new Reference.Target.Elsewhere(home, number, 0),
              null);
      default -> throw new AssertionError(context.request.caller);
    };
  }

  @Override
  public Node node() {
    return NodeRuntime.current().host().self();
  }

  @Override
  public void register(Node node, String name, Object stub) {
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
  public void onFailure(FailureHandler handler) {
    NodeRuntime.main().objects().failures().handler(handler);
  }

  @Override
  public String explain(Class<?> type) {
    return CallTable.explain(type);
  }

  @Override
  public LocalNodes startLocalNodes(int count, Transport transport) {
    return transport == null ? InProcessGrid.start(count) : InProcessGrid.start(count, transport);
  }
}
