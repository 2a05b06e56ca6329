package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ReplayException;
import org.troupe.activeobjects.internal.body.CallLog.StoppedException;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.JournaledObject;
import org.troupe.activeobjects.internal.replay.LogCodec;
import org.troupe.activeobjects.internal.replay.LoggedObject;
import org.troupe.activeobjects.internal.replay.LoggedObjectHost;
import org.troupe.activeobjects.store.Journal;

/**
 * The journal of one object, and the protocol in front of it, for one embodiment of the object
 * after the other. Thread-safe.
 */
final class EmbodiedLog {

  /*
   * A log that has failed is not written any more. The object stops, and if it is restarted, its journal is opened
   * anew with a higher epoch, so that its readable part counts.
   */

  /** Opens the journal with a higher epoch. */
  interface Reopening {
    Journal open() throws IOException;
  }

  private final String description;
  private final ObjectIdentity identity;
  private final LogCodec<LoggedCall, LoggedOutcome> codec =
      new LogCodec<>(new LoggedCall.Content(), new LoggedOutcome.Content());
  private final LoggedObjectHost<LoggedCall, LoggedOutcome> host;
  private final Reopening reopening;
  private final OutputGate gate;

  private volatile Journal journal;
  private volatile JournaledObject<LoggedCall, LoggedOutcome> object;
  private volatile @Nullable IOException failure; // of the log
  private volatile @Nullable ReplayException difference;

  /**
   * Creates the log of a new object in front of an open journal.
   *
   * @param description the object as messages show it
   */
  EmbodiedLog(
      String description,
      ObjectIdentity identity,
      Journal journal,
      Reopening reopening,
      OutputGate gate,
      LoggedObjectHost<LoggedCall, LoggedOutcome> host) {
    this.description = description;
    this.identity = identity;
    this.journal = journal;
    this.reopening = reopening;
    this.gate = gate;
    this.host = host;
    this.object = embodiment(journal);
  }

  private JournaledObject<LoggedCall, LoggedOutcome> embodiment(Journal its) {
    return new JournaledObject<>(description, identity, its, codec, host, cause -> failure = cause);
  }

  /** Returns the protocol of the present embodiment. */
  JournaledObject<LoggedCall, LoggedOutcome> embodiment() {
    return object;
  }

  /**
   * Ends the present embodiment.
   *
   * @return the next one, which is yet to {@linkplain #become become} the present one
   * @throws IOException if the journal could not be opened anew
   */
  JournaledObject<LoggedCall, LoggedOutcome> next() throws IOException {
    var former = object;
    former.stop();
    if (failure != null) {
      try {
        journal.close();
      } catch (IOException again) {
        // It is known that the journal has failed; it is opened anew.
      }
      journal = reopening.open();
      failure = null;
    }
    return embodiment(journal);
  }

  /**
   * Lets the next embodiment become the present one, with the accounts of its journal.
   *
   * @param lastBegun as for {@link JournaledObject#recover}
   * @throws IOException if the journal cannot be read; it is opened anew for the next attempt
   */
  void become(JournaledObject<LoggedCall, LoggedOutcome> next, long lastBegun) throws IOException {
    var former = object;
    object = next;
    try {
      next.recover(lastBegun);
    } catch (IOException unread) {
      object = former;
      failure = unread;
      throw unread;
    }
  }

  /**
   * Performs an action of the protocol.
   *
   * @throws StoppedException if the object has stopped, so that the action was not performed, or
   *     not wholly
   */
  void perform(Consumer<LoggedObject<LoggedCall, LoggedOutcome>> action) {
    perform(action, false);
  }

  /**
   * Performs an action of the protocol on the thread that serves the object, and waits until its
   * input is stable if that is the soonest way.
   *
   * @throws StoppedException as {@link #perform} does
   */
  void performAndWait(Consumer<LoggedObject<LoggedCall, LoggedOutcome>> action) {
    perform(action, true);
  }

  private void perform(Consumer<LoggedObject<LoggedCall, LoggedOutcome>> action, boolean mayWait) {
    try {
      if (!(mayWait ? object.performAndWait(action) : object.perform(action))) {
        throw stopped();
      }
    } catch (ReplayException differs) {
      difference = differs;
      throw stopped();
    }
  }

  /** Appends the ends of requests that have been held back, unless the object has stopped. */
  void appendHeld() {
    object.appendHeld();
  }

  /** Stops the present embodiment, which is cut off, and returns the exception that says so. */
  StoppedException cutOff() {
    object.stop();
    return new StoppedException(
        description + " has stopped: its node has left the grid, or the grid ends", null);
  }

  /** Performs an action of the protocol, unless the object has stopped. */
  boolean tryPerform(Consumer<LoggedObject<LoggedCall, LoggedOutcome>> action) {
    return object.perform(action);
  }

  /**
   * Waits until output may leave the object.
   *
   * @throws StoppedException if the object has stopped
   */
  void awaitInput() {
    gate.await();
    if (!object.awaitInput()) {
      throw stopped();
    }
  }

  /** Waits until output may leave the node. */
  void awaitRelease() {
    gate.await();
  }

  private StoppedException stopped() {
    var cause = difference != null ? difference : failure;
    return new StoppedException(
        cause == null ? description + " has stopped" : String.valueOf(cause.getMessage()), cause);
  }

  JournaledObject.@Nullable ImageWriter image(ByteBuffer image) {
    return object.image(image);
  }

  void close() throws IOException {
    object.close();
    journal.close(); // another one, if it was opened anew and could not be read
  }
}
