package org.troupe.activeobjects.internal.service;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallRecorder;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.CodeSources;
import org.troupe.activeobjects.internal.copies.CopyHead;
import org.troupe.activeobjects.internal.copies.CopyUpdate;
import org.troupe.activeobjects.internal.listing.ObjectName;
import org.troupe.activeobjects.internal.listing.Suspect;
import org.troupe.activeobjects.internal.listing.TrialReport;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.object.SaveParticipant;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;
import org.troupe.futures.Outcome;

/** Calls the {@link NodeService} of another node. */
public record NodeServiceClient(NodeObjects node, RemoteNode peer) {

  private Reference<NodeService> reference() {
    return new Reference<>(
        node,
        ActiveType.of(NodeService.class),
        new Reference.Target.Elsewhere(peer, NodeObjects.SERVICE_NUMBER, 0),
        null);
  }

  public CompletableFuture<Object> create(Class<?> type, Options options, Object[] arguments) {
    return reference().ask(service -> service.create(type.getName(), options, arguments));
  }

  public CompletableFuture<Object> adopt(Object object, Options options) {
    return reference().ask(service -> service.adopt(object, options));
  }

  public CompletableFuture<Object> lookup(String name, Class<?> type) {
    return reference().ask(service -> service.lookup(name, type.getName()));
  }

  public CompletableFuture<Boolean> register(String name, Object stub) {
    return reference().ask(service -> service.register(name, stub));
  }

  public CallResult endOf(long number) {
    return result(service -> service.endOf(number));
  }

  public CallResult follow(ObjectIdentity object, Object leader) {
    return result(service -> service.follow(object, leader));
  }

  /** Makes a call whose result other results of this node depend on. */
  private CallResult result(Ref.Asked<NodeService, ?> asked) {
    return result(asked, node.calls().callSite());
  }

  /**
   * Makes a call that no line of the program stands for, so that the stack is not walked, which
   * would take longer than the call.
   */
  private CallResult resultOfOwn(Ref.Asked<NodeService, ?> asked) {
    return result(asked, null);
  }

  private CallResult result(Ref.Asked<NodeService, ?> asked, @Nullable StackFrame site) {
    return result(
        CallRecorder.record(ActiveType.of(NodeService.class), asked::on, true), true, site);
  }

  private CallResult result(
      CallRecorder.Recorded call, boolean valueWanted, @Nullable StackFrame site) {
    // Calls of the middleware are not logged, so this is the result of the call itself.
    return (CallResult)
        node.calls().ask(reference(), call.method(), call.arguments(), valueWanted, site);
  }

  /**
   * Makes a call on which stages of the middleware depend. If an object makes it, they do not run
   * as requests of that object, which may wait for their effects.
   */
  private <R> CompletableFuture<R> detached(Ref.Asked<NodeService, R> asked) {
    return detachedResult(asked);
  }

  /** Makes a call, as {@link #detached} does, of a method that returns a future. */
  private <R> CompletableFuture<R> detachedFuture(
      Ref.Asked<NodeService, CompletableFuture<R>> asked) {
    return detachedResult(asked);
  }

  @SuppressWarnings("unchecked") // its callers know the type
  private <R> CompletableFuture<R> detachedResult(Ref.Asked<NodeService, ?> asked) {
    var made = new AtomicReference<CompletableFuture<Object>>();
    node.waiting().detached(() -> made.setPlain(resultOfOwn(asked).asCompletableFuture()));
    return (CompletableFuture<R>) (CompletableFuture<?>) made.getPlain();
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // an unwanted value arrives as null
  private CompletableFuture<Void> detachedTell(Ref.Told<NodeService> told) {
    var call =
        CallRecorder.record(
            ActiveType.of(NodeService.class),
            service -> {
              told.on(service);
              return null;
            },
            false);
    var made = new AtomicReference<CompletableFuture<Object>>();
    node.waiting().detached(() -> made.setPlain(result(call, false, null).asCompletableFuture()));
    return (CompletableFuture<Void>) (CompletableFuture<?>) made.getPlain();
  }

  public CompletableFuture<Void> checkpoint(ObjectIdentity object) {
    return reference().ask(service -> service.checkpoint(object)).join();
  }

  public CompletableFuture<Integer> move(ObjectIdentity object, NodeId to, long patienceNanos) {
    return detachedFuture(service -> service.move(object, to, patienceNanos));
  }

  public CompletableFuture<Boolean> arrive(
      ObjectIdentity identity, int epoch, Object object, Luggage luggage) {
    return detached(service -> service.arrive(identity, epoch, object, luggage));
  }

  public CompletableFuture<Void> dismiss(ObjectIdentity identity, int epoch) {
    return detachedTell(service -> service.dismiss(identity, epoch));
  }

  public CompletableFuture<Void> settled(ObjectEpoch[] objects) {
    return detachedFuture(service -> service.settled(objects));
  }

  public CompletableFuture<End> endOfMoved(ObjectIdentity object) {
    return detachedFuture(service -> service.endOfMoved(object));
  }

  public CompletableFuture<long[]> answersForRelease(ObjectIdentity[] objects) {
    return detachedFuture(service -> service.answersForRelease(objects));
  }

  public void release(ObjectIdentity[] objects, long[] versions, int[] copies) {
    reference().stub().release(objects, versions, copies);
  }

  public void holdAgain(ObjectIdentity object) {
    reference().stub().holdAgain(object);
  }

  public CompletableFuture<boolean[]> haveEnded(ObjectIdentity[] objects) {
    return detached(service -> service.haveEnded(objects));
  }

  public CompletableFuture<long[]> unanswered(long[] callIds) {
    return detached(service -> service.unanswered(callIds));
  }

  @SuppressWarnings("NullAway") // null: the object has left
  public CompletableFuture<long @Nullable []> missing(
      ObjectIdentity object, long[] callIds, int epoch, long view) {
    return detached(service -> service.missing(object, callIds, epoch, view));
  }

  @SuppressWarnings("NullAway") // null: it is no member
  public CompletableFuture<@Nullable NodeDescription> member(NodeId id) {
    return reference().ask(service -> service.member(id));
  }

  public CompletableFuture<Object[]> evacuate(List<NodeId> destinations) {
    return reference().ask(service -> service.evacuate(destinations.toArray(NodeId[]::new))).join();
  }

  public CompletableFuture<Void> leaveAlong() {
    return reference().ask(NodeService::leaveAlong).join();
  }

  public CompletableFuture<Integer> objects() {
    return reference().ask(NodeService::objects);
  }

  public CompletableFuture<Void> forget(ObjectIdentity object, End end) {
    return detachedTell(service -> service.forget(object, end));
  }

  public CompletableFuture<NamedObjects.Named> named(NamedObjects.Request request) {
    return reference().ask(service -> service.named(request)).join();
  }

  public CompletableFuture<Optional<NamedObjects.Named>> find(String key) {
    return reference().ask(service -> service.find(key)).join();
  }

  public CompletableFuture<ObjectIdentity> createNamed(NamedObjects.Request request) {
    return reference().ask(service -> service.createNamed(request));
  }

  public CompletableFuture<boolean[]> grant(ObjectEpoch[] objects, NodeId to) {
    return detached(service -> service.grant(objects, to));
  }

  public CompletableFuture<Boolean> isEnding() {
    return detached(NodeService::isEnding);
  }

  public CompletableFuture<Long> lastChange() {
    return detached(NodeService::lastChange);
  }

  public CompletableFuture<RelocationGrid.Located> locate(ObjectIdentity object) {
    return detached(service -> service.locate(object));
  }

  public CompletableFuture<RelocationGrid.Located> locateSettled(ObjectIdentity object) {
    return detachedFuture(service -> service.locateSettled(object));
  }

  public CompletableFuture<Void> supervise(ObjectIdentity object, Supervised what) {
    return reference().tell(service -> service.supervise(object, what));
  }

  public CompletableFuture<Void> isAsleep(ObjectIdentity object, boolean isAsleep) {
    return detachedTell(service -> service.isAsleep(object, isAsleep));
  }

  public void failed(ObjectIdentity object, String what) {
    reference().stub().failed(object, what);
  }

  public CompletableFuture<Void> watches(
      ObjectIdentity object, ObjectIdentity leader, Object stubOfLeader) {
    return reference().tell(service -> service.watches(object, leader, stubOfLeader));
  }

  public void watchesNoLonger(ObjectIdentity object, ObjectIdentity leader) {
    reference().stub().watchesNoLonger(object, leader);
  }

  public void acknowledged(long number) {
    reference().stub().acknowledged(number);
  }

  public CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) {
    return detachedFuture(service -> service.embody(order));
  }

  public void granted(ObjectEpoch[] moves, NodeId from, NodeId to) {
    reference().stub().granted(moves, from, to);
  }

  public CompletableFuture<Boolean> acknowledge() {
    return reference().ask(NodeService::acknowledge);
  }

  /** Runs a short action, on the thread that receives it, when an answer to a small call comes. */
  public void onAcknowledged(Runnable action) {
    var call = resultOfOwn(NodeService::acknowledge);
    call.claim(); // the loss of the node is reported elsewhere
    call.onSettled(
        outcome -> {
          if (!(outcome instanceof Outcome.Failure)) {
            action.run();
          }
        });
  }

  public CompletableFuture<Boolean> stated(long view) {
    return reference().ask(service -> service.stated(view));
  }

  public void settled(long view) {
    reference().stub().settled(view);
  }

  public CompletableFuture<Long> served() {
    return detached(NodeService::served);
  }

  public CompletableFuture<Boolean> whenServed(long calls) {
    return detachedFuture(service -> service.whenServed(calls));
  }

  @SuppressWarnings("NullAway") // null: the other node does not have it
  public CompletableFuture<CodeSources.Source> sourceOf(String className) {
    return reference().ask(service -> service.sourceOf(className));
  }

  @SuppressWarnings("NullAway") // null: the other node does not have it
  public CompletableFuture<byte[]> archivePart(String hash, int offset) {
    return reference().ask(service -> service.archivePart(hash, offset));
  }

  @SuppressWarnings("NullAway") // null: the other node does not have it
  public CompletableFuture<ClassAccess.Announced> announced(String hash) {
    return reference().ask(service -> service.announced(hash));
  }

  public CompletableFuture<Long> copy(CopyUpdate update) {
    return detached(service -> service.copy(update));
  }

  public CompletableFuture<Long> copyWhole(CopyUpdate update) {
    return detachedFuture(service -> service.copyWhole(update));
  }

  /** Waits for the answer in an exchange, which the calling thread reads itself. */
  public long copyNow(CopyUpdate update) {
    var reached = new long[1];
    node.waiting().detached(() -> reached[0] = reference().stub().copy(update));
    return reached[0];
  }

  public CompletableFuture<Map<String, CopyHead>> copyHeads(String[] journals, long change) {
    return detached(service -> service.copyHeads(journals, change));
  }

  public CompletableFuture<Optional<CopyUpdate>> claimCopy(String journal, long epoch) {
    return detachedFuture(service -> service.claimCopy(journal, epoch));
  }

  public CompletableFuture<Boolean> dropCopy(String journal, long birth, long epoch, NodeId owner) {
    return detachedFuture(service -> service.dropCopy(journal, birth, epoch, owner));
  }

  public CompletableFuture<String[]> copyNames() {
    return detached(NodeService::copyNames);
  }

  public CompletableFuture<Boolean> holdOutput() {
    return detached(NodeService::holdOutput);
  }

  public CompletableFuture<Boolean> markLogs() {
    return detached(NodeService::markLogs);
  }

  public CompletableFuture<Boolean> releaseOutput() {
    return detached(NodeService::releaseOutput);
  }

  public CompletableFuture<SaveParticipant.Saved[]> copyMarked(String save) {
    return detachedFuture(service -> service.copyMarked(save));
  }

  public CompletableFuture<Boolean> completeSave(String save, Store store, String[] journals) {
    return detachedFuture(service -> service.completeSave(save, store, journals));
  }

  public CompletableFuture<Boolean> endSave() {
    return detached(NodeService::endSave);
  }

  public CompletableFuture<Boolean> hasSave(String save) {
    return detachedFuture(service -> service.hasSave(save));
  }

  public CompletableFuture<Boolean> deleteSave(String save) {
    return detachedFuture(service -> service.deleteSave(save));
  }

  public CompletableFuture<Suspect[]> suspects() {
    return detached(NodeService::suspects);
  }

  public CompletableFuture<Boolean> collectForOthers() {
    return detached(NodeService::collectForOthers);
  }

  public CompletableFuture<long[]> prepareTrials(long[] candidates) {
    return detached(service -> service.prepareTrials(candidates));
  }

  public CompletableFuture<Boolean> beginTrials(ObjectName[] participants) {
    return reference().ask(service -> service.beginTrials(participants));
  }

  public CompletableFuture<TrialReport> trialReport() {
    return reference().ask(NodeService::trialReport);
  }

  public CompletableFuture<Boolean> free(long[] garbage) {
    return reference().ask(service -> service.free(garbage));
  }

  public CompletableFuture<Boolean> finishTrials() {
    return reference().ask(NodeService::finishTrials);
  }

  public CompletableFuture<Boolean> trialsOver() {
    return reference().ask(NodeService::trialsOver);
  }

  public AwaitedReport report(long visitNanos) {
    return new RemoteReport(resultOfOwn(service -> service.report(visitNanos)));
  }

  public CompletableFuture<Boolean> observe(ObservationTier tier) {
    return reference().ask(service -> service.observe(tier));
  }

  public CompletableFuture<TracePart> trace(long from, int most) {
    return reference().ask(service -> service.trace(from, most));
  }

  public CompletableFuture<RecordingStart> startRecording(
      String settings, long seconds, long mostBytes) {
    return detachedFuture(service -> service.startRecording(settings, seconds, mostBytes));
  }

  public CompletableFuture<byte[]> nextOfRecording(long id) {
    return detachedFuture(service -> service.nextOfRecording(id));
  }

  public CompletableFuture<Boolean> discardRecording(long id) {
    return detachedFuture(service -> service.discardRecording(id));
  }

  public CompletableFuture<NodeEvent[]> events(long behind) {
    return reference().ask(service -> service.events(behind));
  }

  public CompletableFuture<Optional<ObjectDetail>> object(String birth, long number) {
    return reference().ask(service -> service.object(birth, number));
  }

  public CompletableFuture<FutureReport> futures(int most) {
    return reference().ask(service -> service.futures(most));
  }

  public CompletableFuture<Optional<PairDetail>> pair(String other) {
    return reference().ask(service -> service.pair(other));
  }

  public CompletableFuture<ObjectReport> objects(ObjectQuery query) {
    return reference().ask(service -> service.objects(query));
  }

  public CompletableFuture<Long> callsServed() {
    return detachedFuture(NodeService::callsServed);
  }

  public CompletableFuture<Boolean> failuresReported() {
    return detachedFuture(NodeService::failuresReported);
  }

  public CompletableFuture<String> stack() {
    return reference().ask(NodeService::stack);
  }

  public CompletableFuture<MembershipView.Admission> join(NodeDescription member) {
    return reference().ask(service -> service.join(member));
  }

  public CompletableFuture<Void> leave(NodeId member) {
    return reference().tell(service -> service.leave(member));
  }

  public CompletableFuture<Void> askToLeave(NodeId member, String reason) {
    return reference().tell(service -> service.askToLeave(member, reason));
  }

  public CompletableFuture<MembershipView.Standing> suspect(
      NodeId witness, NodeId suspect, String evidence) {
    return detached(service -> service.suspect(witness, suspect, evidence));
  }

  public void changed(List<MembershipView.Change> changes) {
    reference().stub().changed(changes);
  }

  public CompletableFuture<Void> end(String reason) {
    return reference().tell(service -> service.end(reason));
  }
}
