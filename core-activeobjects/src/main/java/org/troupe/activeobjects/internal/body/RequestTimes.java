package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;

/** Records the times of the requests that are timed. */
final class RequestTimes {

  private RequestTimes() {}

  /** Records a request of a body whose method has ended. */
  static void record(
      Body body, CallRequest request, ServiceContext context, long beganNanos, boolean hasFailed) {
    if (body.type().isMiddleware() || request.method.isOfBody()) {
      return;
    }
    var ended = System.nanoTime();
    var observer = body.node().observer();
    var accepted = request.accepted();
    observer.timed(body.type(), request.method, accepted, beganNanos, ended);
    var trace = observer.traceIfOn();
    if (trace != null) {
      context.endedNanos = request.isOneWay() && !hasFailed ? ended : 0;
      trace.add(
          request.callId(),
          body.type().type().getName(),
          request.method,
          body.identity(),
          callerNumber(request.caller),
          callerType(request.caller),
          request.callerNode(body),
          accepted,
          beganNanos,
          ended,
          hasFailed,
          request.isOneWay());
    }
  }

  /** Returns the number of a calling object on its node; 0 if the caller is no object. */
  private static long callerNumber(@Nullable Object caller) {
    return switch (caller) {
      case Body body -> body.identity();
      case CallingObject object -> object.number();
      case null, default -> 0;
    };
  }

  private static String callerType(@Nullable Object caller) {
    return switch (caller) {
      case Body body -> body.type().type().getName();
      case CallingObject object -> object.type();
      case null, default -> "";
    };
  }
}
