package org.troupe.mpj.comm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.matching.MessageEngine;
import org.troupe.mpj.matching.MessageOperation;

/** A handle of an operation that was begun, or that can be begun again and again. */
public final class MessageRequest {

  /*
   * States: an ordinary request is active until its completion was told, then null. A persistent one is idle, active,
   * idle again, and null only when it was freed. An idle or null request counts as absent in waits.
   */
  private final @Nullable Communicator communicator; // null: of the null request
  private final @Nullable Supplier<MessageOperation> start; // of a persistent request

  // Guarded by this
  private @Nullable MessageOperation operation; // null: idle or null
  private boolean isFreed;

  private MessageRequest(
      @Nullable Communicator communicator,
      @Nullable MessageOperation operation,
      @Nullable Supplier<MessageOperation> start) {
    this.communicator = communicator;
    this.operation = operation;
    this.start = start;
  }

  /** Returns a request that is null. */
  public static MessageRequest none() {
    return new MessageRequest(null, null, null);
  }

  static MessageRequest begun(Communicator communicator, MessageOperation operation) {
    return new MessageRequest(communicator, operation, null);
  }

  static MessageRequest persistent(Communicator communicator, Supplier<MessageOperation> start) {
    return new MessageRequest(communicator, null, start);
  }

  /** Begins the operation of a persistent request. */
  public synchronized void start() {
    if (start == null || isFreed) {
      throw MessagingError.of(
          ErrorClass.REQUEST, "the request is not persistent, or was freed; it cannot be started");
    }
    if (operation != null) {
      throw MessagingError.of(
          ErrorClass.REQUEST,
          "the persistent request is active; wait for it before it is started again");
    }
    operation = start.get();
  }

  /** Returns whether the request is null: its completion was told, or it was freed. */
  public synchronized boolean isNull() {
    return isFreed || operation == null && start == null;
  }

  /** Forgets the operation, which is completed nevertheless. */
  public synchronized void free() {
    if (isNull()) {
      throw MessagingError.of(ErrorClass.REQUEST, "the request is null; it cannot be freed");
    }
    isFreed = true;
    operation = null;
  }

  /** Tries to cancel the operation; the status says whether that succeeded. */
  public void cancel() {
    var active = active();
    if (active == null) {
      throw MessagingError.of(
          ErrorClass.REQUEST, "the request is null or idle; only an active one can be cancelled");
    }
    engine().cancel(active);
  }

  private synchronized @Nullable MessageOperation active() {
    return operation;
  }

  private MessageEngine engine() {
    return Objects.requireNonNull(communicator, "an active request").engine();
  }

  /** Waits for the completion; returns an empty status at once if there is nothing to wait for. */
  public MessageStatus await() {
    var active = active();
    if (active == null) {
      return MessageStatus.EMPTY;
    }
    if (!active.isDone()) {
      engine().await(active);
    }
    return told(active);
  }

  /** Returns the status if the operation is complete; {@code null} if it is not. */
  public @Nullable MessageStatus test() {
    var active = active();
    return active == null ? MessageStatus.EMPTY : active.isDone() ? told(active) : tried(active);
  }

  private @Nullable MessageStatus tried(MessageOperation active) {
    engine().help(active);
    return active.isDone() ? told(active) : null;
  }

  /** Returns how a complete operation ended, and makes the request null or idle. */
  private MessageStatus told(MessageOperation ended) {
    synchronized (this) {
      if (operation == ended) {
        operation = null;
      }
    }
    return Objects.requireNonNull(communicator, "an active request").status(ended.completion());
  }

  // Several requests

  /** The status of one of several requests. */
  public record Indexed(int index, MessageStatus status) {}

  private static @Nullable MessageOperation[] actives(@Nullable MessageRequest[] requests) {
    var all = new @Nullable MessageOperation[requests.length];
    for (var i = 0; i < requests.length; i++) {
      var each = requests[i];
      all[i] = each == null ? null : each.active();
    }
    return all;
  }

  /** Waits for one of several; index {@link NamedConstants#UNDEFINED} if none is active. */
  public static Indexed awaitAny(@Nullable MessageRequest[] requests) {
    var found = testAny(requests);
    if (found != null) {
      return found;
    }
    var all = actives(requests);
    for (var i = 0; i < all.length; i++) {
      if (all[i] != null) {
        Objects.requireNonNull(requests[i], "active").engine().awaitAny(all);
        break;
      }
    }
    return Objects.requireNonNull(testAny(requests), "one is complete");
  }

  /** Returns the first complete one of several; {@code null} if all active ones are incomplete. */
  public static @Nullable Indexed testAny(@Nullable MessageRequest[] requests) {
    var isAnyActive = false;
    for (var i = 0; i < requests.length; i++) {
      var each = requests[i];
      if (each != null && each.active() != null) {
        isAnyActive = true;
        var status = each.test();
        if (status != null) {
          return new Indexed(i, status);
        }
      }
    }
    return isAnyActive ? null : new Indexed(NamedConstants.UNDEFINED, MessageStatus.EMPTY);
  }

  /** Waits for all; then throws the first failure, if there is one. */
  public static List<MessageStatus> awaitAll(@Nullable MessageRequest[] requests) {
    for (var each : actives(requests)) {
      if (each != null && !each.isDone()) {
        var last = each;
        for (var request : requests) {
          if (request != null && request.active() == last) {
            request.engine().await(last);
            break;
          }
        }
      }
    }
    return statusOfAll(requests);
  }

  /** Returns the status of all if all are complete; {@code null} if not. */
  public static @Nullable List<MessageStatus> testAll(@Nullable MessageRequest[] requests) {
    for (var each : requests) {
      var active = each == null ? null : each.active();
      if (each != null && active != null && !active.isDone()) {
        each.engine().help(active);
        if (!active.isDone()) {
          return null;
        }
      }
    }
    return statusOfAll(requests);
  }

  private static List<MessageStatus> statusOfAll(@Nullable MessageRequest[] requests) {
    List<MessageStatus> all = new ArrayList<>();
    Throwable failure = null;
    for (var each : requests) {
      try {
        all.add(each == null ? MessageStatus.EMPTY : each.await());
      } catch (Throwable thrown) { // each dialect has its own exception
        failure = failure == null ? thrown : failure;
        all.add(MessageStatus.EMPTY);
      }
    }
    if (failure != null) {
      throw MessagingError.again(failure);
    }
    return all;
  }

  /** Waits until at least one is complete; returns those that are. Empty if none is active. */
  public static List<Indexed> awaitSome(@Nullable MessageRequest[] requests) {
    var first = awaitAny(requests);
    if (first.index() == NamedConstants.UNDEFINED) {
      return List.of();
    }
    List<Indexed> all = new ArrayList<>(List.of(first));
    addComplete(requests, all);
    all.sort((a, b) -> Integer.compare(a.index(), b.index()));
    return all;
  }

  /** Returns those that are complete; perhaps none. */
  public static List<Indexed> testSome(@Nullable MessageRequest[] requests) {
    List<Indexed> all = new ArrayList<>();
    addComplete(requests, all);
    return all;
  }

  /**
   * Adds those that are complete. The failure of one is thrown, and the others would not be told;
   * so it is left to a later call if there are others.
   */
  private static void addComplete(@Nullable MessageRequest[] requests, List<Indexed> to) {
    for (var i = 0; i < requests.length; i++) {
      var each = requests[i];
      if (each != null && each.active() != null && (to.isEmpty() || each.hasSucceeded())) {
        var status = each.test();
        if (status != null) {
          to.add(new Indexed(i, status));
        }
      }
    }
  }

  private boolean hasSucceeded() {
    var active = active();
    if (active == null) {
      return false;
    }
    if (!active.isDone()) {
      engine().help(active);
    }
    return active.isDone() && active.completion().failure() == null;
  }
}
