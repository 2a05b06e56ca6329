package org.troupe.activeobjects.internal.observe;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePace;

/** The tier of observation of this JVM, as the code on the path of each request sees it. */
public final class TierSwitch {

  /*
   * Design: a switch without cost
   *
   * A request may take 50 ns, so the path of a request must not even read a field to learn that nothing is observed. Each
   * question is a mutable call site whose target is a constant. The compiler inlines the constant and removes the
   * code that depends on it; a change of the tier discards the compiled code, which is compiled anew. Changes are
   * rare: at the start, and when a user asks for another tier.
   *
   * The optimizing compiler leaves nothing of a question: -XX:+PrintInlining shows the target as an inlined constant, and no call
   * of the code that depends on it (a local call that waits, tier off, 7dd14c2b, 2026-11-27). The first compiler does not inline
   * the questions ("callee uses too much stack"), so each costs a call there, in warm-up and with -XX:TieredStopAtLevel=1.
   *
   * The tier belongs to the JVM, since compiled code does: several nodes of one JVM, as in tests, share it. A request that
   * is served while the tier changes may be recorded in part; no counter relies on two of the questions having
   * the same answer.
   */
  private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);

  private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);
  private static final MutableCallSite COUNTING = new MutableCallSite(NO);
  private static final MutableCallSite TIMING = new MutableCallSite(NO);
  private static final MutableCallSite TRACING = new MutableCallSite(NO);
  private static final MethodHandle IS_COUNTING = COUNTING.dynamicInvoker();
  private static final MethodHandle IS_TIMING = TIMING.dynamicInvoker();
  private static final MethodHandle IS_TRACING = TRACING.dynamicInvoker();

  private static volatile ObservationTier tier = ObservationTier.OFF; // written under the class
  private static boolean isSet; // guarded by the class

  private TierSwitch() {}

  /** Returns whether requests are counted. */
  public static boolean isCounting() {
    try {
      return (boolean) IS_COUNTING.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("a constant", e);
    }
  }

  /** Returns whether some requests are timed. */
  public static boolean isTiming() {
    try {
      return (boolean) IS_TIMING.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("a constant", e);
    }
  }

  /** Returns whether each request is traced. */
  public static boolean isTracing() {
    try {
      return (boolean) IS_TRACING.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("a constant", e);
    }
  }

  /**
   * Decides whether a call that is accepted now is timed; called only while {@link #isTiming()}.
   *
   * @param isChosen whether it is the one of {@link ServicePace#SAMPLING} requests of its object
   * @return the time of {@link ServicePace#accepts}, or 0
   */
  public static long accepts(CallMethod method, boolean isChosen) {
    var pace = method.pace();
    var isTimed = isChosen || isTracing() || pace.timesEach(); // most are not
    return isTimed && !method.owner().isMiddleware() ? pace.accepts(isChosen, isTracing()) : 0;
  }

  /** Returns the tier. */
  public static ObservationTier tier() {
    return tier;
  }

  /**
   * Begins with the tier of the system property, at the start of the first node of this JVM.
   *
   * @throws IllegalArgumentException if the property names no tier
   */
  public static synchronized void begin() {
    var first = ObservationTier.ofProperty();
    if (!isSet) {
      set(first);
    }
  }

  /** Changes the tier; requests that begin later are observed accordingly. */
  public static synchronized void set(ObservationTier next) {
    isSet = true;
    if (next == tier) {
      return;
    }
    tier = next;
    COUNTING.setTarget(next.includes(ObservationTier.COUNTS) ? YES : NO);
    TIMING.setTarget(next.includes(ObservationTier.TIMES) ? YES : NO);
    TRACING.setTarget(next.includes(ObservationTier.TRACE) ? YES : NO);
    MutableCallSite.syncAll(new MutableCallSite[] {COUNTING, TIMING, TRACING});
  }
}
