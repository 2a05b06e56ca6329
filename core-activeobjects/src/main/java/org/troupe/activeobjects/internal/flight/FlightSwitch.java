package org.troupe.activeobjects.internal.flight;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
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
   * A recording may be started by an option of the JVM, by jcmd, or by a program. The recorder announces its first use and each
   * recording to a listener. To add it loads classes of the recorder, 1 to 2 ms, so a node does that a second after its start. The
   * rest, the types of Troupe's events, initialises the recorder and waits for its first use.
   *
   * No thread looks at intervals whether the recorder is in use: a virtual thread that did so once per second took a fifth of the
   * processor time of an idle node.
   */
  private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);

  private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);
  private static final MutableCallSite RECORDING = new MutableCallSite(NO);
  private static final MethodHandle IS_RECORDING = RECORDING.dynamicInvoker();

  private static final boolean IS_AVAILABLE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final long START_MILLIS = 1_000;

  private static final AtomicBoolean HAS_BEGUN = new AtomicBoolean();
  private static final Lock REGISTRATION = new ReentrantLock();
  private static boolean isListening; // guarded by REGISTRATION
  private static boolean isRegistered; // guarded by REGISTRATION

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

  /** Begins to listen to the recorder, at the start of the first node of this JVM. */
  public static void begin() {
    if (!IS_AVAILABLE || HAS_BEGUN.getAndSet(true)) {
      return;
    }
    if (FlightListener.isRecorderInUse()) {
      register();
    } else {
      Thread.ofVirtual().name("troupe-recordings").start(FlightSwitch::listenLater);
    }
  }

  private static void listenLater() {
    try {
      Thread.sleep(START_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError("only this class could interrupt its thread", e);
    }
    REGISTRATION.lock();
    try {
      listen();
    } finally {
      REGISTRATION.unlock();
    }
  }

  private static void listen() {
    if (!isListening) {
      FlightListener.add();
      isListening = true;
    }
  }

  /** Registers the events, which initializes the recorder if it is not in use yet. */
  static void register() {
    REGISTRATION.lock();
    try {
      listen();
      if (!isRegistered) {
        FlightListener.registerEvents();
        isRegistered = true; // not after a failure, so that the next recording tries it again
      }
    } finally {
      REGISTRATION.unlock();
    }
    set(FlightListener::isRecording); // a recording may have started before the listener was added
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
