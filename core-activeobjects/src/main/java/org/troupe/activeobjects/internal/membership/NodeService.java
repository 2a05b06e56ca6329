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
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.CodeSources;
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
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/**
 * The service of a node for other nodes: an active object, the first of every node. Its methods are
 * the protocol between nodes, above frames.
 */
public class NodeService implements MiddlewareObject {

  private final LocalNode node;

  public NodeService(LocalNode node) {
    this.node = node;
  }

  /** Returns the grid that the current request came from; a launcher is a member of several. */
  private GridMembership grid() {
    var peer = from();
    return node.memberships()
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

  /** Creates an active object and returns its stub. */
  @Immediate
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

  /** Makes an object active, which is a copy already, and returns its stub. */
  @Immediate
  public Object adopt(Object object, Options options) throws UnsuitableClassException {
    return node.objects().factory().adopt(object, options).stub();
  }

  /** Returns the stub of a registered object. */
  @Immediate
  public Object lookup(String name, String type) throws IllegalArgumentException {
    return node.objects().names().lookup(name, node.classes().find(type, from().classes())).stub();
  }

  /** Registers an object, given by its stub. */
  @Immediate
  public boolean register(String name, Object stub) {
    node.objects().names().register(name, Objects.requireNonNull(Reference.behind(stub), "a stub"));
    return true;
  }

  /** Returns a future that completes with the end of an object of this node. */
  @Immediate
  public CompletableFuture<End> endOf(long number) {
    var objects = node.objects();
    var body = objects.body(number);
    return body == null
        ? CompletableFuture.completedFuture(objects.recordedEnd(number))
        : objects.exports().watch(body).asCompletableFuture();
  }

  /** Lets an object of this node, or one that has left it, end with another, given by its stub. */
  @Immediate
  public CompletableFuture<Void> follow(ObjectIdentity object, Object leader) {
    return grid().moving().links().follow(object, Reference.require(leader)).asCompletableFuture();
  }

  /** Stores an image of an object of this node. */
  @Immediate
  public CompletableFuture<Void> checkpoint(ObjectIdentity object) {
    var objects = node.objects();
    var number = object.number();
    var isBornHere = object.birth().equals(objects.id());
    var guest = node.moved().here(object.birth(), number);
    var body = guest == null && isBornHere ? objects.body(number) : guest;
    return body == null
        ? CompletableFuture.failedFuture(
            new ObjectTerminatedException(
                isBornHere ? objects.recordedEnd(number).why() : object + " has ended"))
        : objects.host().keeper().checkpoint(body);
  }

  /** Moves an object of this node, or one that has left it. */
  @Immediate
  public CompletableFuture<Void> move(ObjectIdentity object, NodeId to, long patienceNanos) {
    return grid().moving().mover().move(object, to, patienceNanos);
  }

  /** Receives the image of an object; returns whether it can be served here. */
  @Immediate
  public boolean arrive(
      ObjectIdentity identity, int epoch, Object object, ObjectMover.Luggage luggage)
      throws IOException {
    return grid().moving().mover().arrive(identity, epoch, object, luggage, from().id());
  }

  /** Moves the objects of this node to others; returns the stubs of those that stay. */
  @Immediate
  public CompletableFuture<Object[]> evacuate(NodeId[] destinations) {
    var evacuation = grid().moving().evacuation();
    return Evacuation.onThread(() -> evacuation.run(List.of(destinations)));
  }

  /** Moves the objects that are to leave with this node, which is about to end. */
  @Immediate
  public CompletableFuture<Void> leaveAlong() {
    var evacuation = grid().moving().evacuation();
    return Evacuation.onThread(evacuation::leaveAlong);
  }

  /** Returns how many objects of this node other nodes refer to. */
  @Immediate
  public int objects() {
    return node.objects().bodies().size();
  }

  /** Forgets an image whose move was refused. */
  @Immediate
  public void dismiss(ObjectIdentity identity, int epoch) {
    grid().moving().mover().dismiss(identity, epoch);
  }

  /** Returns a future that completes when an object is served here after a move. */
  @Immediate
  public CompletableFuture<Void> settled(ObjectIdentity identity, int epoch) {
    return grid().moving().mover().settled(identity, epoch);
  }

  /** Returns a future that completes with the end of an object that is or was here after a move. */
  @Immediate
  public CompletableFuture<End> endOfMoved(ObjectIdentity object) {
    return node.moved().endHere(object);
  }

  /**
   * Returns those of some calls of the requesting node that an object of this node lacks; {@code
   * null} if the object has left.
   */
  @Immediate
  public long @Nullable [] missing(ObjectIdentity object, long[] callIds, int epoch, long view)
      throws InterruptedException {
    return node.moved().missing(from(), object, callIds, epoch, view);
  }

  /** Returns those of some calls of the requesting node that this one has not answered. */
  @Immediate
  public long[] unanswered(long[] callIds) {
    var calls = from().incoming();
    return LongStream.of(callIds).filter(calls::hasUnanswered).toArray();
  }

  /** Answers that all messages sent before this call have been taken. */
  @Immediate
  public boolean acknowledge() {
    return true;
  }

  /** Returns how many one-way calls of the requesting node have been served here. */
  @Immediate
  public long served() {
    return from().incoming().oneWayServed();
  }

  // For nodes whose journals have a copy here

  /** Extends the copy of a journal of the requesting node. */
  @Immediate
  public long copy(CopyUpdate update) {
    return node.copies().tracked().take(from().id(), update);
  }

  /** Replaces the copy of a journal of the requesting node. */
  @Immediate
  public CompletableFuture<Long> copyWhole(CopyUpdate update) {
    return node.copies().tracked().takeWhole(from().id(), update);
  }

  /**
   * Returns the heads of the copies of some journals, by their names, when this node has applied
   * all changes of the grid up to a number.
   */
  @Immediate
  public Map<String, CopyHead> copyHeads(String[] journals, long change)
      throws InterruptedException {
    grid().moving().awaitView(change);
    return node.copies().table().heads(List.of(journals));
  }

  /** Returns the copy of a journal, whose owner is the requesting node from now on. */
  @Immediate
  public CompletableFuture<Optional<CopyUpdate>> claimCopy(String journal, long epoch) {
    return node.copies().table().claim(from().id(), journal, epoch);
  }

  /** Deletes the copy of a journal, if it is the one that is meant. */
  @Immediate
  public CompletableFuture<Boolean> dropCopy(String journal, long birth, long epoch, NodeId owner) {
    return node.copies().table().drop(journal, birth, epoch, owner).thenApply(dropped -> true);
  }

  /** Returns the names of the journals that this node has. */
  @Immediate
  public String[] copyNames() {
    return node.copies().table().names().toArray(String[]::new);
  }

  // For the coordinator that makes save points

  private SaveParticipant saves() {
    return node.objects().host().keeper().saves();
  }

  /** Holds back the output of the logged objects of this node. */
  @Immediate
  public boolean holdOutput() {
    saves().hold();
    return true;
  }

  /** Marks the logs of this node; returns whether all are marked. */
  @Immediate
  public boolean markLogs() {
    return saves().mark();
  }

  /** Lets the output of the logged objects leave again. */
  @Immediate
  public boolean releaseOutput() {
    saves().release();
    return true;
  }

  /** Stores the journals of the marked objects. */
  @Immediate
  public CompletableFuture<SaveParticipant.Saved[]> copyMarked(String save) {
    var participant = saves();
    return Evacuation.onThread(() -> participant.copy(save).toArray(SaveParticipant.Saved[]::new));
  }

  /** Stores the list of the journals of a save point. */
  @Immediate
  public CompletableFuture<Boolean> completeSave(String save, Store store, String[] journals) {
    var participant = saves();
    return Evacuation.onThread(
        () -> {
          participant.complete(save, store, List.of(journals));
          return true;
        });
  }

  /** Ends an attempt of a save point. */
  @Immediate
  public boolean endSave() {
    saves().end();
    return true;
  }

  /** Returns whether a store of this node has a save point. */
  @Immediate
  public CompletableFuture<Boolean> hasSave(String save) {
    var participant = saves();
    return Evacuation.onThread(() -> participant.has(save));
  }

  /** Deletes a save point from the stores of this node. */
  @Immediate
  public CompletableFuture<Boolean> deleteSave(String save) {
    var participant = saves();
    return Evacuation.onThread(
        () -> {
          participant.delete(save);
          return true;
        });
  }

  // For the coordinator that collects cycles

  private ObjectTrials trials() {
    return node.objects().trials();
  }

  /** Returns the objects of this node that may be part of a cycle. */
  @Immediate
  public Suspect[] suspects() {
    return trials().suspects().toArray(Suspect[]::new);
  }

  /** Lets the JVM of this node collect, which may have unused references to suspects. */
  @Immediate
  public boolean collectForOthers() {
    trials().collectForOthers();
    return true;
  }

  /** Prepares the trials of objects; returns the numbers of those that take part. */
  @Immediate
  public long[] prepareTrials(long[] candidates) {
    return CycleCollector.array(
        trials().prepare(grid().coordinatorRole(), LongStream.of(candidates).boxed().toList()));
  }

  /** Puts the prepared objects on trial. */
  @Immediate
  public boolean beginTrials(ObjectName[] participants) {
    trials().begin(grid().coordinatorRole(), Set.of(participants));
    return true;
  }

  /** Returns the present state of the trials. */
  @Immediate
  public TrialReport trialReport() {
    return trials().report(grid().coordinatorRole());
  }

  /** Frees objects that were proved to be garbage. */
  @Immediate
  public boolean free(long[] garbage) {
    trials().free(grid().coordinatorRole(), LongStream.of(garbage).boxed().toList());
    return true;
  }

  /** Lets all objects return from their trials; waits until their references are counted. */
  @Immediate
  public boolean finishTrials() {
    CycleCollector.finish(trials(), grid().coordinatorRole(), node);
    return true;
  }

  /** Ends a round of trials. */
  @Immediate
  public boolean trialsOver() {
    trials().over(grid().coordinatorRole());
    return true;
  }

  /** Returns the code source of a class; {@code null} if this node does not know the class. */
  @Immediate
  public CodeSources.@Nullable Source sourceOf(String className) {
    return node.classes().sourceOf(className);
  }

  /** Returns a part of a code source's archive; {@code null} if this node does not have it. */
  @Immediate
  public byte @Nullable [] archivePart(String hash, int offset) throws IOException {
    return node.classes().archivePart(hash, offset);
  }

  /** Returns a report on the state of this node, which looks at objects for some time. */
  @Immediate
  public PackedReport report(long visitNanos) {
    var report = grid().ownReport(visitNanos);
    return new PackedReport(
        report.with(NodeActivity.NONE), ActivityCodec.encode(report.activity()));
  }

  /** Changes what this node records of requests. */
  @Immediate
  public boolean observe(ObservationTier tier) {
    TierSwitch.set(tier);
    return true;
  }

  /** Returns a part of the trace of this node. */
  @Immediate
  public TracePart trace(long from, int most) {
    return node.objects().observer().traced(from, most);
  }

  /** Starts a recording of this JVM by its flight recorder. */
  @Immediate
  public CompletableFuture<RecordingStart> startRecording(
      String settings, long seconds, long mostBytes) {
    return Evacuation.onThread(() -> NodeRecordings.start(settings, seconds, mostBytes));
  }

  /** Returns the next part of a recording; empty after the last one. */
  @Immediate
  public CompletableFuture<byte[]> nextOfRecording(long id) {
    return Evacuation.onThread(() -> NodeRecordings.next(id));
  }

  /** Deletes a recording. */
  @Immediate
  public CompletableFuture<Boolean> discardRecording(long id) {
    return Evacuation.onThread(() -> NodeRecordings.discard(id));
  }

  /** Returns the events of this node behind a number, as far as it still knows them. */
  @Immediate
  public NodeEvent[] events(long behind) {
    return node.objects().observer().events().behind(behind).toArray(NodeEvent[]::new);
  }

  /** Describes an object; empty if it is not on this node. */
  @Immediate
  public Optional<ObjectDetail> object(String birth, long number) {
    return ObjectSearch.of(node, birth, number);
  }

  /** Lists the futures of this node that have not arrived. */
  @Immediate
  public FutureReport futures(int most) {
    return FutureListing.of(node, most);
  }

  /** Returns a report on the active objects of this node. */
  @Immediate
  public ObjectReport objects(ObjectQuery query) {
    return ObjectListing.of(node, query);
  }

  /** Returns the state of the active objects and the stack traces of all threads, as text. */
  @Immediate
  public String stack() throws IOException {
    return SelfReport.stack(node.objects().bodies());
  }

  // For the coordinator

  /**
   * Returns the announcement of a code source of the deployed program; {@code null} if the program
   * does not include it.
   */
  @Immediate
  public ClassAccess.@Nullable Announced announced(String hash) {
    return node.classes().announced(hash);
  }

  /** Adds a node to the grid. */
  @Immediate
  public MembershipView.Admission join(NodeDescription member) {
    var role = grid().coordinatorRole();
    return new MembershipView.Admission(role.joined(member), grid().run(), role.outlived());
  }

  /** Returns the description of a member; {@code null} if the node is not one. */
  @Immediate
  public @Nullable NodeDescription member(NodeId id) {
    return grid().moving().described(id);
  }

  /** Grants the move of an object. */
  @Immediate
  public boolean grant(ObjectIdentity object, NodeId from, int epoch, NodeId to) {
    return grid().coordinatorRole().granted(object, from, epoch, to);
  }

  /** Forgets an object that has ended. */
  @Immediate
  public void forget(ObjectIdentity object, End end) {
    grid().coordinatorRole().forget(object, from().id(), end);
  }

  /** Returns a named object, which is made if there is none. */
  @Immediate
  public CompletableFuture<NamedObjects.Named> named(NamedObjects.Request request) {
    return grid().coordinatorRole().names().named(request);
  }

  /** Returns a named object if there is one. */
  @Immediate
  public CompletableFuture<Optional<NamedObjects.Named>> find(String key) {
    return grid().coordinatorRole().names().find(key);
  }

  /** Returns the number of the last change of the grid. */
  @Immediate
  public long lastChange() {
    return grid().coordinatorRole().lastChange();
  }

  /** Returns where an object is at the moment. */
  @Immediate
  public RelocationGrid.Located locate(ObjectIdentity object) {
    return grid().coordinatorRole().located(object);
  }

  /** Returns where an object is when it is not being made anew any more. */
  @Immediate
  public CompletableFuture<RelocationGrid.Located> locateSettled(ObjectIdentity object) {
    return grid().coordinatorRole().settled(object);
  }

  /** Supervises an object of the requesting node. */
  @Immediate
  public void supervise(ObjectIdentity object, Supervised what) {
    grid().coordinatorRole().supervise(object, from().id(), what);
  }

  /** Records whether a supervised object sleeps on the requesting node. */
  @Immediate
  public void isAsleep(ObjectIdentity object, boolean isAsleep) {
    grid().coordinatorRole().supervisor().isAsleep(object, from().id(), isAsleep);
  }

  /** Counts a failure of a supervised object on the requesting node. */
  @Immediate
  public void failed(ObjectIdentity object, String what) {
    grid().coordinatorRole().supervisor().failed(object, from().id(), what);
  }

  /** Records that a supervised object of the requesting node watches another. */
  @Immediate
  public void watches(ObjectIdentity object, ObjectIdentity leader, Object stubOfLeader) {
    grid().coordinatorRole().supervisor().watches(object, leader, stubOfLeader);
  }

  /** Records that a supervised object of the requesting node does not watch another any more. */
  @Immediate
  public void watchesNoLonger(ObjectIdentity object, ObjectIdentity leader) {
    grid().coordinatorRole().supervisor().watchesNoLonger(object, from().id(), leader);
  }

  /** Records that the requesting node has applied the loss of another. */
  @Immediate
  public void acknowledged(long number) {
    grid().coordinatorRole().supervisor().acknowledged(from().id(), number);
  }

  /**
   * Records that the requesting member has stated what it has received from the nodes that were
   * lost up to a view.
   */
  @Immediate
  public boolean stated(long view) {
    grid().coordinatorRole().stated(from().id(), view);
    return true;
  }

  /** Removes a node that leaves in an orderly way. */
  public void leave(NodeId member) {
    grid().coordinatorRole().left(member);
  }

  /** Handles the request of a node to leave in an orderly way. */
  public void askToLeave(NodeId member, String reason) {
    grid().coordinatorRole().askedToLeave(member, reason);
  }

  /**
   * Handles the report of a member that it cannot reach another; returns whether the suspect is
   * still a member, or how it died.
   */
  public MembershipView.Standing suspect(NodeId witness, NodeId suspect, String evidence) {
    return grid().coordinatorRole().suspected(witness, suspect, evidence);
  }

  // For members

  /** Applies changes of the grid; called in the order of the changes. */
  public void changed(List<MembershipView.Change> changes) {
    grid().changed(changes);
  }

  /** Handles the grant of a move; called in one order with the changes of the grid. */
  public void granted(ObjectIdentity object, int epoch, NodeId from, NodeId to, String address) {
    node.moved().granted(object, epoch, from, to, address);
  }

  /**
   * Makes an object anew that was lost with its node; the future completes when it is served, or
   * given up.
   */
  @Immediate
  public CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) throws IOException {
    return grid().moving().restarter().embody(order, from().classes());
  }

  /** Makes an object with a name; it is supervised when this returns. */
  @Immediate
  public ObjectIdentity createNamed(NamedObjects.Request request) throws Exception {
    return grid().moving().restarter().create(request, from().classes());
  }

  /** Handles the news that all members have stated what they received from lost nodes. */
  public void settled(long view) {
    node.objects().exports().settled(grid().coordinatorRole(), view);
  }

  /** Ends this node, which records the reason and leaves. */
  public void end(String reason) {
    grid().toEnd(reason);
  }
}
