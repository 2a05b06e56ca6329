package org.troupe.activeobjects.internal.collective;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.BodyVisit;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.DeferredPacket;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.collective.ObjectImages;
import org.troupe.activeobjects.collective.OperationCounter;
import org.troupe.activeobjects.collective.OperationEvent;
import org.troupe.activeobjects.collective.Recipients;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyExtensions;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.activeobjects.internal.body.QueuedRequest;
import org.troupe.activeobjects.internal.body.RequestGates;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.BodyCalls;
import org.troupe.activeobjects.internal.call.CallRecorder;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.SharedSegment;
import org.troupe.futures.FutureResult;

/** Implements the services for typed groups with the objects of this JVM's nodes. */
public class NodeCollectives implements Collectives {

  /** Smaller slices are faster when copied into the frame's body. */
  private static final int LEAST_LENT_BYTES = 1024;

  private final Supplier<NodeObjects> current;

  /**
   * Creates the one instance of a JVM.
   *
   * @param current returns the node that the current thread works for
   */
  protected NodeCollectives(Supplier<NodeObjects> current) {
    this.current = current;
  }

  @Override
  public <T> GroupCall record(Class<T> type, Ref.Asked<? super T, ?> call, boolean resultMatters) {
    var recorded = CallRecorder.record(ActiveType.of(type), call, resultMatters);
    return new RecordedCall(recorded.method(), recorded.arguments());
  }

  @Override
  public GroupCall call(Class<?> type, int index, Object[] arguments) {
    return new RecordedCall(ActiveType.of(type).method(index), arguments);
  }

  @Override
  public GroupCall emptyCall() {
    return new RecordedCall(BodyCalls.NOTHING, new Object[0]);
  }

  @Override
  public void postEach(List<? extends GroupCall> calls, List<? extends Ref<?>> objects) {
    multicast(objects).post(calls, objects);
  }

  @Override
  public List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls, List<? extends Ref<?>> objects, boolean valueWanted) {
    return askEach(calls, objects, valueWanted, place -> {});
  }

  @Override
  public List<FutureResult<Object>> askEach(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      boolean valueWanted,
      IntConsumer answered) {
    return multicast(objects).ask(calls, objects, valueWanted, answered);
  }

  @Override
  public Recipients recipients(List<? extends Ref<?>> objects) {
    var copy = List.copyOf(objects);
    return new DividedRecipients(
        nodeOfAll(copy), copy, List.copyOf(NodeShare.divide(copy, 0, copy.size())));
  }

  @Override
  public void post(GroupCall call, Recipients recipients) {
    var divided = (DividedRecipients) recipients;
    new CausalMulticast(divided.node()).post(call, divided);
  }

  @Override
  public List<FutureResult<Object>> ask(
      GroupCall call, Recipients recipients, boolean valueWanted, IntConsumer answered) {
    var divided = (DividedRecipients) recipients;
    return new CausalMulticast(divided.node()).ask(call, divided, valueWanted, answered);
  }

  @Override
  public BodyExtension.Key newKey() {
    var node = current.get();
    return new BodyExtension.Key(node.id().incarnation(), node.nextId());
  }

  @Override
  public List<FutureResult<Object>> attach(
      BodyExtension attachment, List<? extends Ref<?>> objects) {
    return new RecordedCall(BodyCalls.ATTACH, new Object[] {attachment}).ask(objects, false);
  }

  @Override
  public List<FutureResult<Object>> visit(BodyVisit visit, List<? extends Ref<?>> objects) {
    return new RecordedCall(BodyCalls.VISIT, new Object[] {visit}).ask(objects, true);
  }

  @Override
  public ObjectImages images() {
    return current.get().host().keeper().images();
  }

  @Override
  public void requireOneGrid(List<? extends Ref<?>> objects) {
    Ref<?> first = null;
    Membership grid = null;
    for (var each : objects) {
      if (((Reference<?>) each).target()
          instanceof Reference.Target.Elsewhere(var home, _, _, _, _)) {
        if (grid != null && Peer.of(home).access() != grid) {
          throw new IllegalArgumentException(
              first
                  + " and "
                  + each
                  + " are in different grids, whose nodes do not reach each other; take objects of"
                  + " one grid");
        }
        first = each;
        grid = Peer.of(home).access();
      }
    }
  }

  @Override
  public Optional<Node> nodeOf(Ref<?> object) {
    var id = object.node();
    return switch (((Reference<?>) object).target()) {
      case Reference.Target.Elsewhere(var home, _, _, _, _) -> Peer.of(home).access().member(id);
      case Reference.Target.Here(var body) -> // its node may be a member of several grids
          NodeObjects.of(body).host().member(id);
    };
  }

  @Override
  public boolean hasMoved(Ref<?> object) {
    return switch (((Reference<?>) object).target()) {
      case Reference.Target.Here(Body body) -> body.hasLeft() || body.origin() != null;
      case Reference.Target.Elsewhere there ->
          Peer.of(there.home()).outgoing().hasMoved(there.number());
    };
  }

  @Override
  public <A extends BodyExtension> List<A> extensionsOfCurrent(Class<A> type) {
    return extensions().ofType(type);
  }

  @Override
  public void attachToCurrent(BodyExtension attachment) {
    extensions().attach(attachment);
  }

  @Override
  public Supplier<@Nullable String> runInTurn(
      Ref<?> object, Ref<?> sender, Runnable task, BooleanSupplier keeps) {
    var queued = new QueuedRequest.Task(task, ((Reference<?>) sender)::hasSent, keeps);
    bodyOf(object).put(queued);
    return queued::waitsBehind;
  }

  @Override
  public void expectComputing(Ref<?> object) {
    bodyOf(object).expectComputing();
  }

  @Override
  public void waitsInStep(Ref<?> object) {
    var context = ServiceContext.current();
    var body = bodyOf(object);
    if (context != null
        && context.body == body
        && context.rule instanceof ServicePolicy.Rule.InTurn) {
      body.waitsForPacket();
    }
  }

  @Override
  public void receiveWhile(BooleanSupplier isWaiting) {
    var context = ServiceContext.current();
    if (context != null && context.body != null) {
      if (context.rule instanceof ServicePolicy.Rule.InTurn) {
        context.body.waitsForPacket();
      }
      context.body.node().receiveWhile(isWaiting);
    }
  }

  @Override
  public @Nullable SharedSegment createMemory(long size) {
    return current.get().host().createMemory(size);
  }

  @Override
  public @Nullable SharedSegment openMemory(Ref<?> object, byte[] details, long size) {
    return NodeObjects.of(bodyOf(object)).host().openMemory(details, size);
  }

  @Override
  public void report(Ref<?> object, String what, Throwable cause) {
    var body = bodyOf(object);
    body.node().failures().report(body, what + " of " + body, cause);
  }

  @Override
  public void detachFromCurrent(BodyExtension.Key key) {
    extensions().remove(key);
  }

  @Override
  public void send(
      Ref<?> object, BodyExtension.Key key, int from, long tag, @Nullable Object value) {
    send(object, key, from, tag, value, false);
  }

  @Override
  public void transfer(Ref<?> object, BodyExtension.Key key, int from, long tag, Object array) {
    send(object, key, from, tag, array, true);
  }

  @Override
  public void sendZeroCopy(
      Ref<?> object, BodyExtension.Key key, int from, long tag, Frame.Slice numbers) {
    if (((Reference<?>) object).target() instanceof Reference.Target.Elsewhere there
        && numbers.bytes() >= LEAST_LENT_BYTES) {
      var payload = Peer.of(there.home()).node().marshaller().encodeZeroCopy(numbers);
      Peer.of(there.home()).sendPacketZeroCopy(there.number(), key, from, tag, payload);
    } else {
      send(object, key, from, tag, numbers.copy(), true);
    }
  }

  @Override
  public DeferredPacket deferredPacket(
      Ref<?> object, BodyExtension.Key key, int from, LongSupplier tag) {
    var there = elsewhere(object);
    return Peer.of(there.home()).deferredPacket(there.number(), key, from, tag);
  }

  @Override
  public void runBehind(Ref<?> sender, long messages, Runnable task) {
    Peer.of(elsewhere(sender).home()).inbox().runBehind(messages, task);
  }

  @Override
  public long messagesTo(Ref<?> object) {
    return Peer.of(elsewhere(object).home()).messages();
  }

  @Override
  public boolean hasTaken(Ref<?> sender, long messages) {
    return Peer.of(elsewhere(sender).home()).inbox().hasTaken(messages);
  }

  private static Reference.Target.Elsewhere elsewhere(Ref<?> object) {
    if (!(((Reference<?>) object).target() instanceof Reference.Target.Elsewhere there)) {
      throw new IllegalArgumentException(object + " is of this node; no message leads to it");
    }
    return there;
  }

  @Override
  public void runDueTasks(Ref<?> object) {
    bodyOf(object).runDueTasks();
  }

  @Override
  public boolean isServingLast(Ref<?> object) {
    return bodyOf(object).isServingLast();
  }

  @Override
  @SuppressWarnings("unchecked") // a copy is of the same class
  public <T> T copyOf(T value) {
    var marshaller = current.get().marshaller();
    return marshaller.isShareable(value)
        ? value
        : (T) marshaller.encode(value).decodeLast(marshaller)[0];
  }

  @Override
  public NodeId currentNode() {
    return current.get().id();
  }

  @Override
  public <S> S shared(BodyExtension.Key call, Function<Runnable, S> made) {
    return current.get().extensions().shared(call, made);
  }

  @Override
  public @Nullable Object removeShared(BodyExtension.Key call) {
    return current.get().extensions().removeShared(call);
  }

  @Override
  public void attachToNode(BodyExtension attachment) {
    ofNode().attach(attachment);
  }

  @Override
  public @Nullable BodyExtension detachFromNode(BodyExtension.Key key) {
    return ofNode().remove(key);
  }

  @Override
  public void sendToNode(
      Ref<?> neighbour, BodyExtension.Key key, int from, long tag, @Nullable Object value) {
    var reference = (Reference<?>) neighbour;
    switch (reference.target()) {
      case Reference.Target.Here(Body body) ->
          send(NodeObjects.of(body).service(), key, from, tag, value, false);
      case Reference.Target.Elsewhere there ->
          send(Peer.of(there.home()), NodeObjects.SERVICE_NUMBER, key, from, tag, value, false);
    }
  }

  @Override
  public RequestGate holdRequests(RequestGate.Gate gate) {
    return RequestGates.hold(gate);
  }

  @Override
  public @Nullable OperationEvent operationEvent() {
    return FlightSwitch.isOn() ? FlightEvents.combining() : null;
  }

  @Override
  public OperationCounter operationCounter(
      String group, String type, int size, String operation, String algorithm) {
    return current.get().observer().collectives().counter(group, type, size, operation, algorithm);
  }

  @Override
  public boolean isFrom(Request request, Ref<?> object) {
    return ((Reference<?>) object).hasSent(request);
  }

  @Override
  public <T> FutureResult<T> result(Supplier<String> description) {
    return result(description, () -> ResultSources.UNKNOWN);
  }

  @Override
  public <T> FutureResult<T> result(Supplier<String> description, Supplier<ResultSources> sources) {
    var node = current.get();
    return new DerivedResult<>(
        node.waiting(), node.failures(), node.callerHere(), description, sources);
  }

  @Override
  public Consumer<Throwable> failureReporter(Supplier<String> call) {
    return current.get().calls().unheard(call);
  }

  @Override
  public Runnable inName(Runnable work) {
    return ServiceContext.inName(work);
  }

  @Override
  public Observer.@Nullable Observation takesPart(Object operation, int rank, int members) {
    return ObserverBinding.isBound()
        ? ObserverBinding.takesPart(new Observer.Collective(operation.toString(), rank, members))
        : null;
  }

  @Override
  public void ended(Observer.Observation observation, @Nullable Throwable failure) {
    ObserverBinding.ended(observation, failure);
  }

  /** Returns the multicasts of the node to which the references belong. */
  private CausalMulticast multicast(List<? extends Ref<?>> objects) {
    return new CausalMulticast(nodeOfAll(objects));
  }

  /** Returns the node that calls the objects. */
  private NodeObjects nodeOfAll(List<? extends Ref<?>> objects) {
    return objects.isEmpty() ? current.get() : ((Reference<?>) objects.getFirst()).runtime();
  }

  private static Body bodyOf(Ref<?> object) {
    if (!(((Reference<?>) object).target() instanceof Reference.Target.Here(Body body))) {
      throw new IllegalArgumentException(object + " is not of this node; only its own node can");
    }
    return body;
  }

  private BodyExtensions ofNode() {
    return current.get().service().extensions();
  }

  private static BodyExtensions extensions() {
    var body = ServiceContext.currentBody();
    if (body == null) {
      throw new IllegalStateException(
          "a thread that serves no active object has no place in a group; ask inside a method that"
              + " an active object serves");
    }
    return body.extensions();
  }

  private static void send(
      Ref<?> object,
      BodyExtension.Key key,
      int from,
      long tag,
      @Nullable Object value,
      boolean isGiven) {
    var reference = (Reference<?>) object;
    switch (reference.target()) {
      case Reference.Target.Here(Body body) -> send(body, key, from, tag, value, isGiven);
      case Reference.Target.Elsewhere there ->
          send(Peer.of(there.home()), there.number(), key, from, tag, value, isGiven);
    }
  }

  private static void send(
      Body body,
      BodyExtension.Key key,
      int from,
      long tag,
      @Nullable Object value,
      boolean isGiven) {
    var marshaller = body.node().marshaller();
    BodyExtension.Packet packet;
    if (isGiven) {
      packet = new BodyExtensions.OwnPacket(() -> value, null);
    } else if (isArrayOfNumbers(value) || marshaller.isShareable(value)) {
      packet = () -> value;
    } else {
      var payload = marshaller.encode(value);
      packet = () -> payload.decodeLast(marshaller)[0];
    }
    body.extensions().receive(key, each -> each.received(from, tag, packet));
  }

  private static void send(
      Peer home,
      long number,
      BodyExtension.Key key,
      int from,
      long tag,
      @Nullable Object value,
      boolean isGiven) {
    var marshaller = home.node().marshaller();
    var payload =
        isArrayOfNumbers(value) ? marshaller.encodeZeroCopy(value) : marshaller.encode(value);
    home.sendPacket(number, key, from, tag, payload, isGiven);
  }

  private static boolean isArrayOfNumbers(@Nullable Object value) {
    return value != null
        && value.getClass().isArray()
        && value.getClass().componentType().isPrimitive();
  }

  @Override
  public void withoutCalls(String reason, Runnable work) {
    ServiceContext.withoutCalls(reason, work);
  }
}
