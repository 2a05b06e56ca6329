package org.troupe.benchmarks.bare;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/** Sleeping on a word of memory that two processes share: the system's futex (man 2 futex). */
final class SharedFutex {

  private static final int WAIT = 0;
  private static final int WAKE = 1;

  /** Its number among the system calls of Linux, by architecture. */
  private static final Map<String, Long> NUMBERS = Map.of("amd64", 202L, "aarch64", 98L);

  private static final String SYSTEM = System.getProperty("os.name");
  private static final String ARCHITECTURE = System.getProperty("os.arch");

  private SharedFutex() {}

  static boolean isKnown() {
    return SYSTEM.equals("Linux") && NUMBERS.containsKey(ARCHITECTURE);
  }

  /** Sleeps until woken, unless the word is not what it was; may return for no reason. */
  static void await(MemorySegment word, int seen) {
    call(word, WAIT, seen);
  }

  /** Wakes the one who sleeps on the word. */
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

  /** Apart, so that asking whether there is a futex needs no native access. */
  private static final class SystemCall {

    private static final long NUMBER = NUMBERS.get(ARCHITECTURE);
    private static final MethodHandle TO = find();

    @SuppressWarnings("restricted") // whoever starts this JVM enables native access
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
