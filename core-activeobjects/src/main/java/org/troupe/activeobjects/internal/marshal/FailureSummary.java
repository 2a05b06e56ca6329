package org.troupe.activeobjects.internal.marshal;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;

/**
 * The description of a throwable without its class: stands for the throwable where the class is
 * missing.
 */
public record FailureSummary(
    String type,
    @Nullable String message,
    StackTraceElement[] frames,
    @Nullable FailureSummary cause) {

  private static final int MOST_CAUSES = 16;

  /** Returns the summary of a failure and of its causes, as far as their methods succeed. */
  public static FailureSummary of(Throwable failure) {
    return of(failure, MOST_CAUSES);
  }

  public static FailureSummary of(Throwable failure, int depth) {
    var cause = depth == 0 ? null : CallTraces.causeOf(failure);
    return new FailureSummary(
        failure instanceof RemoteFailure remote ? remote.type() : failure.getClass().getName(),
        CallTraces.messageOf(failure),
        CallTraces.framesOf(failure),
        cause == null ? null : of(cause, depth - 1));
  }

  /** Returns the class and message of a failure, even if its methods fail. */
  public static String line(Throwable failure) {
    var message = CallTraces.messageOf(failure);
    var type =
        failure instanceof RemoteFailure remote ? remote.type() : failure.getClass().getName();
    return message == null ? type : type + ": " + message;
  }

  RemoteFailure toRemoteFailure() {
    var failure = new RemoteFailure(type, message, cause == null ? null : cause.toRemoteFailure());
    failure.setStackTrace(frames);
    return failure;
  }

  public void write(ByteOutput out) {
    out.writeString(type);
    out.writeBoolean(message != null);
    if (message != null) {
      out.writeString(message);
    }
    out.writeVarInt(frames.length);
    for (var frame : frames) {
      out.writeString(frame.getClassName());
      out.writeString(frame.getMethodName());
      out.writeString(frame.getFileName() == null ? "" : frame.getFileName());
      out.writeInt(frame.getLineNumber());
    }
    out.writeBoolean(cause != null);
    if (cause != null) {
      cause.write(out);
    }
  }

  private static FailureSummary read(ByteInput in, int depth) {
    var type = in.readString();
    var message = in.readBoolean() ? in.readString() : null;
    var frames = new StackTraceElement[in.readLength(CallTraces.MOST_FRAMES, 4)];
    for (var i = 0; i < frames.length; i++) {
      var frameType = in.readString();
      var method = in.readString();
      var file = in.readString();
      frames[i] =
          new StackTraceElement(frameType, method, file.isEmpty() ? null : file, in.readInt());
    }
    var cause = in.readBoolean() && depth > 0 ? read(in, depth - 1) : null;
    return new FailureSummary(type, message, frames, cause);
  }

  public static FailureSummary read(ByteInput in) {
    return read(in, MOST_CAUSES);
  }
}
