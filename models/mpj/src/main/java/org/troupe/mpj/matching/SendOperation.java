package org.troupe.mpj.matching;

import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.MessagingError.Failure;

/** A send that has asked the receiver, and sends its data when a receive has matched. */
final class SendOperation extends MessageOperation {

  private final MessageEngine engine;
  private final MatchKey key; // of the message, with the sender's rank
  private final int to;
  private final long id;
  private final MessageBuffer data;

  // Guarded by this
  private boolean isMatched;
  private boolean isTaken; // by the thread that sends the data
  private @Nullable Completion completion;

  SendOperation(MessageEngine engine, MatchKey key, int to, long id, MessageBuffer data) {
    this.engine = engine;
    this.key = key;
    this.to = to;
    this.id = id;
    this.data = data;
  }

  long id() {
    return id;
  }

  int to() {
    return to;
  }

  MatchKey key() {
    return key;
  }

  MessageBuffer data() {
    return data;
  }

  /** The receiver waits for the data: a waiting thread sends it, or else one of its own. */
  void matched() {
    engine.outgoing().beginsTransmitting();
    @Nullable RankWait waits;
    synchronized (this) {
      isMatched = true;
      waits = waiter();
      isTaken |= waits == null;
    }
    if (waits == null) {
      transmitApart();
    } else {
      waits.wake();
    }
  }

  private void transmitApart() {
    Thread.ofVirtual()
        .name("mpj-send")
        .inheritInheritableThreadLocals(false) // it is no thread of the program
        .start(this::transmit);
  }

  @Override
  void abandoned() {
    synchronized (this) {
      if (!isMatched || isTaken) {
        return;
      }
      isTaken = true;
    }
    transmitApart();
  }

  @Override
  void help() {
    synchronized (this) {
      if (!isMatched || isTaken) {
        return;
      }
      isTaken = true;
    }
    transmit();
  }

  private void transmit() {
    try {
      engine.outgoing().transmitData(this);
      end(Completion.SENT);
    } catch (RuntimeException | Error failure) {
      end(
          Completion.failed(
              MessageEngine.ANY, MessageEngine.ANY, engine.outgoing().dataFailed(this, failure)));
    } finally {
      engine.outgoing().hasTransmitted();
    }
  }

  /** Ends the operation by a failure. */
  void fail(Failure why) {
    end(Completion.failed(MessageEngine.ANY, MessageEngine.ANY, why));
  }

  /** Ends the operation, unless it has ended. */
  void end(Completion how) {
    synchronized (this) {
      if (completion != null) {
        return;
      }
      completion = how;
    }
    done();
  }

  @Override
  public synchronized Completion completion() {
    return Objects.requireNonNull(completion, "done");
  }

  @Override
  synchronized boolean isStuck() {
    return !isMatched && completion == null;
  }

  @Override
  void addAwaited(BitSet ranks) {
    ranks.set(to);
  }

  @Override
  int context() {
    return key.context();
  }

  @Override
  String describe() {
    return "a send to "
        + engine.network().describe(to)
        + ((key.context() & 1) == 0 ? " with tag " + key.tag() : "");
  }
}
