package org.troupe.activeobjects.internal.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
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
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;

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
    var call = CallRecorder.record(ActiveType.of(NodeService.class), asked::on, true);
    // Calls of the middleware are not logged, so this is the result of the call itself.
    return (CallResult) node.calls().ask(reference(), call.method(), call.arguments(), true);
  }

  /**
   * Makes a call on which stages of the middleware depend. If an object makes it, they do not run
   * as requests of that object, which may wait for their effects.
   */
  private <R> CompletableFuture<R> detached(Supplier<CompletableFuture<R>> call) {
    var made = new AtomicReference<CompletableFuture<R>>();
    node.waiting().detached(() -> made.setPlain(call.get()));
    return made.getPlain();
  }

  public CompletableFuture<Void> checkpoint(ObjectIdentity object) {
    return reference().ask(service -> service.checkpoint(object)).join();
  }

  public CompletableFuture<Integer> move(ObjectIdentity object, NodeId to, long patienceNanos) {
    return reference().ask(service -> service.move(object, to, patienceNanos)).join();
  }

  public CompletableFuture<Boolean> arrive(
      ObjectIdentity identity, int epoch, Object object, Luggage luggage) {
    return reference().ask(service -> service.arrive(identity, epoch, object, luggage));
  }

  public void dismiss(ObjectIdentity identity, int epoch) {
    reference().stub().dismiss(identity, epoch);
  }

  public CompletableFuture<Void> settled(ObjectIdentity identity, int epoch) {
    return reference().ask(service -> service.settled(identity, epoch)).join();
  }

  public CompletableFuture<End> endOfMoved(ObjectIdentity object) {
    return detached(() -> reference().ask(service -> service.endOfMoved(object)).join());
  }

  public CompletableFuture<long[]> answersForRelease(ObjectIdentity[] objects) {
    return detached(() -> reference().ask(service -> service.answersForRelease(objects)).join());
  }

  public void release(ObjectIdentity[] objects, long[] versions, int[] copies) {
    reference().stub().release(objects, versions, copies);
  }

  public void holdAgain(ObjectIdentity object) {
    reference().stub().holdAgain(object);
  }

  public CompletableFuture<boolean[]> haveEnded(ObjectIdentity[] objects) {
    return detached(() -> reference().ask(service -> service.haveEnded(objects)));
  }

  public CompletableFuture<long[]> unanswered(long[] callIds) {
    return detached(() -> reference().ask(service -> service.unanswered(callIds)));
  }

  @SuppressWarnings("NullAway") // null: the object has left
  public CompletableFuture<long @Nullable []> missing(
      ObjectIdentity object, long[] callIds, int epoch, long view) {
    return detached(
        () -> reference().ask(service -> service.missing(object, callIds, epoch, view)));
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
    return detached(() -> reference().tell(service -> service.forget(object, end)));
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

  public CompletableFuture<Boolean> grant(
      ObjectIdentity object, NodeId from, int epoch, NodeId to) {
    return reference().ask(service -> service.grant(object, from, epoch, to));
  }

  public CompletableFuture<Long> lastChange() {
    return detached(() -> reference().ask(NodeService::lastChange));
  }

  public CompletableFuture<RelocationGrid.Located> locate(ObjectIdentity object) {
    return detached(() -> reference().ask(service -> service.locate(object)));
  }

  public CompletableFuture<RelocationGrid.Located> locateSettled(ObjectIdentity object) {
    return detached(() -> reference().ask(service -> service.locateSettled(object)).join());
  }

  public CompletableFuture<Void> supervise(ObjectIdentity object, Supervised what) {
    return reference().tell(service -> service.supervise(object, what));
  }

  public CompletableFuture<Void> isAsleep(ObjectIdentity object, boolean isAsleep) {
    return detached(() -> reference().tell(service -> service.isAsleep(object, isAsleep)));
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
    return reference().ask(service -> service.embody(order)).join();
  }

  public void granted(ObjectIdentity object, int epoch, NodeId from, NodeId to, String address) {
    reference().stub().granted(object, epoch, from, to, address);
  }

  public CompletableFuture<Boolean> acknowledge() {
    return reference().ask(NodeService::acknowledge);
  }

  public CompletableFuture<Boolean> stated(long view) {
    return reference().ask(service -> service.stated(view));
  }

  public void settled(long view) {
    reference().stub().settled(view);
  }

  public CompletableFuture<Long> served() {
    return detached(() -> reference().ask(NodeService::served));
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
    return detached(() -> reference().ask(service -> service.copy(update)));
  }

  public CompletableFuture<Long> copyWhole(CopyUpdate update) {
    return detached(() -> reference().ask(service -> service.copyWhole(update)).join());
  }

  /** Waits for the answer in an exchange, which the calling thread reads itself. */
  public long copyNow(CopyUpdate update) {
    var reached = new long[1];
    node.waiting().detached(() -> reached[0] = reference().stub().copy(update));
    return reached[0];
  }

  public CompletableFuture<Map<String, CopyHead>> copyHeads(String[] journals, long change) {
    return detached(() -> reference().ask(service -> service.copyHeads(journals, change)));
  }

  public CompletableFuture<Optional<CopyUpdate>> claimCopy(String journal, long epoch) {
    return detached(() -> reference().ask(service -> service.claimCopy(journal, epoch)).join());
  }

  public CompletableFuture<Boolean> dropCopy(String journal, long birth, long epoch, NodeId owner) {
    return detached(
        () -> reference().ask(service -> service.dropCopy(journal, birth, epoch, owner)).join());
  }

  public CompletableFuture<String[]> copyNames() {
    return detached(() -> reference().ask(NodeService::copyNames));
  }

  public CompletableFuture<Boolean> holdOutput() {
    return detached(() -> reference().ask(NodeService::holdOutput));
  }

  public CompletableFuture<Boolean> markLogs() {
    return detached(() -> reference().ask(NodeService::markLogs));
  }

  public CompletableFuture<Boolean> releaseOutput() {
    return detached(() -> reference().ask(NodeService::releaseOutput));
  }

  public CompletableFuture<SaveParticipant.Saved[]> copyMarked(String save) {
    return detached(() -> reference().ask(service -> service.copyMarked(save)).join());
  }

  public CompletableFuture<Boolean> completeSave(String save, Store store, String[] journals) {
    return detached(
        () -> reference().ask(service -> service.completeSave(save, store, journals)).join());
  }

  public CompletableFuture<Boolean> endSave() {
    return detached(() -> reference().ask(NodeService::endSave));
  }

  public CompletableFuture<Boolean> hasSave(String save) {
    return detached(() -> reference().ask(service -> service.hasSave(save)).join());
  }

  public CompletableFuture<Boolean> deleteSave(String save) {
    return detached(() -> reference().ask(service -> service.deleteSave(save)).join());
  }

  public CompletableFuture<Suspect[]> suspects() {
    return detached(() -> reference().ask(NodeService::suspects));
  }

  public CompletableFuture<Boolean> collectForOthers() {
    return detached(() -> reference().ask(NodeService::collectForOthers));
  }

  public CompletableFuture<long[]> prepareTrials(long[] candidates) {
    return detached(() -> reference().ask(service -> service.prepareTrials(candidates)));
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

  /**
   * Asks for a report; without the line of the call, whose search would cost more than the call.
   */
  public AwaitedReport report(long visitNanos) {
    var call =
        CallRecorder.record(
            ActiveType.of(NodeService.class), service -> service.report(visitNanos), true);
    return new RemoteReport(
        (CallResult) node.calls().ask(reference(), call.method(), call.arguments(), true, null));
  }

  public CompletableFuture<Boolean> observe(ObservationTier tier) {
    return reference().ask(service -> service.observe(tier));
  }

  public CompletableFuture<TracePart> trace(long from, int most) {
    return reference().ask(service -> service.trace(from, most));
  }

  public CompletableFuture<RecordingStart> startRecording(
      String settings, long seconds, long mostBytes) {
    return detached(
        () ->
            reference()
                .ask(service -> service.startRecording(settings, seconds, mostBytes))
                .join());
  }

  public CompletableFuture<byte[]> nextOfRecording(long id) {
    return detached(() -> reference().ask(service -> service.nextOfRecording(id)).join());
  }

  public CompletableFuture<Boolean> discardRecording(long id) {
    return detached(() -> reference().ask(service -> service.discardRecording(id)).join());
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

  public CompletableFuture<ObjectReport> objects(ObjectQuery query) {
    return reference().ask(service -> service.objects(query));
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
    return detached(() -> reference().ask(service -> service.suspect(witness, suspect, evidence)));
  }

  public void changed(List<MembershipView.Change> changes) {
    reference().stub().changed(changes);
  }

  public CompletableFuture<Void> end(String reason) {
    return reference().tell(service -> service.end(reason));
  }
}
