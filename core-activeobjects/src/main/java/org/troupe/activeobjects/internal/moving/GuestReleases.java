package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.fault.CopyStep;
import org.troupe.activeobjects.internal.listing.DepartedObject.Question;
import org.troupe.activeobjects.internal.listing.GuestHold;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The part of one node in the collection of objects that have moved. */
public final class GuestReleases {

  /*
   * Design: waves of questions
   *
   * With each report on references, a node looks for objects that have left it and may be released (DepartedObject). It asks
   * all nodes about all of them in one wave, on a thread of its own, and begins the next wave when that has ended. Objects that
   * could not be released are tried again after pauses that grow.
   */

  private static final long NOT_NOW = -1;
  private static final long PATIENCE_SECONDS = 10; // for all answers

  private final MovedObjects objects;
  private final NodeObjects node;
  private final AtomicBoolean isAsking = new AtomicBoolean();

  /** An object that may be released, and the question about it. */
  private record Candidate(ObjectIdentity object, Question question) {}

  /**
   * An object that its host is to release.
   *
   * @param version of its hold
   * @param copies how many were given to the host
   */
  private record Released(ObjectIdentity object, long version, int copies) {}

  GuestReleases(MovedObjects objects, NodeObjects node) {
    this.objects = objects;
    this.node = node;
  }

  /** Returns whether an object that is about to leave this node may be collected elsewhere. */
  public boolean mayBeCollected(Body body) {
    var policy = body.restartPolicy();
    return areCopiesCounted(body)
        && !body.isHeldForCalls()
        && !body.type().scheduling().hasOwnService()
        && body.queueBound() == 0
        && policy.scope() == Restart.Scope.NEVER
        && policy.failures().isEmpty()
        && !node.host().keeper().isKept(body);
  }

  private boolean areCopiesCounted(Body body) {
    return body.origin() == null ? node.exports().isCounted(body.number()) : body.copies() != null;
  }

  // The node of the birth

  /** Lets the hosts of objects that have left this node release those that nothing refers to. */
  public void review() {
    if (objects.isOver() || !isAsking.compareAndSet(false, true)) {
      return;
    }
    List<Candidate> candidates = new ArrayList<>();
    for (var number : node.exports().unreleased()) {
      var object = objects.objectIfKnown(identity(number));
      var question = node.exports().question(number);
      if (object != null && question != null && !object.isReferredTo()) {
        candidates.add(new Candidate(object.identity(), question));
      }
    }
    if (candidates.isEmpty()) {
      isAsking.set(false);
      return;
    }
    Thread.startVirtualThread(
        () -> {
          try {
            ask(candidates);
          } catch (ExecutionException | TimeoutException | NodeLostException e) {
            // A node was lost, or did not answer in time; the next wave asks again.
          } catch (InterruptedException e) {
            throw new AssertionError("nothing interrupts this thread", e);
          } finally {
            isAsking.set(false);
          }
        });
  }

  private void ask(List<Candidate> candidates)
      throws ExecutionException, InterruptedException, TimeoutException {
    var asked = candidates.stream().map(Candidate::object).toArray(ObjectIdentity[]::new);
    Map<Long, CompletableFuture<long[]>> open = new LinkedHashMap<>();
    for (var each : objects.peers()) {
      open.put(each.id().incarnation(), objects.grid().answers(each, asked));
    }
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    Map<Long, long[]> answers = new LinkedHashMap<>();
    for (var each : open.entrySet()) {
      answers.put(each.getKey(), await(each.getValue(), deadline));
    }
    answers.put(node.id().incarnation(), await(answers(asked), deadline)); // last
    Map<Long, List<Released>> released = new LinkedHashMap<>();
    for (var i = 0; i < asked.length; i++) {
      var question = candidates.get(i).question();
      var version = version(answers, i, question.host());
      if (version != NOT_NOW && node.exports().release(asked[i].number(), question)) {
        released
            .computeIfAbsent(question.host(), _ -> new ArrayList<>())
            .add(new Released(asked[i], version, question.copies()));
      }
    }
    released.forEach(this::release);
  }

  private static long[] await(CompletableFuture<long[]> answer, long deadline)
      throws ExecutionException, InterruptedException, TimeoutException {
    return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Returns the version of the hold on an object; {@link #NOT_NOW} if a node may need it. */
  private long version(Map<Long, long[]> answers, int index, long host) {
    var isUsed = answers.values().stream().anyMatch(its -> its[index] == NOT_NOW);
    var atHost = answers.get(host);
    if (isUsed || atHost == null) {
      return NOT_NOW;
    }
    var isHere = host == node.id().incarnation() || atHost[index] != GuestHold.NONE;
    return isHere ? atHost[index] : NOT_NOW;
  }

  private void release(long host, List<Released> released) {
    var its = released.stream().map(Released::object).toArray(ObjectIdentity[]::new);
    var versions = released.stream().mapToLong(Released::version).toArray();
    var copies = released.stream().mapToInt(Released::copies).toArray();
    withPeer(host, each -> objects.grid().release(each, its, versions, copies));
    CopyStep.RELEASE_SENT.passes(node.id());
  }

  private void withPeer(long incarnation, Consumer<Peer> action) {
    objects.peers().stream().filter(each -> each.id().incarnation() == incarnation).forEach(action);
  }

  private ObjectIdentity identity(long number) {
    return new ObjectIdentity(node.id(), objects.grid().access().address(), number);
  }

  /** Lets a node hold an object of this one again that it was let release. */
  public void holdAgain(long host, long number) {
    Thread.startVirtualThread( // without the locks of the caller
        () -> {
          if (!objects.isOver()) {
            withPeer(host, each -> objects.grid().holdAgain(each, identity(number)));
          }
        });
  }

  // All nodes

  /**
   * Returns answers for some objects when all has arrived that this node has sent to them, or
   * forwards, and has told its changes of references before. An answer is the version of the hold
   * on an object that is here, {@link GuestHold#NONE} for another one, or negative if the object
   * must not be released.
   */
  public CompletableFuture<long[]> answers(ObjectIdentity[] asked) {
    CopyStep.ASKED.passes(node.id());
    var answers = new long[asked.length];
    List<CompletableFuture<Void>> flushes = new ArrayList<>();
    for (var i = 0; i < asked.length; i++) {
      var each = asked[i];
      var index = i;
      var version = node.remoteObjects().version(each); // first: a later message changes it
      answers[i] = version;
      if (version == GuestHold.NONE && node.remoteObjects().isReferredTo(each)) {
        answers[i] = NOT_NOW;
        continue;
      }
      var object = objects.objectIfKnown(each);
      if (object != null) {
        flushes.add(
            object.flush().thenAccept(isFlushed -> answers[index] = isFlushed ? version : NOT_NOW));
      }
    }
    return CompletableFuture.allOf(flushes.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            _ -> {
              node.remoteObjects().tell();
              return answers;
            });
  }

  /** Holds guests weakly, unless they were used since, or copies are on their way. */
  public void release(ObjectIdentity[] guests, long[] versions, int[] copies) {
    for (var i = 0; i < guests.length; i++) {
      if (node.remoteObjects().release(guests[i], versions[i], copies[i])) {
        CopyStep.RELEASED.passes(node.id());
      }
    }
  }

  /** Ends an object that had moved to this node and was collected. */
  public void collectedGuest(RemoteNode birth, long number) {
    ended(new ObjectIdentity(birth.id(), Peer.of(birth).address(), number));
  }

  /** Ends an object that had come home to this node and was collected. */
  public void collected(long number) {
    var end = ended(identity(number));
    Thread.startVirtualThread(() -> node.exports().endedElsewhere(number, end));
  }

  private End ended(ObjectIdentity identity) {
    var end = End.of(End.How.COLLECTED, identity + " was collected, as nothing referred to it");
    Thread.startVirtualThread( // without the locks of the caller
        () -> {
          var object = objects.objectIfKnown(identity);
          if (object != null && !objects.isOver()) {
            object.ended(end);
            objects.grid().forget(identity, end);
          }
        });
    return end;
  }
}
