package org.troupe.activeobjects.internal.replay;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * The part of a log that the requests of an object use up when they are served again. Not
 * thread-safe.
 */
final class ReplayLog<C, V> {

  private record CallKey(ObjectIdentity target, long number) {}

  private record OnceKey(long request, int index) {}

  private record Placed<R>(long position, R entry) {}

  private final LinkedHashMap<CallKey, Placed<LogRecord.Answer<C, V>>> answers =
      new LinkedHashMap<>();
  private final Map<CallKey, Long> unsent = new HashMap<>(); // the numbers before them
  private final Map<OnceKey, V> onces = new HashMap<>();
  private final Map<Long, Placed<LogRecord.End<C, V>>> ends = new HashMap<>();
  private final Map<Long, Placed<LogRecord.SetAside<C, V>>> setAside = new HashMap<>();

  void add(long position, LogRecord.Answer<C, V> answer) {
    answers.put(new CallKey(answer.target(), answer.number()), new Placed<>(position, answer));
  }

  void add(LogRecord.Unsent<C, V> call) {
    unsent.put(new CallKey(call.target(), call.number()), call.after());
  }

  void add(LogRecord.Once<C, V> once) {
    onces.put(new OnceKey(once.request(), once.index()), once.value());
  }

  void add(long position, LogRecord.End<C, V> end) {
    ends.put(end.request(), new Placed<>(position, end));
  }

  void add(long position, LogRecord.SetAside<C, V> failed) {
    setAside.put(failed.request(), new Placed<>(position, failed));
  }

  /** Takes the end of a call that is made again; {@code null} if the log has none. */
  LogRecord.@Nullable Answer<C, V> answer(ObjectIdentity target, long number) {
    var found = answers.remove(new CallKey(target, number));
    return found == null ? null : found.entry();
  }

  /**
   * Takes the number of the last call that could be sent before one that could not; {@code null} if
   * that could be, as far as the log says.
   */
  @Nullable Long unsent(ObjectIdentity target, long number) {
    return unsent.isEmpty() ? null : unsent.remove(new CallKey(target, number));
  }

  /** Takes a value that a request has obtained; {@code null} if the log has none. */
  @Nullable V once(long request, int index) {
    return onces.remove(new OnceKey(request, index));
  }

  /** Takes the failure of a request; {@code null} if it did not fail. */
  LogRecord.@Nullable SetAside<C, V> setAside(long request) {
    if (setAside.isEmpty()) {
      return null;
    }
    var found = setAside.remove(request);
    if (found == null) {
      return null;
    }
    onces.keySet().removeIf(each -> each.request() == request);
    // What is left was answered to the failed request, since all before it was served again.
    answers.values().removeIf(each -> each.position() < found.position());
    return found.entry();
  }

  /** Returns whether the log has the end of a request that is yet to be served again. */
  boolean hasEnded(long request) {
    return isPending() && (ends.containsKey(request) || setAside.containsKey(request));
  }

  /** Returns the digest of a request that has ended; {@code null} if it has not. */
  @Nullable Long endDigest(long request) {
    var found = ends.isEmpty() ? null : ends.get(request);
    return found == null ? null : found.entry().digest();
  }

  /**
   * Ends a request that was served again.
   *
   * @return a call that it had made when it was served first, and not now; {@code null} if there is
   *     none
   */
  @Nullable CallFingerprint ended(long request) {
    var end = ends.isEmpty() ? null : ends.remove(request);
    if (answers.isEmpty()) {
      return null;
    }
    var first = answers.firstEntry().getValue();
    return end == null || first.position() < end.position() ? first.entry().fingerprint() : null;
  }

  /** Returns whether the object has yet to do what it did before. */
  boolean isPending() {
    return !answers.isEmpty() || !ends.isEmpty() || !setAside.isEmpty() || !onces.isEmpty();
  }
}
