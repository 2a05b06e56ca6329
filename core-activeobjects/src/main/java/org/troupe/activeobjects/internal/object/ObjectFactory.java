package org.troupe.activeobjects.internal.object;

import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.marshal.PortableValues;
import org.troupe.futures.Futures;
import org.troupe.stubs.ObjectConstruction;

/** Creates the active objects of one node. */
public final class ObjectFactory {

  private final NodeObjects node;
  private final ClassAccess classes;

  ObjectFactory(NodeObjects node, ClassAccess classes) {
    this.node = node;
    this.classes = classes;
  }

  /** Creates an active object on this node. */
  public <T> Reference<T> create(Class<T> type, Options options, Object... arguments)
      throws Throwable {
    return create(ActiveType.of(type), options, copied(arguments), "");
  }

  /**
   * Creates an active object on this node that has a name in the grid.
   *
   * @param arguments belong to the object
   */
  public <T> Reference<T> createNamed(
      String key, Class<T> type, Options options, Object[] arguments) throws Throwable {
    return create(ActiveType.of(type), options, arguments, key);
  }

  /** Creates an active object on this node without waiting for its constructor. */
  public <T> CompletableFuture<T> createAsync(Class<T> type, Options options, Object... arguments) {
    var created = new CompletableFuture<T>();
    var active = ActiveType.of(type);
    var copied = copied(arguments);
    Thread.startVirtualThread(
        () -> {
          try {
            created.complete(create(active, options, copied, "").stub());
          } catch (Throwable failure) {
            created.completeExceptionally(failure);
          }
        });
    return created;
  }

  private <T> Reference<T> create(
      ActiveType<T> type, Options options, Object[] arguments, String key) throws Throwable {
    classes.trust(type.type());
    var keeper = node.host().keeper();
    keeper.require(type, options);
    var body = BodyFactory.create(node, type, options);
    if (options.restart().isInPlace()
        && options.keep().store() == null) { // now, because the constructor may change them
      body.madeBy(
          new Origin.Constructor(PortableValues.of(node.marshaller(), arguments)), classes.known());
    }
    var context = new ServiceContext(body, ServicePolicy.IN_TURN).enter();
    Object object;
    try {
      object = ObjectConstruction.construct(type.type(), arguments);
    } catch (Throwable failure) { // the constructor may have passed on its reference
      body.abandon("the constructor of " + body + " threw " + FailureSummary.line(failure));
      throw failure;
    } finally {
      context.leave();
    }
    keeper.keep(body, object, options, key);
    supervise(body);
    body.start(object);
    return Reference.to(body);
  }

  /** Makes an object active on this node that is a copy already. */
  public <T> Reference<T> adopt(T object, Options options) {
    ActiveType.of(object.getClass());
    classes.trust(object.getClass());
    var keeper = node.host().keeper();
    keeper.require(ActiveType.of(object.getClass()), options);
    var body = BodyFactory.create(node, ActiveType.of(object.getClass()), options);
    if (options.restart().isInPlace() && options.keep().store() == null) {
      body.madeBy(new Origin.Copy(PortableValues.of(node.marshaller(), object)), classes.known());
    }
    keeper.keep(body, object, options, "");
    supervise(body);
    body.start(object);
    return Reference.to(body);
  }

  private void supervise(Body body) {
    var origin = body.madeBy();
    if (origin != null && body.restartPolicy().scope() == Restart.Scope.ELSEWHERE) {
      try {
        node.host().supervise(body, origin.travelling());
      } catch (RuntimeException refused) {
        if (refused instanceof IllegalArgumentException) { // else another node may go on with it
          node.host().keeper().discard(body);
        }
        body.abandon(body + " was not created: " + FailureSummary.line(refused));
        throw refused;
      }
    }
  }

  /** Makes a copy of an object active on this node. */
  public <T> Reference<T> turnActive(T object, Options options) {
    var value = passive(object);
    ActiveType.of(value.getClass());
    classes.trust(value.getClass());
    @SuppressWarnings("unchecked") // a copy is of the same class
    var copy = (T) node.marshaller().encodeZeroCopy(value).decode(node.marshaller())[0];
    return adopt(copy, options);
  }

  /** Returns an object that is encoded by its own fields, neither a future nor a reference. */
  public <T> T passive(T object) {
    var value = Futures.value(object);
    if (Reference.behind(value) != null) {
      throw new IllegalArgumentException(
          "turnActive was given the stub of "
              + Reference.behind(value)
              + ", which is active already; give it an ordinary object");
    }
    var body = ServiceContext.currentBody();
    if (body == null || body.target() != value) {
      return value;
    }
    var nobody = new ServiceContext(null, ServicePolicy.IN_TURN).enter();
    try {
      @SuppressWarnings("unchecked") // a copy is of the same class
      var copy = (T) node.marshaller().encodeZeroCopy(value).decode(node.marshaller())[0];
      return copy;
    } finally {
      nobody.leave();
    }
  }

  private Object[] copied(Object[] arguments) {
    ObjectConstruction.requireArguments(arguments);
    return node.marshaller().allShareable(arguments)
        ? arguments
        : node.marshaller().encodeZeroCopy(arguments).decode(node.marshaller());
  }
}
