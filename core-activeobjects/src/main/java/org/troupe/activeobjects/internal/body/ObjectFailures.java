package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.CallTraces;
import org.troupe.activeobjects.internal.marshal.FailureSummary;

/** Decides which exceptions of requests are failures of their object rather than only answers. */
final class ObjectFailures {

  /*
   * Design: what a failure is
   *
   * An error of the JVM may interrupt the object's code at any point and leave its state half changed, so the object is
   * not called any more. Three errors are not of this kind. An error that the object has received as the answer of another
   * object was thrown by a call, where the code had to expect exceptions. A caller that serves its own call may have
   * little stack left, which is not the object's failure; otherwise any deep recursion could end objects that it calls. An
   * object of the middleware serves other users too, and handles the errors of code that it runs for one of them.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private ObjectFailures() {}

  /** Handles an exception that the user's code has thrown in a request. */
  static void requestThrew(Body body, CallMethod method, Throwable thrown, ServiceContext context) {
    if (body.type().isMiddleware() || method.isOfBody()) {
      return;
    }
    var restarts = body.restarts();
    if (isFatal(thrown, context) || restarts != null && restarts.isFailure(thrown)) {
      var what = method + " threw " + FailureSummary.line(thrown);
      if (restarts == null) {
        LOG.log(Level.WARNING, () -> body + " has failed and ends: " + what);
      }
      body.fail(what, context);
    }
  }

  private static boolean isFatal(Throwable thrown, ServiceContext context) {
    return (thrown instanceof OutOfMemoryError
            || thrown instanceof LinkageError
            || thrown instanceof StackOverflowError && !context.isOnCallersThread)
        && !CallTraces.isAnswer(thrown);
  }
}
