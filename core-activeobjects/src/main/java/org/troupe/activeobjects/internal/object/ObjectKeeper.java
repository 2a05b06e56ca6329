package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.ObjectImages;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * Keeps the objects of one node in stores. Objects are created without knowledge of images and
 * journals, which the package that implements this interface has.
 */
public interface ObjectKeeper {

  /**
   * Checks, before an object is constructed, that it can be kept as its options say.
   *
   * @throws IllegalArgumentException if not, with the reason
   */
  void require(ActiveType<?> type, Options options);

  /**
   * Stores the first image of an object, if its options say so, before its service begins. Waits
   * for the store.
   *
   * @param key the name of the object in its grid; empty if it has none
   * @throws RuntimeException if that is not possible; the body has ended
   */
  void keep(Body body, Object object, Options options, String key);

  /** Returns how an object is kept; {@code null} if it is not. Waits for nothing. */
  @Nullable Report report(Body body);

  /**
   * How an object is kept, for a listing.
   *
   * @param key its name in the grid; empty if it has none
   * @param logBytes the bytes of its log behind the last image
   * @param isAsleep whether it is in its store only
   * @param replay how far its log has been replayed, in words; empty if it is not being replayed
   */
  record Report(String key, long logBytes, boolean isAsleep, String replay) {}

  /** Deletes the journal of an object whose creation is given up. */
  void discard(Body body);

  /**
   * Opens the journal of an object that was lost with another node. From then on that node can no
   * longer write it.
   *
   * @param epoch the epoch that the coordinator has granted
   * @throws IOException if this node does not see the journal, or cannot read it
   */
  Reopened reopen(Origin.Stored origin, int epoch) throws IOException;

  /**
   * Returns how an object that has moved to this node is made here, once its move is granted: its
   * journal is taken over from its former node.
   *
   * @param object as it was sent
   */
  Origin arriving(Body body, Origin.Stored origin, int epoch, Object object);

  /** A journal that was opened for an object which is to be made from it. */
  interface Reopened {

    /**
     * Lets a body be kept in the journal.
     *
     * @return how its object is made
     */
    Origin keep(Body body);

    /**
     * Returns, once the object is made, a phrase that names the state from which it was made, such
     * as {@code from its state of 12 s ago}; empty if it is as it was.
     */
    String provenance();

    /** Closes the journal, since no body is kept in it. */
    void close();
  }

  /**
   * Records that an object is about to move, so that no further image of it is begun.
   *
   * @return {@code null} if the object is not kept
   * @throws IllegalStateException if it cannot move now
   */
  @Nullable Departing departing(Body body);

  /** A kept object that is about to move. */
  interface Departing {

    /**
     * Waits until the object is not asleep and has no image under way.
     *
     * @throws IllegalStateException if that does not happen within the patience
     */
    void prepare(Deadline patience) throws InterruptedException;

    /** Returns what the image has to wait for, beside requests; {@code null} if nothing. */
    @Nullable String obstacle();

    /** Makes an image, on the thread that serves the object. */
    void makeImage(Object object);

    /** Stores that image. */
    void writeImage() throws IOException;

    /** Continues as before, since the object stays. */
    void stays();

    /** Releases the journal, since the object has left. */
    void left();
  }

  /**
   * Checks that this node sees the journal of an object.
   *
   * @throws IOException if not
   */
  void requireSeen(Origin.Stored origin) throws IOException;

  /**
   * Opens a store for a run, and reads its objects of earlier ones.
   *
   * @param save the save point to which logged objects are put back; {@code null} for none
   * @throws IOException if the store is not there, or another run uses it
   */
  Earlier resume(Store store, String nextRun, @Nullable String save) throws IOException;

  /** Returns the part of this node in save points. */
  SaveParticipant saves();

  /** Returns the name of the journal of a named object. */
  String journalOf(String key);

  /** A store with objects of earlier runs. */
  interface Earlier extends AutoCloseable {

    /** Returns the objects. */
    List<Kept> objects();

    /** Returns why journals could not be read, by their names. */
    Map<String, String> problems();

    /** Lets other runs use the store. */
    @Override
    void close() throws IOException;
  }

  /**
   * An object of an earlier run.
   *
   * @param type the name of its class
   * @param epoch how often it had been made anew
   * @param isUnfinished whether its log has requests that may not have been served
   * @param run that run
   */
  record Kept(
      ObjectIdentity identity,
      String type,
      Origin.Stored origin,
      int epoch,
      boolean isUnfinished,
      String run) {}

  /**
   * Stores the last images of the objects that are restarted on another node, since this one leaves
   * its grid. They serve no request after that.
   */
  void leave();

  /** Returns the journal of an object; {@code null} if it is not kept. */
  Origin.@Nullable Stored stored(Body body);

  /** Returns whether an object is kept. */
  boolean isKept(Body body);

  /** Returns the objects of the node that are kept by their calls. */
  List<LoggedBody> logged();

  /**
   * Returns the objects, in the words of messages, that have not ended with a last image in a store
   * that outlives the node.
   *
   * @param logsCalls whether to return those whose calls are logged, which lose nothing without
   *     that image; else those that lose what has happened since the image before
   */
  List<String> withoutLastImage(boolean logsCalls);

  /** Stores an image of an object; completes when the image is stable. */
  CompletableFuture<Void> checkpoint(Body body);

  /** Returns the images of the node's members of groups. */
  ObjectImages images();

  /** Stores the last images of all objects, ends the objects, and closes the stores. */
  void close();

  /** Ends the objects and closes the stores without last images, since the node was killed. */
  void abandon();
}
