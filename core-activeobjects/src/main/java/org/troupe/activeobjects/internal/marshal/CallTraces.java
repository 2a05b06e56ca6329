package org.troupe.activeobjects.internal.marshal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.internal.call.CallMethod;

/** Trims stack traces for users: removes the frames of the middleware. */
public final class CallTraces {

  static final int MOST_FRAMES = 512;

  /** The class name of the frame between those of the server and those of the caller. */
  static final String CALLED = "----- called";

  private static final int MOST_TRIMMED = 64;

  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final ClassValue<Boolean> IS_MACHINERY =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isMachinery(type.getName());
        }
      };

  private CallTraces() {}

  /**
   * Removes the frames of the serving machinery from the traces of causes and suppressed failures.
   */
  static void trimWhatItHolds(Throwable failure) {
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

  /** Returns the user's part of the current stack, down to the call that the thread serves. */
  static List<StackTraceElement> callers() {
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

  /**
   * Returns the frames of the current stack below the main method of a program that {@code java}
   * runs from a source file; empty for other programs. The JDK's launcher of such programs cuts
   * that many frames off the trace of each exception that ends them, and fails if there are fewer.
   */
  static List<StackTraceElement> sourceLauncher() {
    var all = List.of(Thread.currentThread().getStackTrace());
    if (!isSourceLauncher(all.getLast())) {
      return List.of();
    }
    var first = all.size() - 1;
    while (isSourceLauncher(all.get(first - 1)) || isReflection(all.get(first - 1))) {
      first--;
    }
    return all.subList(first, all.size());
  }

  private static boolean isSourceLauncher(StackTraceElement frame) {
    return frame.getClassName().startsWith("com.sun.tools.javac.launcher.");
  }

  private static boolean isReflection(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.lang.reflect.")
        || frame.getClassName().startsWith("jdk.internal.reflect.");
  }

  /** Returns the topmost frame of the user's code on the current stack. */
  public static StackWalker.@Nullable StackFrame callSite() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !IS_MACHINERY.get(frame.getDeclaringClass()))
                .findFirst()
                .orElse(null));
  }

  /**
   * Returns the topmost frame of the user's code in the request that the thread serves; {@code
   * null} if there is none.
   */
  public static StackWalker.@Nullable StackFrame siteInService() {
    return WALKER.walk(
        frames ->
            frames
                .takeWhile(frame -> frame.getDeclaringClass() != CallMethod.class)
                .filter(frame -> !IS_MACHINERY.get(frame.getDeclaringClass()))
                .findFirst()
                .orElse(null));
  }

  /** Returns the frames of the current stack down to the topmost one of the user's code. */
  static List<StackWalker.StackFrame> pathToCallSite() {
    return WALKER.walk(
        frames -> {
          List<StackWalker.StackFrame> path = new ArrayList<>();
          for (var all = frames.iterator(); all.hasNext(); ) {
            var frame = all.next();
            path.add(frame);
            if (!IS_MACHINERY.get(frame.getDeclaringClass())) {
              return path;
            }
          }
          return List.of();
        });
  }

  private static boolean isMachinery(String type) {
    return type.startsWith("org.troupe.activeobjects.internal.")
        || type.startsWith("org.troupe.activeobjects.collective.")
        || type.startsWith("org.troupe.activeobjects.hosting.")
        || type.startsWith("org.troupe.activeobjects.transport.")
        || type.startsWith("org.troupe.activeobjects.ActiveObjects")
        || type.startsWith("org.troupe.activeobjects.RuntimeProvider")
        || type.startsWith("org.troupe.groups.")
        || type.startsWith("org.troupe.futures.")
        || type.startsWith("org.troupe.stubs.")
        || type.contains("$$Troupe")
        || type.startsWith("java.");
  }

  /** Returns whether a failure was received as the answer of a call. */
  public static boolean isAnswer(Throwable failure) {
    for (var frame : failure.getStackTrace()) {
      if (frame.getClassName().equals(CALLED)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the part of a trace above the frames of the serving machinery. */
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

  static @Nullable String messageOf(Throwable failure) {
    try {
      var message = failure.getMessage();
      if (!(failure instanceof RemoteFailure remote)) {
        return message;
      }
      var prefix = remote.type() + ": ";
      return message != null && message.startsWith(prefix)
          ? message.substring(prefix.length())
          : null;
    } catch (Throwable e) {
      return null; // if getMessage itself throws, the class and the trace still identify the
      // failure
    }
  }

  static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable e) {
      return null;
    }
  }

  static StackTraceElement[] framesOf(Throwable failure) {
    try {
      return servers(failure.getStackTrace());
    } catch (Throwable e) {
      return new StackTraceElement[0];
    }
  }
}
