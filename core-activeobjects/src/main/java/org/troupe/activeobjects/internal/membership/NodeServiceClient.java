package org.troupe.activeobjects.internal.membership;

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
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.NodeReport;
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
record NodeServiceClient(NodeObjects node, RemoteNode peer) {

  private Reference<NodeService> reference() {
    return new Reference<>(
        node,
        ActiveType.of(NodeService.class),
        new Reference.Target.Elsewhere(peer, NodeObjects.SERVICE_NUMBER, 0),
        null);
  }

  CompletableFuture<Object> create(Class<?> type, Options options, Object[] arguments) {
    return reference().ask(service -> service.create(type.getName(), options, arguments));
  }

  CompletableFuture<Object> adopt(Object object, Options options) {
    return reference().ask(service -> service.adopt(object, options));
  }

  CompletableFuture<Object> lookup(String name, Class<?> type) {
    return reference().ask(service -> service.lookup(name, type.getName()));
  }

  CompletableFuture<Boolean> register(String name, Object stub) {
    return reference().ask(service -> service.register(name, stub));
  }

  CallResult endOf(long number) {
    return result(service -> service.endOf(number));
  }

  CallResult follow(ObjectIdentity object, Object leader) {
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

  CompletableFuture<Void> checkpoint(ObjectIdentity object) {
    return reference().ask(service -> service.checkpoint(object)).join();
  }

  CompletableFuture<Void> move(ObjectIdentity object, NodeId to, long patienceNanos) {
    return reference().ask(service -> service.move(object, to, patienceNanos)).join();
  }

  CompletableFuture<Boolean> arrive(
      ObjectIdentity identity, int epoch, Object object, Luggage luggage) {
    return reference().ask(service -> service.arrive(identity, epoch, object, luggage));
  }

  void dismiss(ObjectIdentity identity, int epoch) {
    reference().stub().dismiss(identity, epoch);
  }

  CompletableFuture<Void> settled(ObjectIdentity identity, int epoch) {
    return reference().ask(service -> service.settled(identity, epoch)).join();
  }

  CompletableFuture<End> endOfMoved(ObjectIdentity object) {
    return detached(() -> reference().ask(service -> service.endOfMoved(object)).join());
  }

  CompletableFuture<long[]> unanswered(long[] callIds) {
    return detached(() -> reference().ask(service -> service.unanswered(callIds)));
  }

  @SuppressWarnings("NullAway") // null: the object has left
  CompletableFuture<long @Nullable []> missing(
      ObjectIdentity object, long[] callIds, int epoch, long view) {
    return detached(
        () -> reference().ask(service -> service.missing(object, callIds, epoch, view)));
  }

  @SuppressWarnings("NullAway") // null: it is no member
  CompletableFuture<@Nullable NodeDescription> member(NodeId id) {
    return reference().ask(service -> service.member(id));
  }

  CompletableFuture<Object[]> evacuate(List<NodeId> destinations) {
    return reference().ask(service -> service.evacuate(destinations.toArray(NodeId[]::new))).join();
  }

  CompletableFuture<Void> leaveAlong() {
    return reference().ask(NodeService::leaveAlong).join();
  }

  CompletableFuture<Integer> objects() {
    return reference().ask(NodeService::objects);
  }

  CompletableFuture<Void> forget(ObjectIdentity object, End end) {
    return detached(() -> reference().tell(service -> service.forget(object, end)));
  }

  CompletableFuture<NamedObjects.Named> named(NamedObjects.Request request) {
    return reference().ask(service -> service.named(request)).join();
  }

  CompletableFuture<Optional<NamedObjects.Named>> find(String key) {
    return reference().ask(service -> service.find(key)).join();
  }

  CompletableFuture<ObjectIdentity> createNamed(NamedObjects.Request request) {
    return reference().ask(service -> service.createNamed(request));
  }

  CompletableFuture<Boolean> grant(ObjectIdentity object, NodeId from, int epoch, NodeId to) {
    return reference().ask(service -> service.grant(object, from, epoch, to));
  }

  CompletableFuture<Long> lastChange() {
    return detached(() -> reference().ask(NodeService::lastChange));
  }

  CompletableFuture<RelocationGrid.Located> locate(ObjectIdentity object) {
    return detached(() -> reference().ask(service -> service.locate(object)));
  }

  CompletableFuture<RelocationGrid.Located> locateSettled(ObjectIdentity object) {
    return detached(() -> reference().ask(service -> service.locateSettled(object)).join());
  }

  CompletableFuture<Void> supervise(ObjectIdentity object, Supervised what) {
    return reference().tell(service -> service.supervise(object, what));
  }

  CompletableFuture<Void> isAsleep(ObjectIdentity object, boolean isAsleep) {
    return detached(() -> reference().tell(service -> service.isAsleep(object, isAsleep)));
  }

  void failed(ObjectIdentity object, String what) {
    reference().stub().failed(object, what);
  }

  CompletableFuture<Void> watches(
      ObjectIdentity object, ObjectIdentity leader, Object stubOfLeader) {
    return reference().tell(service -> service.watches(object, leader, stubOfLeader));
  }

  void watchesNoLonger(ObjectIdentity object, ObjectIdentity leader) {
    reference().stub().watchesNoLonger(object, leader);
  }

  void acknowledged(long number) {
    reference().stub().acknowledged(number);
  }

  CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) {
    return reference().ask(service -> service.embody(order)).join();
  }

  void granted(ObjectIdentity object, int epoch, NodeId from, NodeId to, String address) {
    reference().stub().granted(object, epoch, from, to, address);
  }

  CompletableFuture<Boolean> acknowledge() {
    return reference().ask(NodeService::acknowledge);
  }

  CompletableFuture<Boolean> stated(long view) {
    return reference().ask(service -> service.stated(view));
  }

  void settled(long view) {
    reference().stub().settled(view);
  }

  CompletableFuture<Long> served() {
    return detached(() -> reference().ask(NodeService::served));
  }

  @SuppressWarnings("NullAway") // null: the other node does not have it
  CompletableFuture<CodeSources.Source> sourceOf(String className) {
    return reference().ask(service -> service.sourceOf(className));
  }

  @SuppressWarnings("NullAway") // null: the other node does not have it
  CompletableFuture<byte[]> archivePart(String hash, int offset) {
    return reference().ask(service -> service.archivePart(hash, offset));
  }

  @SuppressWarnings("NullAway") // null: the other node does not have it
  CompletableFuture<ClassAccess.Announced> announced(String hash) {
    return reference().ask(service -> service.announced(hash));
  }

  CompletableFuture<Long> copy(CopyUpdate update) {
    return detached(() -> reference().ask(service -> service.copy(update)));
  }

  CompletableFuture<Long> copyWhole(CopyUpdate update) {
    return detached(() -> reference().ask(service -> service.copyWhole(update)).join());
  }

  /** Waits for the answer in an exchange, which the calling thread reads itself. */
  long copyNow(CopyUpdate update) {
    var reached = new long[1];
    node.waiting().detached(() -> reached[0] = reference().stub().copy(update));
    return reached[0];
  }

  CompletableFuture<Map<String, CopyHead>> copyHeads(String[] journals, long change) {
    return detached(() -> reference().ask(service -> service.copyHeads(journals, change)));
  }

  CompletableFuture<Optional<CopyUpdate>> claimCopy(String journal, long epoch) {
    return detached(() -> reference().ask(service -> service.claimCopy(journal, epoch)).join());
  }

  CompletableFuture<Boolean> dropCopy(String journal, long birth, long epoch, NodeId owner) {
    return detached(
        () -> reference().ask(service -> service.dropCopy(journal, birth, epoch, owner)).join());
  }

  CompletableFuture<String[]> copyNames() {
    return detached(() -> reference().ask(NodeService::copyNames));
  }

  CompletableFuture<Boolean> holdOutput() {
    return detached(() -> reference().ask(NodeService::holdOutput));
  }

  CompletableFuture<Boolean> markLogs() {
    return detached(() -> reference().ask(NodeService::markLogs));
  }

  CompletableFuture<Boolean> releaseOutput() {
    return detached(() -> reference().ask(NodeService::releaseOutput));
  }

  CompletableFuture<SaveParticipant.Saved[]> copyMarked(String save) {
    return detached(() -> reference().ask(service -> service.copyMarked(save)).join());
  }

  CompletableFuture<Boolean> completeSave(String save, Store store, String[] journals) {
    return detached(
        () -> reference().ask(service -> service.completeSave(save, store, journals)).join());
  }

  CompletableFuture<Boolean> endSave() {
    return detached(() -> reference().ask(NodeService::endSave));
  }

  CompletableFuture<Boolean> hasSave(String save) {
    return detached(() -> reference().ask(service -> service.hasSave(save)).join());
  }

  CompletableFuture<Boolean> deleteSave(String save) {
    return detached(() -> reference().ask(service -> service.deleteSave(save)).join());
  }

  CompletableFuture<Suspect[]> suspects() {
    return detached(() -> reference().ask(NodeService::suspects));
  }

  CompletableFuture<Boolean> collectForOthers() {
    return detached(() -> reference().ask(NodeService::collectForOthers));
  }

  CompletableFuture<long[]> prepareTrials(long[] candidates) {
    return detached(() -> reference().ask(service -> service.prepareTrials(candidates)));
  }

  CompletableFuture<Boolean> beginTrials(ObjectName[] participants) {
    return reference().ask(service -> service.beginTrials(participants));
  }

  CompletableFuture<TrialReport> trialReport() {
    return reference().ask(NodeService::trialReport);
  }

  CompletableFuture<Boolean> free(long[] garbage) {
    return reference().ask(service -> service.free(garbage));
  }

  CompletableFuture<Boolean> finishTrials() {
    return reference().ask(NodeService::finishTrials);
  }

  CompletableFuture<Boolean> trialsOver() {
    return reference().ask(NodeService::trialsOver);
  }

  CompletableFuture<NodeReport> report(long visitNanos) {
    return reference().ask(service -> service.report(visitNanos)).thenApply(PackedReport::unpacked);
  }

  CompletableFuture<Boolean> observe(ObservationTier tier) {
    return reference().ask(service -> service.observe(tier));
  }

  CompletableFuture<TracePart> trace(long from, int most) {
    return reference().ask(service -> service.trace(from, most));
  }

  CompletableFuture<RecordingStart> startRecording(String settings, long seconds, long mostBytes) {
    return detached(
        () ->
            reference()
                .ask(service -> service.startRecording(settings, seconds, mostBytes))
                .join());
  }

  CompletableFuture<byte[]> nextOfRecording(long id) {
    return detached(() -> reference().ask(service -> service.nextOfRecording(id)).join());
  }

  CompletableFuture<Boolean> discardRecording(long id) {
    return detached(() -> reference().ask(service -> service.discardRecording(id)).join());
  }

  CompletableFuture<NodeEvent[]> events(long behind) {
    return reference().ask(service -> service.events(behind));
  }

  CompletableFuture<Optional<ObjectDetail>> object(String birth, long number) {
    return reference().ask(service -> service.object(birth, number));
  }

  CompletableFuture<FutureReport> futures(int most) {
    return reference().ask(service -> service.futures(most));
  }

  CompletableFuture<ObjectReport> objects(ObjectQuery query) {
    return reference().ask(service -> service.objects(query));
  }

  CompletableFuture<String> stack() {
    return reference().ask(NodeService::stack);
  }

  CompletableFuture<MembershipView.Admission> join(NodeDescription member) {
    return reference().ask(service -> service.join(member));
  }

  CompletableFuture<Void> leave(NodeId member) {
    return reference().tell(service -> service.leave(member));
  }

  CompletableFuture<Void> askToLeave(NodeId member, String reason) {
    return reference().tell(service -> service.askToLeave(member, reason));
  }

  CompletableFuture<MembershipView.Standing> suspect(
      NodeId witness, NodeId suspect, String evidence) {
    return detached(() -> reference().ask(service -> service.suspect(witness, suspect, evidence)));
  }

  void changed(List<MembershipView.Change> changes) {
    reference().stub().changed(changes);
  }

  CompletableFuture<Void> end(String reason) {
    return reference().tell(service -> service.end(reason));
  }
}
