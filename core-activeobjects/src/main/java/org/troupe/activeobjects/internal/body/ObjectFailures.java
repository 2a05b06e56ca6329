package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.CallTraces;
import org.troupe.activeobjects.internal.marshal.FailureSummary;

/** Decides which exceptions of requests are failures of their object rather than only answers. */
final class ObjectFailures {

  /*
   * Design: definition of a failure
   *
   * An error of the JVM may interrupt the object's code at any point and leave its state half changed, so the object is
   * not called any more. Three errors are not of this kind. An error that the object has received as the answer of another
   * object was thrown by a call, where the code had to expect exceptions. A caller that serves its own call may have
   * little stack left, which is not the object's failure; otherwise any deep recursion could end objects that it calls. An
   * object of the middleware serves other users too, and handles the errors of code that it runs for one of them.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private ObjectFailures() {}

  /**
   * Handles an exception that the user's code has thrown in a request.
   *
   * @return whether the object has failed
   */
  static boolean requestThrew(
      Body body, CallMethod method, Throwable thrown, ServiceContext context) {
    if (body.type().isMiddleware() || method.isOfBody()) {
      return false;
    }
    if (isFailure(body, thrown, context)) {
      var what = method + " threw " + FailureSummary.line(thrown);
      if (body.restarts() == null) {
        LOG.log(Level.WARNING, () -> body + " has failed and ends: " + what);
      }
      body.fail(what, context);
      return true;
    }
    return false;
  }

  /**
   * Returns whether an exception of a request is a failure of its object.
   *
   * @param context where the request is served; {@code null} if on a thread of the object
   */
  static boolean isFailure(Body body, Throwable thrown, @Nullable ServiceContext context) {
    var restarts = body.restarts();
    return isFatal(thrown, context != null && context.isOnCallersThread)
        || restarts != null && restarts.isFailure(thrown);
  }

  private static boolean isFatal(Throwable thrown, boolean isOnCallersThread) {
    return (thrown instanceof OutOfMemoryError
            || thrown instanceof LinkageError
            || thrown instanceof StackOverflowError && !isOnCallersThread)
        && !CallTraces.isAnswer(thrown);
  }
}
