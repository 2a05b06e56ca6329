package org.troupe.activeobjects.internal.service;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.activeobjects.internal.call.LendsArguments;
import org.troupe.activeobjects.internal.call.ServedOnReceipt;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.classes.CodeSources;
import org.troupe.activeobjects.internal.copies.CopyHead;
import org.troupe.activeobjects.internal.copies.CopyUpdate;
import org.troupe.activeobjects.internal.listing.ObjectName;
import org.troupe.activeobjects.internal.listing.Suspect;
import org.troupe.activeobjects.internal.listing.TrialReport;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.SaveParticipant;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.activeobjects.internal.supervision.Supervisor;

/**
 * The service of a node for other nodes: an active object, the first of every node. Its methods are
 * the protocol between nodes, above frames.
 */
public interface NodeService extends MiddlewareObject {

  // For every node

  /** Creates an active object and returns its stub. */
  @Immediate
  Object create(String type, Options options, Object[] arguments) throws Exception;

  /** Makes an object active, which is a copy already, and returns its stub. */
  @Immediate
  Object adopt(Object object, Options options) throws UnsuitableClassException;

  /** Returns the stub of a registered object. */
  @Immediate
  Object lookup(String name, String type) throws IllegalArgumentException;

  /** Registers an object, given by its stub. */
  @Immediate
  boolean register(String name, Object stub);

  /** Returns a future that completes with the end of an object of this node. */
  @Immediate
  CompletableFuture<End> endOf(long number);

  /**
   * Lets an object of this node, or one that has left it, end with another.
   *
   * @param leader the stub of the other, or its end
   */
  @Immediate
  CompletableFuture<Void> follow(ObjectIdentity object, Object leader);

  /** Stores an image of an object of this node. */
  @Immediate
  CompletableFuture<Void> checkpoint(ObjectIdentity object);

  /**
   * Moves an object of this node, or one that has left it; returns the epoch in which it is there.
   */
  @Immediate
  CompletableFuture<Integer> move(ObjectIdentity object, NodeId to, long patienceNanos);

  /**
   * Receives the image of an object; returns whether it can be served here. The object does not run
   * before the answer. If its move fails at the same moment, the image is not used.
   */
  @Immediate
  @LendsArguments
  boolean arrive(ObjectIdentity identity, int epoch, Object object, Luggage luggage)
      throws IOException;

  /** Moves the objects of this node to others; returns the stubs of those that stay. */
  @Immediate
  CompletableFuture<Object[]> evacuate(NodeId[] destinations);

  /** Moves the objects that are to leave with this node, which is about to end. */
  @Immediate
  CompletableFuture<Void> leaveAlong();

  /** Returns how many objects of this node other nodes refer to. */
  @Immediate
  int objects();

  /** Forgets an image whose move was refused. */
  @Immediate
  @ServedOnReceipt
  void dismiss(ObjectIdentity identity, int epoch);

  /** Returns a future that completes when objects are served here after their moves. */
  @Immediate
  @ServedOnReceipt
  CompletableFuture<Void> settled(ObjectEpoch[] objects);

  /** Returns a future that completes with the end of an object that is or was here after a move. */
  @Immediate
  @ServedOnReceipt
  CompletableFuture<End> endOfMoved(ObjectIdentity object);

  /**
   * Returns those of some calls of the requesting node that an object of this node lacks; {@code
   * null} if the object has left.
   */
  @Immediate
  long @Nullable [] missing(ObjectIdentity object, long[] callIds, int epoch, long view)
      throws InterruptedException;

  /** Answers for some objects of the requesting node before they are released. */
  @Immediate
  CompletableFuture<long[]> answersForRelease(ObjectIdentity[] objects);

  /** Holds objects weakly that have moved to this node, unless they were used since. */
  @Immediate
  void release(ObjectIdentity[] objects, long[] versions, int[] copies);

  /** Holds an object again that has moved to this node, if it was not collected. */
  @Immediate
  void holdAgain(ObjectIdentity object);

  /** Returns which of some objects have ended that were on this node, or were created here. */
  @Immediate
  boolean[] haveEnded(ObjectIdentity[] objects);

  /** Returns those of some calls of the requesting node that this one has not answered. */
  @Immediate
  long[] unanswered(long[] callIds);

  /** Answers that all messages sent before this call have been taken. */
  @Immediate
  @ServedOnReceipt
  boolean acknowledge();

  /** Returns how many one-way calls of the requesting node have been served here. */
  @Immediate
  long served();

  /**
   * Returns a future that completes when so many one-way calls of the requesting node have been
   * served here.
   */
  @Immediate
  CompletableFuture<Boolean> whenServed(long calls);

  // For nodes whose journals have a copy here

  /** Extends the copy of a journal of the requesting node. */
  @Immediate
  long copy(CopyUpdate update);

  /** Replaces the copy of a journal of the requesting node. */
  @Immediate
  CompletableFuture<Long> copyWhole(CopyUpdate update);

  /**
   * Returns the heads of the copies of some journals, by their names, when this node has applied
   * all changes of the grid up to a number.
   */
  @Immediate
  Map<String, CopyHead> copyHeads(String[] journals, long change) throws InterruptedException;

  /** Returns the copy of a journal, whose owner is the requesting node from now on. */
  @Immediate
  CompletableFuture<Optional<CopyUpdate>> claimCopy(String journal, long epoch);

  /** Deletes the copy of a journal, if it is the one that is meant. */
  @Immediate
  CompletableFuture<Boolean> dropCopy(String journal, long birth, long epoch, NodeId owner);

  /** Returns the names of the journals that this node has. */
  @Immediate
  String[] copyNames();

  // For the coordinator that makes save points

  /** Holds back the output of the logged objects of this node. */
  @Immediate
  boolean holdOutput();

  /** Marks the logs of this node; returns whether all are marked. */
  @Immediate
  boolean markLogs();

  /** Lets the output of the logged objects leave again. */
  @Immediate
  boolean releaseOutput();

  /** Stores the journals of the marked objects. */
  @Immediate
  CompletableFuture<SaveParticipant.Saved[]> copyMarked(String save);

  /** Stores the list of the journals of a save point. */
  @Immediate
  CompletableFuture<Boolean> completeSave(String save, Store store, String[] journals);

  /** Ends an attempt of a save point. */
  @Immediate
  boolean endSave();

  /** Returns whether a store of this node has a save point. */
  @Immediate
  CompletableFuture<Boolean> hasSave(String save);

  /** Deletes a save point from the stores of this node. */
  @Immediate
  CompletableFuture<Boolean> deleteSave(String save);

  // For the coordinator that collects cycles

  /** Returns the objects of this node that may be part of a cycle. */
  @Immediate
  Suspect[] suspects();

  /** Lets the JVM of this node collect, which may have unused references to suspects. */
  @Immediate
  boolean collectForOthers();

  /** Prepares the trials of objects; returns the numbers of those that take part. */
  @Immediate
  long[] prepareTrials(long[] candidates);

  /** Puts the prepared objects on trial. */
  @Immediate
  boolean beginTrials(ObjectName[] participants);

  /** Returns the present state of the trials. */
  @Immediate
  TrialReport trialReport();

  /** Frees objects that were proved to be garbage. */
  @Immediate
  boolean free(long[] garbage);

  /** Lets all objects return from their trials; waits until their references are counted. */
  @Immediate
  boolean finishTrials();

  /** Ends a round of trials. */
  @Immediate
  boolean trialsOver();

  // For nodes that load classes from here

  /** Returns the code source of a class; {@code null} if this node does not know the class. */
  @Immediate
  CodeSources.@Nullable Source sourceOf(String className);

  /** Returns a part of a code source's archive; {@code null} if this node does not have it. */
  @Immediate
  byte @Nullable [] archivePart(String hash, int offset) throws IOException;

  // For reports on this node

  /** Returns a report on the state of this node, which looks at objects for some time. */
  @Immediate
  PackedReport report(long visitNanos);

  /** Changes what this node records of requests. */
  @Immediate
  boolean observe(ObservationTier tier);

  /** Returns a part of the trace of this node. */
  @Immediate
  TracePart trace(long from, int most);

  /** Starts a recording of this JVM by its flight recorder. */
  @Immediate
  CompletableFuture<RecordingStart> startRecording(String settings, long seconds, long mostBytes);

  /** Returns the next part of a recording; empty after the last one. */
  @Immediate
  CompletableFuture<byte[]> nextOfRecording(long id);

  /** Deletes a recording. */
  @Immediate
  CompletableFuture<Boolean> discardRecording(long id);

  /** Returns the events of this node behind a number, as far as it still knows them. */
  @Immediate
  NodeEvent[] events(long behind);

  /** Describes an object; empty if it is not on this node. */
  @Immediate
  Optional<ObjectDetail> object(String birth, long number);

  /** Lists the futures of this node that have not arrived. */
  @Immediate
  FutureReport futures(int most);

  /** Lists what this node has sent to another one; empty if it has no link to it. */
  @Immediate
  Optional<PairDetail> pair(String other);

  /** Returns a report on the active objects of this node. */
  @Immediate
  ObjectReport objects(ObjectQuery query);

  /**
   * Returns a future that completes when other nodes have served the one-way calls of this one; its
   * value is their number.
   */
  @Immediate
  CompletableFuture<Long> callsServed();

  /** Returns a future that completes when the failures known to this node have been reported. */
  @Immediate
  CompletableFuture<Boolean> failuresReported();

  /** Returns the state of the active objects and the stack traces of all threads, as text. */
  @Immediate
  String stack() throws IOException;

  // For the coordinator

  /**
   * Returns the announcement of a code source of the deployed program; {@code null} if the program
   * does not include it.
   */
  @Immediate
  ClassAccess.@Nullable Announced announced(String hash);

  /** Adds a node to the grid. */
  @Immediate
  MembershipView.Admission join(NodeDescription member);

  /** Returns the description of a member; {@code null} if the node is not one. */
  @Immediate
  @Nullable NodeDescription member(NodeId id);

  /** Grants moves of objects from the requesting node; returns which are granted. */
  @Immediate
  @ServedOnReceipt
  boolean[] grant(ObjectEpoch[] objects, NodeId to);

  /** Forgets an object that has ended. */
  @Immediate
  void forget(ObjectIdentity object, End end);

  /** Returns a named object, which is made if there is none. */
  @Immediate
  CompletableFuture<NamedObjects.Named> named(NamedObjects.Request request);

  /** Returns a named object if there is one. */
  @Immediate
  CompletableFuture<Optional<NamedObjects.Named>> find(String key);

  /** Returns whether the nodes of the grid are about to end. */
  @Immediate
  @ServedOnReceipt
  boolean isEnding();

  /** Returns the number of the last change of the grid. */
  @Immediate
  long lastChange();

  /** Returns where an object is at the moment. */
  @Immediate
  RelocationGrid.Located locate(ObjectIdentity object);

  /** Returns where an object is when it is not being made anew any more. */
  @Immediate
  CompletableFuture<RelocationGrid.Located> locateSettled(ObjectIdentity object);

  /** Supervises an object of the requesting node. */
  @Immediate
  void supervise(ObjectIdentity object, Supervised what);

  /** Records whether a supervised object sleeps on the requesting node. */
  @Immediate
  void isAsleep(ObjectIdentity object, boolean isAsleep);

  /** Counts a failure of a supervised object on the requesting node. */
  @Immediate
  void failed(ObjectIdentity object, String what);

  /** Records that a supervised object of the requesting node watches another. */
  @Immediate
  void watches(ObjectIdentity object, ObjectIdentity leader, Object stubOfLeader);

  /** Records that a supervised object of the requesting node does not watch another any more. */
  @Immediate
  void watchesNoLonger(ObjectIdentity object, ObjectIdentity leader);

  /** Records that the requesting node has applied the loss of another. */
  @Immediate
  void acknowledged(long number);

  /**
   * Records that the requesting member has stated what it has received from the nodes that were
   * lost up to a view.
   */
  @Immediate
  boolean stated(long view);

  /** Removes a node that leaves in an orderly way. */
  void leave(NodeId member);

  /** Handles the request of a node to leave in an orderly way. */
  void askToLeave(NodeId member, String reason);

  /**
   * Handles the report of a member that it cannot reach another; returns whether the suspect is
   * still a member, or how it died.
   */
  MembershipView.Standing suspect(NodeId witness, NodeId suspect, String evidence);

  // For members

  /** Applies changes of the grid; called in the order of the changes. */
  void changed(List<MembershipView.Change> changes);

  /** Handles the grants of moves; called in one order with the changes of the grid. */
  @ServedOnReceipt
  void granted(ObjectEpoch[] moves, NodeId from, NodeId to);

  /**
   * Makes an object anew that was lost with its node; the future completes when it is served, or
   * given up.
   */
  @Immediate
  CompletableFuture<Supervisor.Made> embody(Supervisor.Order order) throws IOException;

  /** Makes an object with a name; it is supervised when this returns. */
  @Immediate
  ObjectIdentity createNamed(NamedObjects.Request request) throws Exception;

  /** Handles the news that all members have stated what they received from lost nodes. */
  void settled(long view);

  /** Ends this node, which records the reason and leaves. */
  void end(String reason);
}
