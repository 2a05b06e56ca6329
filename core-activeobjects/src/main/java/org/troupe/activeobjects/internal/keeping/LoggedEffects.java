package org.troupe.activeobjects.internal.keeping;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.futures.Outcome;

/**
 * The values that the requests of one object obtain by {@code ActiveObjects.once}. Used by the
 * thread that serves.
 */
final class LoggedEffects {

  private final ObjectIdentity object;
  private final EmbodiedLog log;
  private final LogContent content;
  private final LogLength length;
  private final MembershipCheck membership;
  private final List<Effect> unstable = new ArrayList<>(0); // of the request that is served
  private int number; // among those of the request
  private long request; // the ordinal of the request

  /** An effect that has happened, and whose value may not be stable in the log. */
  private record Effect(long request, int number, LoggedOutcome outcome) {}

  LoggedEffects(
      ObjectIdentity object,
      EmbodiedLog log,
      LogContent content,
      LogLength length,
      MembershipCheck membership) {
    this.object = object;
    this.log = log;
    this.content = content;
    this.length = length;
    this.membership = membership;
  }

  /** Begins with a request, whose effects are numbered from 1. */
  void begin(long ordinal) {
    request = ordinal;
    number = 0;
  }

  /**
   * Returns whether the current request has obtained a value, or one before whose value may not be
   * stable.
   */
  boolean hasHappened() {
    return number > 0 || !unstable.isEmpty();
  }

  /** Records that the values of all requests up to the current one are stable. */
  void stable() {
    if (!unstable.isEmpty()) {
      unstable.removeIf(each -> each.request <= request);
    }
  }

  /** Returns a value from the log, or obtains it. */
  <T extends @Nullable Object> T once(Supplier<T> effect) {
    return once(effect, false);
  }

  /**
   * Returns a value from the log, or obtains it by an effect with a key.
   *
   * <p>The key has the ordinal of the request. If that were lost with its process, another request
   * would get the ordinal, so the effect begins when the request is stable.
   */
  <T extends @Nullable Object> T onceByKey(Function<String, T> effect) {
    return once(() -> effect.apply(key()), true);
  }

  private String key() {
    return "%016x-%d-%d-%d"
        .formatted(object.birth().incarnation(), object.number(), request, number);
  }

  private <T extends @Nullable Object> T once(Supplier<T> effect, boolean afterRequest) {
    number++;
    List<LoggedOutcome> logged = new ArrayList<>(1);
    log.perform(
        each -> {
          var known = each.loggedOnce();
          if (known != null) {
            logged.add(known);
          }
        });
    if (!logged.isEmpty()) {
      return value(content.outcome(logged.getFirst()));
    }
    var before = obtainedBefore();
    if (before != null) {
      log.perform(each -> each.obtainedOnce(before));
      return value(content.outcome(before)); // a copy: the object may have changed the first value
    }
    log.perform(each -> each.requireFirst("used ActiveObjects.once(..)"));
    if (afterRequest) {
      log.awaitInput();
      if (membership.isCutOffNow()) { // the next embodiment may not have the request
        throw log.cutOff();
      }
    }
    var obtained = content.input(obtain(effect));
    // Any exception counts, since the code of the effect may have replaced that of a loss.
    if (obtained.seen() instanceof Outcome.Failure<Object> && membership.isCutOffNow()) {
      throw log.cutOff();
    }
    var value = obtained.logged();
    unstable.add(new Effect(request, number, value));
    length.addValue(value.content().length);
    log.perform(each -> each.obtainedOnce(value));
    return value(obtained.seen());
  }

  /** Returns the effect from before the log has failed; {@code null} if it is yet to happen. */
  private @Nullable LoggedOutcome obtainedBefore() {
    for (var each : unstable) {
      if (each.request == request && each.number == number) {
        return each.outcome;
      }
    }
    return null;
  }

  private static <T extends @Nullable Object> Outcome<Object> obtain(Supplier<T> effect) {
    var context = Objects.requireNonNull(ServiceContext.current(), "the context of a request");
    context.isLogged = false;
    try {
      return success(effect.get());
    } catch (RuntimeException | Error thrown) {
      return new Outcome.Failure<>(thrown);
    } finally {
      context.isLogged = true;
    }
  }

  @SuppressWarnings("NullAway") // the value may be null
  private static Outcome<Object> success(@Nullable Object value) {
    return new Outcome.Success<>(value);
  }

  @SuppressWarnings("unchecked") // the log has the value of the effect
  private static <T extends @Nullable Object> T value(Outcome<Object> outcome) {
    return switch (outcome) {
      case Outcome.Success<Object>(Object value) -> (T) value;
      case Outcome.Failure<Object>(RuntimeException cause) -> throw cause;
      case Outcome.Failure<Object>(Error cause) -> throw cause;
      case Outcome.Failure<Object>(Throwable cause) -> throw new AssertionError(cause);
      case Outcome.Encoded<Object> encoded -> throw new AssertionError(encoded);
    };
  }
}
