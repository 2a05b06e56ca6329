package org.troupe.deployment.node;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The end of a JVM right behind its shutdown hooks.
 *
 * <p>A JVM that exits waits up to 0.3 s for threads in native code, and a node always has some, in
 * {@code epoll_wait} for example. They hold nothing that has to be kept, so the process writes what
 * native libraries have printed, and ends by the system's {@code _exit}.
 */
final class ImmediateExit implements Runnable {

  /** The last of the JVM's own hooks, behind that one which runs those of the program. */
  private static final int LAST_HOOK = 9;

  /** What a node is started with by itself, though it begins like an option below. */
  private static final String OWN = "-Xlog:aot=off";

  /**
   * Beginnings of options for which a JVM has more to do at its end: native agents, logs, archives,
   * reports; and of those that name a file of more options.
   */
  private static final List<String> WITH_WORK_AT_THE_END =
      List.of(
          "-agent",
          "-Xlog",
          "-XX:AOTCacheOutput",
          "-XX:AOTMode=record",
          "-XX:ArchiveClassesAtExit",
          "-XX:+AutoCreateSharedArchive",
          "-XX:+Dump",
          "-XX:+Log",
          "-XX:+Print",
          "-XX:Flags=",
          "-XX:VMOptionsFile=",
          "@");

  /** Environment variables with options that the command line does not show. */
  private static final List<String> OPTIONS =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  /**
   * The type of both functions, so that the JVM generates the code for one call. The function
   * {@code _exit} looks at the lower half of the register with the address, and does not return.
   */
  private static final FunctionDescriptor FUNCTION = FunctionDescriptor.of(JAVA_INT, ADDRESS);

  private final MethodHandle flush;
  private final MethodHandle exit;
  private final int status;

  private ImmediateExit(MethodHandle flush, MethodHandle exit, int status) {
    this.flush = flush;
    this.exit = exit;
    this.status = status;
  }

  /**
   * Prepares the JVM for {@link System#exit}. Does nothing where it is not possible, or where the
   * JVM was started with an option that gives it work at its end.
   */
  static void prepare(int status) {
    try {
      if (hasWorkAtTheEnd()) {
        return;
      }
      var flush = function("fflush");
      var exit = function("_exit");
      var add =
          Class.forName("java.lang.Shutdown")
              .getDeclaredMethod("add", int.class, boolean.class, Runnable.class);
      add.setAccessible(true);
      add.invoke(null, LAST_HOOK, false, new ImmediateExit(flush, exit, status));
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      // The JVM ends in its own time.
    }
  }

  private static MethodHandle function(String name) {
    var linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), FUNCTION);
  }

  private static boolean hasWorkAtTheEnd() throws IOException {
    for (var variable : OPTIONS) {
      if (System.getenv(variable) != null) {
        return true;
      }
    }
    for (var option : Files.readString(Path.of("/proc/self/cmdline")).split("\0")) {
      for (var beginning : WITH_WORK_AT_THE_END) {
        if (option.startsWith(beginning) && !option.equals(OWN)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public void run() {
    try {
      deletePerformanceData();
      var _ = (int) flush.invokeExact(MemorySegment.NULL); // all streams
      var _ = (int) exit.invokeExact(MemorySegment.ofAddress(status));
    } catch (Throwable e) {
      // The JVM ends in its own time.
    }
  }

  /** Deletes the file in which a JVM publishes its counters, and which it deletes at its end. */
  private static void deletePerformanceData() throws IOException {
    var user = "hsperfdata_" + System.getProperty("user.name");
    Files.deleteIfExists(Path.of("/tmp", user, Long.toString(ProcessHandle.current().pid())));
  }
}
