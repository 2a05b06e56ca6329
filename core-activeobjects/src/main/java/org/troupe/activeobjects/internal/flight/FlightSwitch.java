package org.troupe.activeobjects.internal.flight;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Whether a recording of the JDK Flight Recorder runs in this JVM. */
public final class FlightSwitch {

  /*
   * Design: no event, no cost
   *
   * An event of the recorder costs little while no recording runs, but not nothing: an object, unless the compiler removes it, and a
   * look at a field. So the question is a mutable call site whose target is a constant, as for the tiers of observation: the
   * compiler removes what depends on it, and compiles it anew when the first recording starts or the last one ends.
   *
   * A recording may be started by an option of the JVM, by jcmd, or by a program. The recorder announces it to a listener, but to
   * add the first listener initialises it, which takes longer than the start of a node should. Until the recorder has been
   * initialised, a virtual thread therefore looks once per second whether it has been, which is a field of a class of its own, and
   * adds the listener then.
   */
  private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);

  private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);
  private static final MutableCallSite RECORDING = new MutableCallSite(NO);
  private static final MethodHandle IS_RECORDING = RECORDING.dynamicInvoker();

  private static final boolean IS_AVAILABLE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final long LOOK_MILLIS = 1_000;

  private static final AtomicBoolean HAS_BEGUN = new AtomicBoolean();
  private static final AtomicBoolean IS_LISTENING = new AtomicBoolean();

  private FlightSwitch() {}

  /** Returns whether a recording runs. */
  public static boolean isOn() {
    try {
      return (boolean) IS_RECORDING.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("a constant", e);
    }
  }

  /** Returns whether this JVM has the recorder. */
  public static boolean isAvailable() {
    return IS_AVAILABLE;
  }

  /** Begins to look for recordings, at the start of the first node of this JVM. */
  public static void begin() {
    if (IS_AVAILABLE && !HAS_BEGUN.getAndSet(true) && !isListening()) {
      Thread.ofVirtual().name("troupe-recordings").start(FlightSwitch::look);
    }
  }

  /** Looks whether the recorder is in use; returns whether the listener sees to that now. */
  private static boolean isListening() {
    if (!IS_LISTENING.get() && FlightListener.isRecorderInUse()) {
      listen();
    }
    return IS_LISTENING.get();
  }

  private static void look() {
    try {
      do {
        Thread.sleep(LOOK_MILLIS);
      } while (!isListening());
    } catch (InterruptedException e) {
      throw new AssertionError("only this class could interrupt its thread", e);
    }
  }

  /** Listens to the recorder, which initializes it. */
  static void listen() {
    if (!IS_LISTENING.getAndSet(true)) {
      try {
        FlightListener.listen();
      } catch (RuntimeException | Error failure) {
        IS_LISTENING.set(false); // the next recording tries it again
        throw failure;
      }
    }
  }

  /**
   * Takes over whether a recording runs. No lock is held, since the recorder may hold its own ones:
   * of two threads, the one that sets an old state finds the new one afterwards.
   */
  static void set(BooleanSupplier isRecording) {
    boolean state;
    do {
      state = isRecording.getAsBoolean();
      RECORDING.setTarget(state ? YES : NO);
      MutableCallSite.syncAll(new MutableCallSite[] {RECORDING});
    } while (isRecording.getAsBoolean() != state);
  }
}
