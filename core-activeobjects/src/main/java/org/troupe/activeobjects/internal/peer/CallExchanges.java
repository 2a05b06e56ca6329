package org.troupe.activeobjects.internal.peer;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.activeobjects.transport.Transport.Connection;

/**
 * The exchanges of calls with another node: each sends a call and receives its answer on a way of
 * its own, beside the shared link. Thread-safe.
 */
final class CallExchanges {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int MOST_EXCHANGES = 64;

  /**
   * Up to this number of virtual callers, an exchange for each is faster, because the other node
   * serves it without a switch of threads. More callers are faster over the shared link, on which
   * one write carries the calls of several.
   */
  private static final int MOST_BEGUN = 4;

  private final GridNode peer;
  private final Outbox outbox;
  private final ReceiveStatus received;
  private final Consumer<Frame> answers;
  private final Semaphore places = new Semaphore(MOST_EXCHANGES); // of platform threads
  private final Semaphore begun = new Semaphore(MOST_BEGUN);

  /**
   * Creates the exchanges with a node that was not called yet.
   *
   * @param received whether the other node knows this one
   * @param answers takes the frames of answers
   */
  CallExchanges(GridNode peer, Outbox outbox, ReceiveStatus received, Consumer<Frame> answers) {
    this.peer = peer;
    this.outbox = outbox;
    this.received = received;
    this.answers = answers;
  }

  /**
   * Acquires a place for an exchange of the current thread.
   *
   * @return the way of the exchange; {@code null} if the call has to take the link
   */
  @Nullable Connection acquire(boolean isVirtual) {
    var way = outbox.connection();
    // An interrupted thread can neither connect nor read.
    if (way == null || !received.hasHeard() || Thread.currentThread().isInterrupted()) {
      return null;
    }
    if (isVirtual && !way.canBegin()) {
      return null;
    }
    return (isVirtual ? begun : places).tryAcquire() ? way : null;
  }

  /** Releases the place of an exchange that was not begun. */
  void release(boolean isVirtual) {
    (isVirtual ? begun : places).release();
  }

  /**
   * Sends a call, waits for the answer on the current platform thread, and takes it.
   *
   * <p>The frame and the id are parameters rather than an object of their own, which the compiler
   * allocated (32 of 240 bytes a call) as soon as it did not inline everything below it.
   */
  void run(Connection way, UnackedFrame sent, long callId) {
    var hasArrived = false;
    var isOver = false;
    try {
      var answer = way.exchange(sent.frame());
      hasArrived = true;
      take(sent, answer);
      isOver = true;
    } catch (IOException e) {
      logBreak(e);
    } finally {
      if (!isOver) {
        // Even after an error such as lack of stack or memory: a missing number would hold back
        // all later frames.
        retry(sent, callId, hasArrived);
      }
    }
  }

  /** Sends a call of a virtual thread, and lets the transport wait for the answer. */
  void begin(Connection way, UnackedFrame sent, long callId) {
    var hasBegun = false;
    try {
      way.begin(sent.frame(), new BegunExchange(sent, callId));
      hasBegun = true;
    } catch (IOException e) {
      logBreak(e);
    } finally {
      if (!hasBegun) {
        begun.release();
        retry(sent, callId, false);
      }
    }
  }

  /** A call whose answer the transport reads. */
  private final class BegunExchange implements Transport.Caller {

    private final UnackedFrame sent;
    private final long callId;

    BegunExchange(UnackedFrame sent, long callId) {
      this.sent = sent;
      this.callId = callId;
    }

    @Override
    public void ended(@Nullable Frame answer) {
      begun.release();
      var isTaken = false;
      try {
        take(sent, answer);
        isTaken = true;
      } finally {
        if (!isTaken) {
          retry(sent, callId, true);
        }
      }
    }

    @Override
    public void broke(IOException why) {
      begun.release();
      logBreak(why);
      retry(sent, callId, false);
    }
  }

  private void take(UnackedFrame sent, @Nullable Frame answer) {
    sent.exchanged(); // another frame may replace it from now on
    if (answer != null) {
      answers.accept(answer);
    }
  }

  /**
   * Sends a call over the link after its exchange has failed, since the call or its answer may be
   * lost. The link may still be sound, and the other node recognises a duplicate by its number.
   */
  private void retry(UnackedFrame sent, long callId, boolean hasArrived) {
    if (!hasArrived) {
      outbox.sendAgain(sent);
    }
    outbox.send(callId, new Message.Unexchanged(), null);
  }

  private void logBreak(IOException why) {
    LOG.log(Level.DEBUG, () -> "an exchange with node '" + peer.id() + "' broke: " + why);
  }
}
