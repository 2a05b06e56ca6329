package org.troupe.benchmarks.bare;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Objects;

/** Waits on a word of memory that two processes share, by the system's futex (man 2 futex). */
final class SharedFutex {

  private static final int WAIT = 0;
  private static final int WAKE = 1;

  /** The number of the system call on Linux, by architecture. */
  private static final Map<String, Long> NUMBERS = Map.of("amd64", 202L, "aarch64", 98L);

  private static final String SYSTEM = System.getProperty("os.name");
  private static final String ARCHITECTURE = System.getProperty("os.arch");

  private SharedFutex() {}

  static boolean isAvailable() {
    return SYSTEM.equals("Linux") && NUMBERS.containsKey(ARCHITECTURE);
  }

  /** Sleeps until woken, unless the word differs from the given value; may return spuriously. */
  static void await(MemorySegment word, int expected) {
    call(word, WAIT, expected);
  }

  /** Wakes the thread that sleeps on the word. */
  static void wake(MemorySegment word) {
    call(word, WAKE, 1);
  }

  private static void call(MemorySegment word, long operation, long value) {
    try {
      var _ = (long) SystemCall.TO.invokeExact(SystemCall.NUMBER, word, operation, value, 0L);
    } catch (Throwable e) {
      throw new AssertionError("a system call throws nothing", e);
    }
  }

  /** The call, in a class of its own so that {@link #isAvailable} needs no native access. */
  private static final class SystemCall {

    private static final long NUMBER =
        Objects.requireNonNull(NUMBERS.get(ARCHITECTURE), "callers check isAvailable()");
    private static final MethodHandle TO = find();

    @SuppressWarnings("restricted") // native access is enabled when this JVM is started
    private static MethodHandle find() {
      var linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().find("syscall").orElseThrow(),
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG, // number
              ValueLayout.ADDRESS, // word
              ValueLayout.JAVA_LONG, // operation
              ValueLayout.JAVA_LONG, // value
              ValueLayout.JAVA_LONG), // time-out: none
          Linker.Option.firstVariadicArg(1));
    }
  }
}
