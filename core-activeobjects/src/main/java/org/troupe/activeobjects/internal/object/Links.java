package org.troupe.activeobjects.internal.object;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.collective.ResultSources;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Links between objects, each of which ends when the other fails or is lost. */
public final class Links {

  /*
   * Design: a link is two watches
   *
   * The node of each of the two objects waits for the end of the other one. A link therefore does not depend on the
   * node that has made it. The two directions are established independently: if the node of an object is lost before it
   * knows of the link, the other object learns of that loss by its own watch.
   *
   * A watch ends with the first end of the two, on both nodes, so that an object linked to many short-lived ones keeps
   * nothing of those that are gone. A link keeps neither object alive for longer than the other.
   *
   * A watch moves with its follower: the image of the follower names the objects that it watches, and the next node
   * watches them from the grant of the move on. The former node passes on those that have begun since the image, when
   * the follower has left; a later watch finds that it has. An end that becomes known while the follower
   * leaves takes effect on the node that it is on afterwards, to which the former node passes it on: the leader, of
   * which that may be the birthplace, is unknown there when it has ended.
   *
   * If the follower is restarted on another node when its own is lost, the coordinator knows what it watches, and its
   * next node watches the same objects. So a link holds only when the coordinator has acknowledged the watch. The
   * coordinator is told of each watch that begins or ends, and of the end after the begin has been acknowledged: lists
   * of all watches could overtake each other, or be sent while a new node is halfway through watching.
   *
   * The reason of the first end is passed on unchanged along chains of links, so that it does not grow with them.
   */
  private static final String PREFIX = "an object that it was linked to has ended: ";

  private static final CompletableFuture<Void> COMPLETED = CompletableFuture.completedFuture(null);

  private Links() {}

  /** Returns the result that arrives when two objects watch each other. */
  static FutureResult<Void> between(Reference<?> one, Ref<?> other) {
    if (!(other instanceof Reference<?> two)) {
      throw new IllegalArgumentException(
          "linkTo was given " + other + "; give the ref of an active object");
    }
    var node = one.runtime();
    List<FutureResult<?>> asked = List.of(request(one, two), request(two, one));
    var linked =
        new DerivedResult<Void>(
            node.waiting(),
            node.failures(),
            node.callerHere(),
            () -> "the link of " + one + " to " + two,
            () -> ResultSources.all(asked));
    var left = new AtomicInteger(asked.size());
    for (var each : asked) {
      each.claim();
      each.onSettled(
          outcome -> {
            if (outcome.settled() instanceof Outcome.Failure<?>(Throwable failure)
                && !(failure instanceof NodeLostException)) {
              linked.settle(new Outcome.Failure<>(failure));
            } else if (left.decrementAndGet() == 0) {
              linked.settle(Outcome.withoutValue());
            }
          });
    }
    return linked;
  }

  /** Lets an object watch another; returns the result that arrives when the watch holds. */
  private static FutureResult<?> request(Reference<?> follower, Reference<?> leader) {
    return switch (follower.target()) {
      case Reference.Target.Here(Body body) -> {
        var watching = follow(body, leader);
        yield watching == null ? follower.runtime().host().followMoved(follower, leader) : watching;
      }
      case Reference.Target.Elsewhere elsewhere ->
          elsewhere.home().follow(elsewhere.number(), leader);
    };
  }

  /** Withdraws a watch when its follower has ended. */
  private record Watch(Reference<?> leader, FutureResult<End> end) implements Consumer<End> {

    @Override
    public void accept(End own) {
      end.asCompletableFuture().cancel(false);
    }

    void withdrawFrom(Body follower) {
      follower.removeEndListener(this);
      end.asCompletableFuture().cancel(false);
    }
  }

  /**
   * Lets an object of this node end when another has failed or is lost.
   *
   * @return the result that arrives when the watch outlives this node, if the object does; {@code
   *     null} if the object has left this node
   */
  public static @Nullable FutureResult<Void> follow(Body follower, Reference<?> leader) {
    var node = NodeObjects.of(follower);
    var end = leader.endResult();
    var watch = new Watch(leader, end);
    follower.onEnd(watch);
    var isRestarted = follower.restartPolicy().scope() == Restart.Scope.ELSEWHERE;
    CompletableFuture<Void> recorded =
        isRestarted ? node.host().watches(follower, leader) : COMPLETED;
    end.onSettled(
        outcome -> {
          if (outcome.settled() instanceof Outcome.Success<End>(End its)) {
            if (isRestarted) {
              recorded.thenRun(() -> node.host().watchesNoLonger(follower, leader));
            }
            if (endsFollower(its)) {
              follower.departures().endWith(endWith(its));
            }
          } // else it was withdrawn, and the next node of the follower watches
          follower.removeEndListener(watch); // last: one that is withdrawn before is passed on
        });
    if (follower.hasLeft()) {
      watch.withdrawFrom(follower);
      return null;
    }
    var watching = new FutureResult<Void>(node.waiting());
    recorded.whenComplete(
        (done, failure) ->
            watching.settle(
                failure == null ? Outcome.withoutValue() : new Outcome.Failure<>(failure)));
    return watching;
  }

  /** Returns whether an end is one with which the objects end that are linked to the ended one. */
  public static boolean endsFollower(End end) {
    return end.how() != End.How.TERMINATED && end.how() != End.How.COLLECTED;
  }

  /**
   * Lets an object of this node end with another one that has failed or is lost.
   *
   * @return {@code false} if the object has left this node
   */
  public static boolean end(Body follower, End leader) {
    return !follower.hasLeft()
        && (follower.departures().endWith(endWith(leader)) || !follower.hasLeft());
  }

  /** Returns the end of an object, wherever it is; adds no stage to the current request. */
  public static FutureResult<End> end(Reference<?> leader) {
    return leader.endResult();
  }

  /** Returns the objects that an object of this node watches. */
  public static List<Reference<?>> leaders(Body follower) {
    return leaders(watches(follower));
  }

  /** Ends the watches of an object that has left this node; returns the objects watched. */
  public static List<Reference<?>> withdraw(Body follower) {
    var watches = watches(follower);
    watches.forEach(each -> each.withdrawFrom(follower));
    return leaders(watches);
  }

  private static List<Reference<?>> leaders(List<Watch> watches) {
    List<Reference<?>> leaders = new ArrayList<>(watches.size());
    watches.forEach(each -> leaders.add(each.leader()));
    return leaders;
  }

  // Few objects are linked. For the others a loop takes less time than a stream, above all before
  // it is compiled, as when a node is evacuated.
  private static List<Watch> watches(Body follower) {
    List<Watch> watches = new ArrayList<>(0);
    for (var each : follower.endListeners()) {
      if (each instanceof Watch watch) {
        watches.add(watch);
      }
    }
    return watches;
  }

  private static End endWith(End first) {
    var why = first.why().startsWith(PREFIX) ? first.why() : PREFIX + first.why();
    return new End(End.How.FAILED, why, first.exitReport());
  }
}
