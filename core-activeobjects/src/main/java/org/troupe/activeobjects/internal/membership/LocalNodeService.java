package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.CodeSources;
import org.troupe.activeobjects.internal.coordination.CycleCollector;
import org.troupe.activeobjects.internal.copies.CopyHead;
import org.troupe.activeobjects.internal.copies.CopyUpdate;
import org.troupe.activeobjects.internal.listing.ObjectName;
import org.troupe.activeobjects.internal.listing.Suspect;
import org.troupe.activeobjects.internal.listing.TrialReport;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.ObjectTrials;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.SaveParticipant;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.RemoteRequest;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.service.Luggage;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeService;
import org.troupe.activeobjects.internal.service.PackedReport;
import org.troupe.activeobjects.internal.service.ThreadedTask;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/** The service of a node of this JVM, whose grids and objects its methods concern. */
public final class LocalNodeService implements NodeService {

  private final Memberships memberships;
  private final LocalNode node;

  public LocalNodeService(Memberships memberships) {
    this.memberships = memberships;
    this.node = memberships.node();
  }

  /** Returns the grid that the current request came from; a launcher is a member of several. */
  private GridMembership grid() {
    var peer = from();
    return memberships
        .of(peer.access())
        .orElseThrow(
            () -> new IllegalStateException("this node has left the grid of " + peer.id()));
  }

  /** Returns the node that the current request came from. */
  private static Peer from() {
    var request = (RemoteRequest) Objects.requireNonNull(ServiceContext.current()).request;
    return Peer.of(Objects.requireNonNull(request).peer());
  }

  // For every node

  @Override
  public Object create(String type, Options options, Object[] arguments) throws Exception {
    try {
      return node.objects()
          .factory()
          .create(node.classes().find(type, from().classes()), options, arguments)
          .stub();
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  @Override
  public Object adopt(Object object, Options options) throws UnsuitableClassException {
    return node.objects().factory().adopt(object, options).stub();
  }

  @Override
  public Object lookup(String name, String type) throws IllegalArgumentException {
    return node.objects().names().lookup(name, node.classes().find(type, from().classes())).stub();
  }

  @Override
  public boolean register(String name, Object stub) {
    node.objects().names().register(name, Objects.requireNonNull(Reference.behind(stub), "a stub"));
    return true;
  }

  @Override
  public CompletableFuture<End> endOf(long number) {
    var objects = node.objects();
    var body = objects.body(number);
    return body == null
        ? CompletableFuture.completedFuture(objects.recordedEnd(number))
        : objects.exports().watch(body).asCompletableFuture();
  }

  @Override
  public CompletableFuture<Void> follow(ObjectIdentity object, Object leader) {
    var links = grid().mobility().links();
    var following =
        leader instanceof End end
            ? links.end(object, end)
            : links.follow(object, Reference.require(leader));
    return following.asCompletableFuture();
  }

  @Override
  public CompletableFuture<Void> checkpoint(ObjectIdentity object) {
    var decision = node.moved().decision(object);
    if (decision != null) {
      return decision.thenComposeAsync(_ -> checkpoint(object), Thread::startVirtualThread);
    }
    var objects = node.objects();
    var number = object.number();
    var isBornHere = object.birth().equals(objects.id());
    var guest = node.moved().here(object.birth(), number);
    var body = guest == null && isBornHere ? objects.body(number) : guest;
    if (body != null && !body.hasLeft()) {
      var here = new ObjectEpoch[] {new ObjectEpoch(object, node.moved().epoch(object))};
      return node.moved()
          .hosted()
          .settled(here)
          .thenCompose(_ -> objects.host().keeper().checkpoint(body));
    }
    var next = node.moved().placeElsewhere(object); // it has just left
    return next == null
        ? CompletableFuture.failedFuture(
            new ObjectTerminatedException(
                isBornHere ? objects.recordedEnd(number).why() : object + " has ended"))
        : grid().mobility().checkpoint(object, next.node());
  }

  @Override
  public CompletableFuture<Integer> move(ObjectIdentity object, NodeId to, long patienceNanos) {
    return grid().mobility().mover().move(object, to, patienceNanos);
  }

  @Override
  public boolean arrive(ObjectIdentity identity, int epoch, Object object, Luggage luggage)
      throws IOException {
    return grid().mobility().receiver().arrive(identity, epoch, object, luggage, from().id());
  }

  @Override
  public CompletableFuture<Object[]> evacuate(NodeId[] destinations) {
    var evacuation = grid().mobility().evacuation();
    return ThreadedTask.start(() -> evacuation.run(List.of(destinations)));
  }

  @Override
  public CompletableFuture<Void> leaveAlong() {
    var evacuation = grid().mobility().evacuation();
    return ThreadedTask.start(evacuation::leaveAlong);
  }

  @Override
  public int objects() {
    return (int) node.objects().bodies().stream().filter(each -> !each.hasLeft()).count();
  }

  @Override
  public void dismiss(ObjectIdentity identity, int epoch) {
    node.moved().hosted().dismissed(identity, epoch);
  }

  @Override
  public CompletableFuture<Void> settled(ObjectEpoch[] objects) {
    return node.moved().hosted().settled(objects);
  }

  @Override
  public CompletableFuture<End> endOfMoved(ObjectIdentity object) {
    return node.moved().endHere(object);
  }

  @Override
  public long @Nullable [] missing(ObjectIdentity object, long[] callIds, int epoch, long view)
      throws InterruptedException {
    return node.moved().missing(from(), object, callIds, epoch, view);
  }

  @Override
  public CompletableFuture<long[]> answersForRelease(ObjectIdentity[] objects) {
    return node.moved().releases().answers(objects);
  }

  @Override
  public void release(ObjectIdentity[] objects, long[] versions, int[] copies) {
    node.moved().releases().release(objects, versions, copies);
  }

  @Override
  public void holdAgain(ObjectIdentity object) {
    node.objects().remoteObjects().holdAgain(object);
  }

  @Override
  public boolean[] haveEnded(ObjectIdentity[] objects) {
    return node.moved().haveEnded(objects);
  }

  @Override
  public long[] unanswered(long[] callIds) {
    var calls = from().incoming();
    return LongStream.of(callIds).filter(calls::hasUnanswered).toArray();
  }

  @Override
  public boolean acknowledge() {
    return true;
  }

  @Override
  public long served() {
    return from().incoming().oneWayServed();
  }

  @Override
  public CompletableFuture<Boolean> whenServed(long calls) {
    return from().incoming().whenServedOneWay(calls);
  }

  // For nodes whose journals have a copy here

  @Override
  public long copy(CopyUpdate update) {
    return memberships.copies().tracked().take(from().id(), update);
  }

  @Override
  public CompletableFuture<Long> copyWhole(CopyUpdate update) {
    return memberships.copies().tracked().takeWhole(from().id(), update);
  }

  @Override
  public Map<String, CopyHead> copyHeads(String[] journals, long change)
      throws InterruptedException {
    grid().moving().awaitView(change);
    return memberships.copies().table().heads(List.of(journals));
  }

  @Override
  public CompletableFuture<Optional<CopyUpdate>> claimCopy(String journal, long epoch) {
    return memberships.copies().table().claim(from().id(), journal, epoch);
  }

  @Override
  public CompletableFuture<Boolean> dropCopy(String journal, long birth, long epoch, NodeId owner) {
    return memberships
        .copies()
        .table()
        .drop(journal, birth, epoch, owner)
        .thenApply(dropped -> true);
  }

  @Override
  public String[] copyNames() {
    return memberships.copies().table().names().toArray(String[]::new);
  }

  // For the coordinator that makes save points

  private SaveParticipant saves() {
    return node.objects().host().keeper().saves();
  }

  @Override
  public boolean holdOutput() {
    saves().hold();
    return true;
  }

  @Override
  public boolean markLogs() {
    return saves().mark();
  }

  @Override
  public boolean releaseOutput() {
    saves().release();
    return true;
  }

  @Override
  public CompletableFuture<SaveParticipant.Saved[]> copyMarked(String save) {
    var participant = saves();
    return ThreadedTask.start(() -> participant.copy(save).toArray(SaveParticipant.Saved[]::new));
  }

  @Override
  public CompletableFuture<Boolean> completeSave(String save, Store store, String[] journals) {
    var participant = saves();
    return ThreadedTask.start(
        () -> {
          participant.complete(save, store, List.of(journals));
          return true;
        });
  }

  @Override
  public boolean endSave() {
    saves().end();
    return true;
  }

  @Override
  public CompletableFuture<Boolean> hasSave(String save) {
    var participant = saves();
    return ThreadedTask.start(() -> participant.has(save));
  }

  @Override
  public CompletableFuture<Boolean> deleteSave(String save) {
    var participant = saves();
    return ThreadedTask.start(
        () -> {
          participant.delete(save);
          return true;
        });
  }

  // For the coordinator that collects cycles

  private ObjectTrials trials() {
    return node.objects().trials();
  }

  @Override
  public Suspect[] suspects() {
    return trials().suspects().toArray(Suspect[]::new);
  }

  @Override
  public boolean collectForOthers() {
    trials().collectForOthers();
    return true;
  }

  @Override
  public long[] prepareTrials(long[] candidates) {
    return CycleCollector.array(
        trials().prepare(grid().coordinatorRole(), LongStream.of(candidates).boxed().toList()));
  }

  @Override
  public boolean beginTrials(ObjectName[] participants) {
    trials().begin(grid().coordinatorRole(), Set.of(participants));
    return true;
  }

  @Override
  public TrialReport trialReport() {
    return trials().report(grid().coordinatorRole());
  }

  @Override
  public boolean free(long[] garbage) {
    trials().free(grid().coordinatorRole(), LongStream.of(garbage).boxed().toList());
    return true;
  }

  @Override
  public boolean finishTrials() {
    CycleCollector.finish(trials(), grid().coordinatorRole(), node.objects());
    return true;
  }

  @Override
  public boolean trialsOver() {
    trials().over(grid().coordinatorRole());
    return true;
  }

  // For nodes that load classes from here

  @Override
  public CodeSources.@Nullable Source sourceOf(String className) {
    return node.classes().sourceOf(className);
  }

  @Override
  public byte @Nullable [] archivePart(String hash, int offset) throws IOException {
    return node.classes().archivePart(hash, offset);
  }

  // For reports on this node

  @Override
  public PackedReport report(long visitNanos) {
    return PackedReport.of(grid().ownReport(visitNanos));
  }

  @Override
  public boolean observe(ObservationTier tier) {
    TierSwitch.set(tier);
    return true;
  }

  @Override
  public TracePart trace(long from, int most) {
    return node.objects().observer().traced(from, most);
  }

  @Override
  public CompletableFuture<RecordingStart> startRecording(
      String settings, long seconds, long mostBytes) {
    return ThreadedTask.start(() -> NodeRecordings.start(settings, seconds, mostBytes));
  }

  @Override
  public CompletableFuture<byte[]> nextOfRecording(long id) {
    return ThreadedTask.start(() -> NodeRecordings.next(id));
  }

  @Override
  public CompletableFuture<Boolean> discardRecording(long id) {
    return ThreadedTask.start(() -> NodeRecordings.discard(id));
  }

  @Override
  public NodeEvent[] events(long behind) {
    return node.objects().observer().events().behind(behind).toArray(NodeEvent[]::new);
  }

  @Override
  public Optional<ObjectDetail> object(String birth, long number) {
    return ObjectSearch.of(node, birth, number);
  }

  @Override
  public FutureReport futures(int most) {
    return FutureListing.of(node, most);
  }

  @Override
  public Optional<PairDetail> pair(String other) {
    return PairListing.of(grid(), other);
  }

  @Override
  public ObjectReport objects(ObjectQuery query) {
    return ObjectListing.of(node, query);
  }

  @Override
  public CompletableFuture<Long> callsServed() {
    return grid().ownCallsServed();
  }

  @Override
  public CompletableFuture<Boolean> failuresReported() {
    return node.objects().failures().allReported();
  }

  @Override
  public String stack() throws IOException {
    return SelfReport.stack(node.objects().bodies());
  }

  // For the coordinator

  @Override
  public ClassAccess.@Nullable Announced announced(String hash) {
    return node.classes().announced(hash);
  }

  @Override
  public MembershipView.Admission join(NodeDescription member) {
    var role = grid().coordinatorRole();
    return new MembershipView.Admission(
        role.joined(member), grid().run(), role.objects().outlived());
  }

  @Override
  public @Nullable NodeDescription member(NodeId id) {
    return grid().moving().described(id);
  }

  @Override
  public boolean[] grant(ObjectEpoch[] objects, NodeId to) {
    return grid().coordinatorRole().objects().granted(objects, from().id(), to);
  }

  @Override
  public void forget(ObjectIdentity object, End end) {
    grid().coordinatorRole().objects().forget(object, from().id(), end);
  }

  @Override
  public CompletableFuture<NamedObjects.Named> named(NamedObjects.Request request) {
    return grid().coordinatorRole().objects().names().named(request);
  }

  @Override
  public CompletableFuture<Optional<NamedObjects.Named>> find(String key) {
    return grid().coordinatorRole().objects().names().find(key);
  }

  @Override
  public boolean isEnding() {
    return grid().coordinatorRole().isEnding();
  }

  @Override
  public long lastChange() {
    return grid().coordinatorRole().lastChange();
  }

  @Override
  public RelocationGrid.Located locate(ObjectIdentity object) {
    return grid().coordinatorRole().objects().located(object);
  }

  @Override
  public CompletableFuture<RelocationGrid.Located> locateSettled(ObjectIdentity object) {
    return grid().coordinatorRole().objects().settled(object);
  }

  @Override
  public void supervise(ObjectIdentity object, Supervised what) {
    grid().coordinatorRole().objects().supervise(object, from().id(), what);
  }

  @Override
  public void isAsleep(ObjectIdentity object, boolean isAsleep) {
    grid().coordinatorRole().objects().supervisor().isAsleep(object, from().id(), isAsleep);
  }

  @Override
  public void failed(ObjectIdentity object, String what) {
    grid().coordinatorRole().objects().supervisor().failed(object, from().id(), what);
  }

  @Override
  public void watches(ObjectIdentity object, ObjectIdentity leader, Object stubOfLeader) {
    grid().coordinatorRole().objects().supervisor().watches(object, leader, stubOfLeader);
  }

  @Override
  public void watchesNoLonger(ObjectIdentity object, ObjectIdentity leader) {
    grid().coordinatorRole().objects().supervisor().watchesNoLonger(object, from().id(), leader);
  }

  @Override
  public void acknowledged(long number) {
    grid().coordinatorRole().objects().supervisor().acknowledged(from().id(), number);
  }

  @Override
  public boolean stated(long view) {
    grid().coordinatorRole().stated(from().id(), view);
    return true;
  }

  @Override
  public void leave(NodeId member) {
    grid().coordinatorRole().left(member);
  }

  @Override
  public void askToLeave(NodeId member, String reason) {
    grid().coordinatorRole().askedToLeave(member, reason);
  }

  @Override
  public MembershipView.Standing suspect(NodeId witness, NodeId suspect, String evidence) {
    return grid().coordinatorRole().suspected(witness, suspect, evidence);
  }

  // For members

  @Override
  public void changed(List<MembershipView.Change> changes) {
    grid().changed(changes);
  }

  @Override
  public void granted(ObjectEpoch[] moves, NodeId from, NodeId to) {
    node.moved().hosted().granted(moves, from, to);
  }

  @Override
  public CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) throws IOException {
    return grid().mobility().restarter().embody(order, from().classes());
  }

  @Override
  public ObjectIdentity createNamed(NamedObjects.Request request) throws Exception {
    return grid().mobility().restarter().create(request, from().classes());
  }

  @Override
  public void settled(long view) {
    node.objects().exports().settled(grid().coordinatorRole(), view);
  }

  @Override
  public void end(String reason) {
    grid().toEnd(reason);
  }
}
