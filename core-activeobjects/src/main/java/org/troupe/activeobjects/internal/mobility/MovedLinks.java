package org.troupe.activeobjects.internal.mobility;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.Links;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Lets objects that may have moved end with others. */
public final class MovedLinks {

  private final MovingGrid grid;
  private final NodeObjects node;
  private final MovedObjects moved;

  /** What an object ends with. */
  private sealed interface Leader {

    /** Another object, when it ends. */
    record Watched(Reference<?> object) implements Leader {}

    /** Another object, which has ended. */
    record Ended(End end) implements Leader {}

    /** Returns what stands for it in a message to another node. */
    default Object message() {
      return switch (this) {
        case Watched(var object) -> object.stub();
        case Ended(End end) -> end;
      };
    }
  }

  MovedLinks(MovingGrid grid, NodeObjects node, MovedObjects moved) {
    this.grid = grid;
    this.node = node;
    this.moved = moved;
  }

  public FutureResult<Void> follow(Peer home, long number, Reference<?> leader) {
    return follow(new ObjectIdentity(home.id(), home.address(), number), leader);
  }

  /**
   * Lets an object end when another has failed or is lost.
   *
   * @return the result that arrives when the node of the object watches the other, or when the
   *     object has ended
   */
  public FutureResult<Void> follow(ObjectIdentity follower, Reference<?> leader) {
    return follow(follower, new Leader.Watched(leader));
  }

  /** Lets an object end with another that has failed or is lost. */
  public FutureResult<Void> end(ObjectIdentity follower, End leader) {
    return follow(follower, new Leader.Ended(leader));
  }

  private FutureResult<Void> follow(ObjectIdentity follower, Leader leader) {
    var result = new FutureResult<Void>(node.waiting());
    follow(follower, leader, result);
    return result;
  }

  private void follow(ObjectIdentity follower, Leader leader, FutureResult<Void> result) {
    var decision = moved.decision(follower);
    if (decision != null) {
      decision.thenRunAsync(() -> follow(follower, leader, result), Thread::startVirtualThread);
      return;
    }
    var place = moved.place(follower.birth(), follower.number());
    followAt(place == null ? follower.birth() : place.node(), follower, leader, result);
  }

  private void followAt(
      NodeId host, ObjectIdentity follower, Leader leader, FutureResult<Void> result) {
    if (!host.equals(node.id())) {
      var answer = grid.serviceOf(host).follow(follower, leader.message());
      answer.claim();
      answer.onSettled(
          outcome -> {
            if (outcome.settled() instanceof Outcome.Failure<?>(Throwable failure)) {
              failed(host, follower, leader, result, failure);
            } else {
              result.settle(Outcome.withoutValue());
            }
          });
      return;
    }
    var body = body(follower);
    if (body != null && follows(body, leader, result)) {
      return;
    }
    if (body != null || moved.mayLive(follower)) { // it has left, and may be back
      Thread.startVirtualThread(() -> follow(follower, leader, result));
    } else {
      result.settle(Outcome.withoutValue());
    }
  }

  /** Lets an object of this node end with another; returns {@code false} if it has left. */
  private static boolean follows(Body follower, Leader leader, FutureResult<Void> result) {
    return switch (leader) {
      case Leader.Watched(var object) -> {
        var watching = Links.follow(follower, object);
        if (watching != null) {
          watching.claim();
          watching.onSettled(result::settle);
        }
        yield watching != null;
      }
      case Leader.Ended(End end) -> {
        var isHere = Links.end(follower, end);
        if (isHere) {
          result.settle(Outcome.withoutValue());
        }
        yield isHere;
      }
    };
  }

  private @Nullable Body body(ObjectIdentity object) {
    var guest = moved.here(object.birth(), object.number());
    return guest == null && object.birth().equals(node.id()) ? node.body(object.number()) : guest;
  }

  /**
   * Finds the node of an object again if the one that hosted it was lost, or tells it the end of an
   * object that was created there and is not known any more.
   */
  private void failed(
      NodeId host,
      ObjectIdentity follower,
      Leader leader,
      FutureResult<Void> result,
      Throwable failure) {
    if (failure.getCause() instanceof ObjectTerminatedException // the message could not be decoded
        && leader instanceof Leader.Watched(var object)) {
      var end = Links.end(object);
      end.claim();
      end.onSettled(outcome -> ended(follower, outcome, result));
      return;
    }
    if (!(failure instanceof NodeLostException)) {
      result.settle(new Outcome.Failure<>(failure));
      return;
    }
    grid.settled(follower)
        .whenCompleteAsync(
            (located, unknown) -> {
              if (unknown != null || located.isLost() || located.host().equals(host)) {
                result.settle(new Outcome.Failure<>(failure));
              } else {
                moved.knows(located.host(), located.address());
                followAt(located.host(), follower, leader, result);
              }
            });
  }

  private void ended(ObjectIdentity follower, Outcome<End> leader, FutureResult<Void> result) {
    var end = leader.settled();
    if (end instanceof Outcome.Failure<End>(Throwable failure)) {
      result.settle(new Outcome.Failure<>(failure));
    } else if (end instanceof Outcome.Success<End>(End its) && Links.endsFollower(its)) {
      follow(follower, new Leader.Ended(its), result);
    } else {
      result.settle(Outcome.withoutValue());
    }
  }
}
