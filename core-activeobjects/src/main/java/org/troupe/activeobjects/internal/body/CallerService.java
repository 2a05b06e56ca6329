package org.troupe.activeobjects.internal.body;

import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;

/** Serves a request on the thread that made the call and waits for its answer. */
public final class CallerService {

  /*
   * Design: a caller that waits for an idle object serves the request itself
   *
   * A call that waits costs two switches between threads if the body's own thread serves it, which is most of
   * its time. The thread that waits can do the work instead. A program must not observe any difference but those
   * of the thread itself, which are listed below. This class therefore decides for each call, and a call that fails
   * one of the tests is put into the queue:
   *
   * - The body serves its requests one by one, oldest first (FifoBody), and is idle: its queue is empty, no
   *   gate holds requests, it is not about to end, and it is not known to compute for long. Reserving it is the
   *   step by which a thread of its own would begin, so requests keep their order, and later ones wait in
   *   the queue. Service loops, bodies with concurrent methods and immediate methods use threads of their own.
   * - The call has no time limit, since a thread that serves cannot stop waiting.
   * - The last 256 services of the method were short (ServicePace), measured on the body's own threads. A
   *   method that waits or computes would deliver the caller's interrupts to the object's code, would keep the caller from
   *   being interrupted, and would occupy the carrier of a virtual caller. One service that takes longer
   *   than expected ends this until enough short ones have followed. An interrupt during a service stays with the
   *   caller, whose thread it was meant for.
   * - The thread's thread-locals can be exchanged (ThreadLocalIsolation), and it serves fewer than 16 requests
   *   within each other. A longer chain of calls continues on a thread of the next body, with a stack of
   *   its own.
   * - The thread is no worker of a fork-join pool, which might run other tasks of its pool within the request.
   * - The call is not part of a causal order of multicasts, and not one of the middleware's own.
   *
   * Waits. If the caller is a body, it records what it waits for, as before any wait, so searches for
   * cycles of waits find it. The context of the request does not enclose that of the caller: the
   * waits of the request are recorded for the called body only, and the edge from the caller leads
   * there.
   *
   * State of the thread. The request uses what is left of the caller's stack; if that does not even
   * suffice for the answer, the call throws the error. Locks that the caller holds
   * do not exclude the request, where a thread of the body would wait for ever or fail to acquire them. A thread
   * that the request starts is a daemon only if the caller is one.
   *
   * Copies. Arguments and results are encoded and decoded as on the way through the queue, and failures
   * have the same traces: those of the object end where the call begins.
   *
   * Invariant: the body is released on every path, also if the request throws; the caller releases it in the
   * frame that has reserved it, so that a stack with room for the one has room for the other.
   */
  private static final Runnable NOTHING = () -> {};

  private CallerService() {}

  /**
   * Serves a request on the current thread, which is about to wait for its answer without a time
   * limit.
   *
   * @param result the receiver of the answer, which may be a future that is still awaited
   * @return {@code false} if the request must be queued
   */
  public static boolean serve(
      Body body, CallRequest request, FutureResult<?> result, FutureRuntime waiting) {
    if (!request.method.pace().isShort() || request.method.owner().isMiddleware()) {
      return false;
    }
    var isolation = ThreadLocalIsolation.ofCurrentThread();
    if (isolation == null || !body.tryReserveForCaller(request.method)) {
      return false;
    }
    try {
      var waited = ServiceContext.current() == null ? NOTHING : waiting.begins(result, false);
      try {
        serve(body, request, isolation);
      } finally {
        waited.run();
      }
    } finally {
      body.release();
    }
    isolation.yieldSometimes();
    return true;
  }

  private static void serve(Body body, CallRequest request, ThreadLocalIsolation isolation) {
    var began = System.nanoTime();
    isolation.enter();
    try {
      var context = new ServiceContext(body, ServicePolicy.IN_TURN).enter();
      context.isOnCallersThread = true;
      context.beganNanos = began;
      body.servesIn(context);
      try {
        body.tryServe(request, context);
      } finally {
        body.servesIn(null);
        context.leave();
      }
    } finally {
      isolation.leave();
      request.method.pace().served(System.nanoTime() - began);
    }
  }
}
