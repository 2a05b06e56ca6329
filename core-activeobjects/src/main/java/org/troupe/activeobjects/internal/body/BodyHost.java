package org.troupe.activeobjects.internal.body;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.observe.ServiceObserver;

/**
 * The node of a body, as its bodies use it. Bodies know nothing else of their node: references,
 * results and the dispatch of calls are above them, in the package that implements this interface.
 */
public interface BodyHost {

  /** Returns the node. */
  NodeId id();

  /** Returns the name of the node. */
  default String name() {
    return id().name();
  }

  /** Returns the marshaller that decodes the arguments of requests. */
  Marshaller marshaller();

  /** Returns the reporter of failures that no caller can observe. */
  FailureReporter failures();

  /** Returns what records the requests that the objects of the node serve. */
  ServiceObserver observer();

  /** Returns the memory that the queues of the node may occupy. */
  QueueMemory memory();

  /** Returns the state that the extensions of the node's bodies share. */
  ExtensionRegistry extensions();

  /** Returns the threads for service that computes for long. */
  ExecutorService platformThreads();

  /** Returns the timer of the node. */
  ScheduledExecutorService timer();

  /** Returns the time by which failed objects are restarted. */
  RestartClock restartClock();

  /**
   * Returns a time of {@link System#nanoTime} in the recent past, which costs nothing: that of the
   * last heartbeat, or 0.
   */
  long recentNanos();

  /** Lets the current thread poll for frames while it waits, if it is a platform thread. */
  void receiveWhile(BooleanSupplier isWaiting);

  /** Answers a call with the result of its method, which may be a future. */
  void deliver(@Nullable Object value, ReplyTo replyTo);

  /** Returns a reference to a body of this node. */
  Ref<?> reference(Body body);

  /** Returns a number that is unique on this node. */
  long nextId();

  /** Makes a body known to other nodes by a number. */
  void export(Body body, long number);

  /** Reports a failure of an object that is restarted on another node if this one is lost. */
  void failed(Body body, String what);

  /** Holds a body that has a number until it ends, although no other node may refer to it. */
  void holdForGood(Body body);

  /** Records that an extension was attached to a body. */
  void extended(Body body);

  /** Holds a body that has a number until its one-way calls to other nodes have been served. */
  void heldByCalls(Body body);

  /** Forgets a body that has ended. */
  void ended(Body body);
}
