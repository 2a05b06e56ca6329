package org.troupe.activeobjects.internal.object;

import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.membership.GridMembership;
import org.troupe.activeobjects.internal.peer.MessageCodec;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.futures.Outcome;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;

/** How failures travel, and where those go that nobody waits for. */
public final class FailureReporter {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");
  private static final Cleaner CLEANER = Cleaner.create();
  private static final int MOST_CAUSES = 16;
  private static final int MOST_TRIMMED = 64;
  private static final int MOST_FRAMES = 512;

  private final NodeRuntime node;
  private volatile FailureHandler handler;

  public FailureReporter(NodeRuntime node) {
    this.node = node;
  }

  public void handler(FailureHandler handler) {
    this.handler = handler;
  }

  // Failures that nobody waits for

  /**
   * Tells the failure handler: that of the calling body, as a request; else that of the JVM; else
   * the log.
   *
   * @param caller the body that made the call, or {@code null}
   */
  public void report(Body caller, String call, Throwable cause) {
    var failure = new CallFailure(call, cause);
    if (caller != null && caller.target() instanceof FailureHandler own && !caller.hasEnded()) {
      caller.execute(() -> own.failed(failure));
      return;
    }
    var ours = handler;
    if (ours == null) {
      var what = call + " failed, and nobody waits for its result";
      if (cause instanceof NodeLostException) { // whose trace is ours
        LOG.log(Level.WARNING, what + ": " + cause.getMessage());
      } else {
        LOG.log(Level.WARNING, what, cause);
      }
      return;
    }
    Thread.startVirtualThread(() -> tell(ours, failure));
  }

  /**
   * Tells the failure handler of the JVM, or the log, what keeps the node from serving anything.
   */
  public void reportStandstill(String trouble) {
    var failure =
        new CallFailure(
            "serving requests on node '" + node.name() + "'", new TimeoutException(trouble));
    var ours = handler;
    if (ours == null) {
      LOG.log(Level.WARNING, "node ''{0}'': {1}", node.name(), trouble);
    } else {
      node.platformThreads().execute(() -> tell(ours, failure)); // a virtual one might not run
    }
  }

  private static void tell(FailureHandler handler, CallFailure failure) {
    try {
      handler.failed(failure);
    } catch (Throwable again) {
      LOG.log(Level.WARNING, "the failure handler failed over " + failure.call(), again);
    }
  }

  /** The same for a one-way call within this JVM, whose exception is copied like any result. */
  void reportOneWay(Body caller, String call, Throwable cause) {
    report(caller, call, opened(form(cause), null));
  }

  static boolean isFailure(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failure
        || outcome instanceof Outcome.Encoded<?> encoded && encoded.form() instanceof Form;
  }

  /** Watches a failed result: if it is thrown away unused, the failure handler is told. */
  Watch watch(ReportedResult<?> result, Body caller, Outcome<?> outcome) {
    var watch = new Watch(this, result.describe(), result.site(), caller, outcome);
    CLEANER.register(result, watch);
    return watch;
  }

  /** Knows whether a failed result was used; must not refer to the result itself. */
  static final class Watch implements Runnable {
    private final FailureReporter failures;
    private final String call;
    private final StackTraceElement site;
    private final WeakReference<Body> caller; // it may be what keeps the result
    private final Outcome<?> outcome;
    private volatile boolean claimed;

    private Watch(
        FailureReporter failures,
        String call,
        StackTraceElement site,
        Body caller,
        Outcome<?> outcome) {
      this.failures = failures;
      this.call = call;
      this.site = site;
      this.caller = new WeakReference<>(caller);
      this.outcome = outcome;
    }

    void claimed() {
      claimed = true;
    }

    @Override
    public void run() {
      if (!claimed) {
        Thread.startVirtualThread(this::report); // for opening a failure runs its class's code
      }
    }

    private void report() {
      var cause =
          switch (outcome) {
            case Outcome.Failure<?>(Throwable its) -> its;
            case Outcome.Encoded<?> encoded -> failures.opened((Form) encoded.form(), site);
            case Outcome.Success<?> success -> throw new AssertionError(success);
          };
      failures.report(caller.get(), call, cause);
    }
  }

  // How they travel

  /**
   * A failure on its way.
   *
   * @param summary what is always known of it
   * @param exception the exception itself, encoded, or {@code null} if that is not possible
   */
  public record Form(Summary summary, Payload exception) {

    /** What stands beside the encoded exception. */
    public List<Object> side() {
      return exception == null ? List.of() : exception.values().side();
    }
  }

  /** A throwable without its class: enough to stand for it where the class is missing. */
  public record Summary(String type, String message, StackTraceElement[] frames, Summary cause) {

    public static Summary of(Throwable failure, int depth) {
      var cause = depth == 0 ? null : causeOf(failure);
      return new Summary(
          failure instanceof RemoteFailure remote ? remote.type() : failure.getClass().getName(),
          messageOf(failure),
          framesOf(failure),
          cause == null ? null : of(cause, depth - 1));
    }

    RemoteFailure toRemoteFailure() {
      var failure =
          new RemoteFailure(type, message, cause == null ? null : cause.toRemoteFailure());
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

    static Summary read(ByteInput in, int depth) {
      var type = in.readString();
      var message = in.readBoolean() ? in.readString() : null;
      var frames = new StackTraceElement[in.readLength(MOST_FRAMES, 4)];
      for (var i = 0; i < frames.length; i++) {
        var frameType = in.readString();
        var method = in.readString();
        var file = in.readString();
        frames[i] =
            new StackTraceElement(frameType, method, file.isEmpty() ? null : file, in.readInt());
      }
      var cause = in.readBoolean() && depth > 0 ? read(in, depth - 1) : null;
      return new Summary(type, message, frames, cause);
    }

    public static Summary read(ByteInput in) {
      return read(in, MOST_CAUSES);
    }
  }

  /**
   * Prepares a failure to travel. Throws nothing, whatever the failure's own methods do: the one
   * who waits would never hear of it, and the body that serves would be stuck.
   */
  Form form(Throwable failure) {
    Payload exception = null;
    try {
      exception = node.copies().encode(failure);
    } catch (Throwable e) {
      // It holds what cannot travel; its summary can.
    }
    return new Form(Summary.of(failure, MOST_CAUSES), exception);
  }

  /** Prepares a failure to travel to a node of a grid; what is of another grid stays behind. */
  public Form formFor(Throwable failure, GridMembership grid) {
    var form = form(failure);
    try {
      MessageCodec.requireOneGrid(form.side(), grid);
      return form;
    } catch (IllegalArgumentException e) {
      return new Form(form.summary(), null);
    }
  }

  /** The outcome of a call that failed in this JVM, for a caller in this JVM. */
  public Outcome<Object> copied(Throwable failure, CallResult result) {
    return outcome(form(failure), result);
  }

  public Outcome<Object> outcome(Form form, CallResult result) {
    var site = result == null ? null : result.site();
    return new Outcome.Encoded<>(form, () -> new Outcome.Failure<>(opened(form, site)));
  }

  /**
   * Opens a failure on the thread that uses it: the server's frames, then the line of the call.
   *
   * @param site the line of the call, or {@code null} if the call is on this thread's stack
   */
  public Throwable opened(Form form, StackTraceElement site) {
    Throwable failure;
    try {
      failure =
          form.exception() == null
              ? form.summary().toRemoteFailure()
              : (Throwable) form.exception().decode(node.copies())[0];
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      failure = form.summary().toRemoteFailure();
    }
    List<StackTraceElement> frames = new ArrayList<>(List.of(form.summary().frames()));
    frames.add(new StackTraceElement("----- called", "from", node.name(), -1));
    if (site != null) {
      frames.add(site);
    } else {
      frames.addAll(callers());
    }
    try {
      failure.setStackTrace(frames.toArray(StackTraceElement[]::new));
      trimWhatItHolds(failure);
    } catch (Throwable e) {
      // A class that forbids it: its own trace is better than no failure at all.
    }
    return failure;
  }

  /** Takes the machinery that served the call from the traces of causes and suppressed failures. */
  private static void trimWhatItHolds(Throwable failure) {
    Set<Throwable> trimmed = Collections.newSetFromMap(new IdentityHashMap<>());
    trimmed.add(failure);
    var left = new ArrayDeque<Throwable>();
    left.add(failure);
    while (!left.isEmpty() && trimmed.size() <= MOST_TRIMMED) {
      var holder = left.remove();
      var held = new ArrayList<>(List.of(holder.getSuppressed()));
      if (holder.getCause() != null) {
        held.add(holder.getCause());
      }
      for (var each : held) {
        if (trimmed.add(each)) {
          each.setStackTrace(servers(each.getStackTrace()));
          left.add(each);
        }
      }
    }
  }

  /** The user's part of the current thread's stack, as far as the call that it serves. */
  private static List<StackTraceElement> callers() {
    var all = List.of(Thread.currentThread().getStackTrace());
    var first = 0;
    while (first < all.size() && isMachinery(all.get(first).getClassName())) {
      first++;
    }
    for (var i = first; i < all.size(); i++) {
      if (all.get(i).getClassName().equals(CallMethod.class.getName())) {
        return List.of(servers(all.subList(first, i).toArray(StackTraceElement[]::new)));
      }
    }
    return all.subList(first, all.size());
  }

  /** The first line of the user's own on the current thread's stack. */
  public static StackTraceElement callSite() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !isMachinery(frame.getClassName()))
                    .findFirst()
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .orElse(null));
  }

  private static boolean isMachinery(String type) {
    return type.startsWith("org.troupe.activeobjects.internal.")
        || type.startsWith("org.troupe.activeobjects.spi.")
        || type.startsWith("org.troupe.activeobjects.ActiveObjects")
        || type.startsWith("org.troupe.groups.")
        || type.startsWith("org.troupe.futures.")
        || type.startsWith("org.troupe.stubs.")
        || type.contains("$$Troupe")
        || type.startsWith("java.");
  }

  /** The part of a trace above the machinery that served the call. */
  private static StackTraceElement[] servers(StackTraceElement[] trace) {
    var frames = new ArrayList<StackTraceElement>();
    for (var frame : trace) {
      if (frame.getClassName().equals(CallMethod.class.getName()) || frames.size() == MOST_FRAMES) {
        break;
      }
      frames.add(frame);
    }
    while (!frames.isEmpty() && isMachinery(frames.getLast().getClassName())) {
      frames.removeLast();
    }
    return frames.toArray(StackTraceElement[]::new);
  }

  private static String messageOf(Throwable failure) {
    try {
      var message = failure.getMessage();
      if (!(failure instanceof RemoteFailure remote)) {
        return message;
      }
      var prefix = remote.type() + ": ";
      return message.startsWith(prefix) ? message.substring(prefix.length()) : null;
    } catch (Throwable e) {
      return null; // an exception whose own message fails still has a class and a trace
    }
  }

  private static Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable e) {
      return null;
    }
  }

  private static StackTraceElement[] framesOf(Throwable failure) {
    try {
      return servers(failure.getStackTrace());
    } catch (Throwable e) {
      return new StackTraceElement[0];
    }
  }
}
