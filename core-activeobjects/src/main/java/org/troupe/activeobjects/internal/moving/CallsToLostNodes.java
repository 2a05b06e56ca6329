package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.Relocations;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.futures.Outcome;

/**
 * The unanswered calls of one node to others that are lost: those to objects that had moved away
 * follow them.
 */
final class CallsToLostNodes {

  private final MovedObjects objects;
  private final ExpectedAnswers expected;
  private final LostOnTheWay lostCalls;

  CallsToLostNodes(MovedObjects objects, LostOnTheWay lostCalls) {
    this.objects = objects;
    this.expected = objects.expected();
    this.lostCalls = lostCalls;
  }

  /** Implements {@link Relocations#lost}. */
  void lost(
      RemoteNode home,
      Supplier<? extends Collection<CallResult>> calls,
      Consumer<List<CallResult>> others) {
    Map<Long, List<CallResult>> byObject = new LinkedHashMap<>();
    List<CallResult> rest = new ArrayList<>();
    synchronized (expected) { // in one step: the next host of an object may answer meanwhile
      for (var each : calls.get()) {
        if (each.target().target() instanceof Reference.Target.Elsewhere there
            && !NodeObjects.isService(there.number())) {
          expected.addLost(each);
          byObject.computeIfAbsent(there.number(), number -> new ArrayList<>()).add(each);
        } else {
          rest.add(each);
        }
      }
    }
    others.accept(rest);
    var address = Peer.of(home).address();
    List<CallResult> lost = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<?>> asked = new ArrayList<>();
    byObject.forEach(
        (number, its) -> {
          var object = new ObjectIdentity(home.id(), address, number);
          asked.add(
              locate(object)
                  .handle(
                      (located, failure) -> {
                        if (failure != null || located.isLost()) {
                          lost.addAll(expected.removeAll(its));
                        } else if (located.loss().isEmpty()) {
                          follow(object, its);
                        } else {
                          expected.removeAll(its).forEach(each -> restarted(located.story(), each));
                        }
                        return null;
                      }));
        });
    CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenRun(() -> others.accept(List.copyOf(lost)));
  }

  /** Locates an object after its loss; waits for one whose callers learn its provenance. */
  private CompletableFuture<RelocationGrid.Located> locate(ObjectIdentity object) {
    return objects
        .grid()
        .locate(object)
        .thenCompose(
            located ->
                located.isKept() && located.standing() == RelocationGrid.Standing.RESTARTING
                    ? objects.grid().settled(object)
                    : CompletableFuture.completedFuture(located));
  }

  /** Looks for calls whose object had left the lost node, since they may follow the object. */
  private void follow(ObjectIdentity identity, List<CallResult> calls) {
    var object = objects.object(identity);
    for (var each : calls) {
      if (expected.follows(each, object)) {
        objects.sent(object, each.callId, each);
      }
    }
    lostCalls.search(object);
  }

  private static void restarted(String story, CallResult call) {
    call.settle(new Outcome.Failure<>(ExpectedAnswers.restarted(story, call)));
  }
}
