package org.troupe.mpj.matching;

import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError.Failure;

/** A receive: posted, then matched, then filled. */
public final class ReceiveOperation extends MessageOperation {

  /*
   * Design: the thread that fills the array
   *
   * An eager message is put into the array by the thread that looks at the completed receive: readers of links run
   * no code of users' classes, and the array is cold for them. The data of a rendezvous is read from the link into
   * the array, which is lent to the reader once; if the frame comes again over another link after a broken
   * connection, it arrives as an array of its own, and the operation is complete when both are through.
   */
  private final MessageEngine engine;
  private final MatchKey key;
  private final MessageBuffer into;
  private final long order; // of all receives of the engine

  // Guarded by this
  private @Nullable ArrivedMessage message; // matched
  private @Nullable Packet data; // of a rendezvous
  private boolean wasLent;
  private boolean isLent;
  private @Nullable Completion completion;

  ReceiveOperation(MessageEngine engine, MatchKey key, MessageBuffer into, long order) {
    this.engine = engine;
    this.key = key;
    this.into = into;
    this.order = order;
  }

  MatchKey key() {
    return key;
  }

  long order() {
    return order;
  }

  MessageBuffer into() {
    return into;
  }

  // Called by the engine

  /** Takes an eager message. */
  void arrived(ArrivedMessage eager) {
    synchronized (this) {
      message = eager;
    }
    done();
  }

  /** Takes the announcement of a message whose data follows. */
  synchronized void announced(ArrivedMessage rendezvous) {
    message = rendezvous;
  }

  /** Ends the receive of a message that was put into the array by its sender. */
  void filled(int source, int tag, ElementType element, int elements, @Nullable Failure failure) {
    end(new Completion(source, tag, Math.min(elements, into.elements()), element, false, failure));
  }

  void fail(Failure failure) {
    end(Completion.failed(key.source(), key.tag(), failure));
  }

  void cancelled() {
    end(Completion.CANCELLED);
  }

  private void end(Completion how) {
    synchronized (this) {
      if (completion != null) {
        return;
      }
      completion = how;
    }
    done();
  }

  /** Lends the array to the reader of a link, for the data of a rendezvous. */
  synchronized @Nullable ReceiveBuffer lend(Class<?> element, int length) {
    if (wasLent
        || completion != null
        || !into.isContiguous()
        || into.array().getClass().componentType() != element
        || length > into.elements()) {
      return null;
    }
    wasLent = true;
    isLent = true;
    return new ReceiveBuffer(into.array(), into.offset(), this::returned);
  }

  private void returned() {
    boolean isComplete;
    synchronized (this) {
      isLent = false;
      isComplete = data != null;
    }
    if (isComplete) {
      done();
    }
  }

  /** Takes the data of a rendezvous. */
  void dataArrived(Packet packet) {
    boolean isComplete;
    synchronized (this) {
      data = packet;
      isComplete = !isLent;
    }
    if (isComplete) {
      done();
    }
  }

  // Called by the threads that look at the result

  @Override
  public synchronized Completion completion() {
    if (completion == null) {
      completion = complete(Objects.requireNonNull(message, "done"));
    }
    return completion;
  }

  private Completion complete(ArrivedMessage from) {
    Object row;
    int elements;
    var packet = data;
    var isOwn = false;
    try {
      if (packet != null && packet.isIn(into.array())) {
        row = into.array();
        elements = from.elements();
      } else if (packet != null) {
        row = Objects.requireNonNull(packet.value(), "an array");
        if (row instanceof String why) {
          return failed(from, ErrorClass.TYPE, why, null);
        }
        isOwn = packet.isOwn();
        elements = from.elements();
      } else {
        row = from.row();
        isOwn = from.isOwn();
        elements = from.elements();
      }
    } catch (RuntimeException | Error unreadable) {
      return failed(
          from,
          ErrorClass.TYPE,
          "the objects of a message from "
              + engine.network().describe(from.source())
              + " cannot be read: "
              + unreadable.getMessage(),
          unreadable);
    }
    var failure =
        row == into.array() && packet != null
            ? into.element().accepts(from.element()) ? null : into.wrongType(from.element())
            : into.fill(from.element(), row, 0, elements);
    if (isOwn && from.element().isNumeric() && row != into.array()) {
      ArrayPool.put(row);
    }
    if (packet == null) {
      engine.consumed(from);
    }
    return new Completion(
        from.source(),
        from.tag(),
        Math.min(elements, into.elements()),
        from.element(),
        false,
        failure);
  }

  private static Completion failed(
      ArrivedMessage from, ErrorClass kind, String sentence, @Nullable Throwable cause) {
    return Completion.failed(from.source(), from.tag(), new Failure(kind, sentence, cause));
  }

  @Override
  synchronized boolean isStuck() {
    return message == null && completion == null;
  }

  @Override
  void addAwaited(BitSet ranks) {
    engine.addAwaited(key, ranks);
  }

  @Override
  int context() {
    return key.context();
  }

  @Override
  boolean isOverLink() {
    synchronized (this) {
      if (message != null) {
        return true;
      }
    }
    return !BoardPackets.isSuitable(into) || !engine.isBoardUsedBy(key.source());
  }

  @Override
  String describe() {
    return "a receive from " + engine.describe(key);
  }
}
