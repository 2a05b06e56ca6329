package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.NodeToken;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.activeobjects.internal.service.ThreadedTask;
import org.troupe.stubs.ObjectConstruction;

/** A node of a grid as programs use it, to create active objects on it and to look up names. */
public final class MemberNode implements Node, NodeToken, GridMember.Known {

  private final GridMembership membership;
  private final LocalNode here;
  private final NodeDescription member;

  public MemberNode(GridMembership membership, NodeDescription member) {
    this.membership = membership;
    this.here = membership.node();
    this.member = member;
  }

  /**
   * Casts a node to the class of all nodes of a grid.
   *
   * @throws IllegalArgumentException if the node belongs to no grid
   */
  public static MemberNode of(Node node) {
    Objects.requireNonNull(node, "the node is null; ActiveObjects.here() stands for this JVM");
    if (node instanceof MemberNode member) {
      return member;
    }
    throw new IllegalArgumentException(
        "%s is no node of a grid; take one of a grid's nodes()".formatted(node));
  }

  @Override
  public NodeDescription member() {
    return member;
  }

  @Override
  public GridMembership access() {
    return membership;
  }

  @Override
  public GridMember knownBy() {
    return membership;
  }

  /** Creates an active object on the node; the future may complete on any thread. */
  public <T> CompletableFuture<T> create(Class<T> type, Options options, Object... arguments) {
    ActiveType.of(type); // an unsuitable class fails here, before a request is sent
    ObjectConstruction.requireArguments(arguments);
    here.classes().trust(type);
    return isLocal()
        ? here.objects().factory().createAsync(type, options, arguments)
        : stub(service().create(type, options, arguments));
  }

  /** Creates an active object on the node from a copy of the object. */
  public <T> CompletableFuture<T> turnActive(T object, Options options) {
    var value = here.objects().factory().passive(object);
    ActiveType.of(value.getClass());
    here.classes().trust(value.getClass());
    return isLocal()
        ? CompletableFuture.completedFuture(
            here.objects().factory().turnActive(value, options).stub())
        : stub(service().adopt(value, options));
  }

  /**
   * Casts the future rather than adding a stage: inside an active object, a stage is a request of
   * its own and would run only after the request that waits for it.
   */
  @SuppressWarnings("unchecked") // the node was asked for an object of this type
  private static <T> CompletableFuture<T> stub(CompletableFuture<Object> stub) {
    return (CompletableFuture<T>) (CompletableFuture<?>) stub;
  }

  /** Returns the service of the node, which is not in this JVM. */
  NodeServiceClient service() {
    return membership.services().of(member);
  }

  AwaitedReport report(long visitNanos) {
    return isLocal()
        ? new LocalReport(membership.ownReport(visitNanos), System.nanoTime())
        : service().report(visitNanos);
  }

  CompletableFuture<Boolean> observe(ObservationTier tier) {
    if (isLocal()) {
      TierSwitch.set(tier);
      return CompletableFuture.completedFuture(true);
    }
    return service().observe(tier);
  }

  CompletableFuture<TracePart> trace(long from, int most) {
    return isLocal()
        ? CompletableFuture.completedFuture(here.objects().observer().traced(from, most))
        : service().trace(from, most);
  }

  CompletableFuture<RecordingStart> startRecording(String settings, long seconds, long mostBytes) {
    return isLocal()
        ? ThreadedTask.start(() -> NodeRecordings.start(settings, seconds, mostBytes))
        : service().startRecording(settings, seconds, mostBytes);
  }

  CompletableFuture<byte[]> nextOfRecording(long id) {
    return isLocal()
        ? ThreadedTask.start(() -> NodeRecordings.next(id))
        : service().nextOfRecording(id);
  }

  CompletableFuture<Boolean> discardRecording(long id) {
    return isLocal()
        ? ThreadedTask.start(() -> NodeRecordings.discard(id))
        : service().discardRecording(id);
  }

  CompletableFuture<List<NodeEvent>> events(long behind) {
    return isLocal()
        ? CompletableFuture.completedFuture(here.objects().observer().events().behind(behind))
        : service().events(behind).thenApply(List::of);
  }

  CompletableFuture<Optional<ObjectDetail>> object(String birth, long number) {
    return isLocal()
        ? CompletableFuture.completedFuture(ObjectSearch.of(here, birth, number))
        : service().object(birth, number);
  }

  CompletableFuture<FutureReport> futures(int most) {
    return isLocal()
        ? CompletableFuture.completedFuture(FutureListing.of(here, most))
        : service().futures(most);
  }

  CompletableFuture<Optional<PairDetail>> pair(String other) {
    return isLocal()
        ? CompletableFuture.completedFuture(PairListing.of(membership, other))
        : service().pair(other);
  }

  CompletableFuture<ObjectReport> objects(ObjectQuery query) {
    return isLocal()
        ? CompletableFuture.completedFuture(ObjectListing.of(here, query))
        : service().objects(query);
  }

  CompletableFuture<Long> callsServed() {
    return isLocal() ? membership.ownCallsServed() : service().callsServed();
  }

  CompletableFuture<Boolean> failuresReported() {
    return isLocal() ? here.objects().failures().allReported() : service().failuresReported();
  }

  CompletableFuture<String> stack() {
    try {
      return isLocal()
          ? CompletableFuture.completedFuture(SelfReport.stack(here.objects().bodies()))
          : service().stack();
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public NodeId id() {
    return member.id();
  }

  @Override
  public List<String> virtualNodes() {
    return member.virtualNodes();
  }

  @Override
  public String host() {
    return member.host();
  }

  @Override
  public Map<String, String> attributes() {
    return member.attributes();
  }

  @Override
  public boolean isLocal() {
    return member.id().equals(here.id());
  }

  @Override
  public boolean isAlive() {
    return isLocal() || membership.isAlive(member.id());
  }

  @Override
  public CompletableFuture<List<Ref<?>>> evacuate(Nodes others) {
    var destinations =
        others.list().stream().map(Node::id).filter(each -> !each.equals(id())).toList();
    if (destinations.isEmpty()) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException(
              others + " have no node other than " + this + " now; await or request one"));
    }
    return ThreadedTask.start( // a stage would run after the request that may wait for it
        () -> {
          var stubs =
              isLocal()
                  ? membership.mobility().evacuation().run(destinations)
                  : service().evacuate(destinations).get();
          return Stream.of(stubs).<Ref<?>>map(Reference::require).toList();
        });
  }

  @Override
  public <T> T lookup(String name, Class<T> type) {
    if (isLocal()) {
      return here.objects().names().lookup(name, type).stub();
    }
    try {
      return type.cast(service().lookup(name, type).join());
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }

  /** Registers an object, given by its stub or a future of the stub, on the node. */
  public void register(String name, Object stub) {
    var reference = Reference.require(stub);
    if (isLocal()) {
      here.objects().names().register(name, reference);
      return;
    }
    try {
      service().register(name, reference.stub()).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Node node && node.id().equals(id());
  }

  @Override
  public int hashCode() {
    return id().hashCode();
  }

  @Override
  public String toString() {
    return "node '" + name() + "' on " + host();
  }
}
