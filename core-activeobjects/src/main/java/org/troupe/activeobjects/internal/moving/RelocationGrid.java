package org.troupe.activeobjects.internal.moving;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;

/** The grid in which the objects of a node move. The package of membership implements it. */
public interface RelocationGrid {

  /** Returns the grid as the traffic between nodes uses it. */
  Membership access();

  /** Returns the number of the last view of the grid whose deaths this node has applied. */
  long appliedView();

  /**
   * Returns the number of the last view whose loss of a node this node has applied, perhaps before
   * earlier ones.
   */
  long lastLoss();

  /** Requests from the coordinator where an object is at the moment. */
  CompletableFuture<Located> locate(ObjectIdentity object);

  /** Requests from the coordinator where an object is, when it is not being made anew any more. */
  CompletableFuture<Located> settled(ObjectIdentity object);

  /**
   * Requests from the host of an object those of some unanswered calls that it does not have;
   * {@code null} if the object has left it.
   *
   * @param epoch the epoch in which it is the host
   * @param view the number of the view that it must have applied before it answers
   */
  CompletableFuture<long @Nullable []> missing(
      Peer host, ObjectIdentity object, long[] callIds, int epoch, long view);

  /**
   * Returns those of some calls of this node that other nodes have not answered: an answer that
   * depends on a future is given by the node on which the call was served. Waits for all nodes.
   */
  Set<Long> unanswered(Set<Long> callIds) throws InterruptedException;

  /**
   * Lets another node answer for some objects of this one when all that it has sent to them has
   * arrived, as {@link GuestReleases#answers} describes.
   */
  CompletableFuture<long[]> answers(Peer other, ObjectIdentity[] objects);

  /**
   * Lets a host hold objects weakly, unless they were used after versions of its holds.
   *
   * @param copies how many copies of references to each were given to the host
   */
  void release(Peer host, ObjectIdentity[] objects, long[] versions, int[] copies);

  /** Lets a host hold an object again. */
  void holdAgain(Peer host, ObjectIdentity object);

  /** Requests from a node which of some objects have ended that were there. */
  CompletableFuture<boolean[]> haveEnded(Peer host, ObjectIdentity[] objects);

  /** Lets the coordinator forget an object that has ended. */
  CompletableFuture<Void> forget(ObjectIdentity object, End end);

  /** Returns the end of an object, which is or was on another node. */
  CompletableFuture<End> end(Peer host, ObjectIdentity object);

  /** Returns whether a node is no member, and its calls have been completed if it was one. */
  boolean isGone(NodeId node);

  /** The known whereabouts of an object. */
  enum Standing {
    /** It is, or has ended, on the node that the last grant names. */
    PRESENT,
    /** It was lost with its node, and is being made anew; calls wait. */
    RESTARTING,
    /** It was lost with its node, and is being made anew; calls fail. */
    REFUSING,
    /** It is lost for good, or has ended otherwise, as {@link Located#end} tells. */
    LOST
  }

  /**
   * Where an object is.
   *
   * @param host the node that the last grant names
   * @param address the address of that node
   * @param loss how the object was lost last; empty if it never was, or has never been made anew
   * @param provenance the image, log or constructor from which it was made after that, in the words
   *     of messages; may be empty
   * @param isKept whether it is made from a stored image
   * @param end its end if it was given up, or was forgotten lately as it had ended; else {@code
   *     null}
   */
  record Located(
      NodeId host,
      String address,
      int epoch,
      Standing standing,
      String loss,
      String provenance,
      boolean isKept,
      @Nullable End end) {

    public boolean isLost() {
      return standing == Standing.LOST;
    }

    /** Returns whether the object is being made anew. */
    public boolean isRestarting() {
      return standing == Standing.RESTARTING || standing == Standing.REFUSING;
    }

    public Place place() {
      return new Place(host, epoch);
    }

    /**
     * Returns this answer as a node understands it that knew the object at a place when it asked.
     * Epochs only grow, so a coordinator that names an earlier one has forgotten the object, as it
     * does when an object has ended.
     */
    public Located after(Place known) {
      if (end != null || epoch >= known.epoch()) {
        return this;
      }
      var ended = End.of(End.How.TERMINATED, "the object has been terminated");
      return new Located(
          known.node(), "", known.epoch(), Standing.LOST, loss, provenance, isKept, ended);
    }

    /** Returns a text on the loss of the object and on its restart, for the error of a call. */
    public String story() {
      return loss
          + (isRestarting()
              ? " and is being restarted"
              : " and was restarted on node '"
                  + host
                  + "'"
                  + (provenance.isEmpty() ? "" : " " + provenance));
    }
  }
}
