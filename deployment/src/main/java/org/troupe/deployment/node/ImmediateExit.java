package org.troupe.deployment.node;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The end of a JVM right behind its shutdown hooks.
 *
 * <p>A JVM that exits waits up to 0.3 s for threads in native code, and a node always has some, in
 * {@code epoll_wait} for example. They hold nothing that has to be kept, so the process ends by the
 * system's {@code _exit} in place of that wait.
 */
final class ImmediateExit implements Runnable {

  /** The last of the JVM's own hooks, behind that one which runs those of the program. */
  private static final int LAST_HOOK = 9;

  /** Beginnings of options for which a JVM has more to do at its end: agents, archives, reports. */
  private static final List<String> WITH_WORK_AT_THE_END =
      List.of(
          "-agent",
          "-XX:AOTCacheOutput",
          "-XX:AOTMode=record",
          "-XX:ArchiveClassesAtExit",
          "-XX:+AutoCreateSharedArchive",
          "-XX:+Print");

  private final MethodHandle exit;
  private final int status;

  private ImmediateExit(MethodHandle exit, int status) {
    this.exit = exit;
    this.status = status;
  }

  /**
   * Prepares the JVM for {@link System#exit}. Does nothing where it is not possible, or where the
   * JVM was started with an option that gives it work at its end.
   */
  static void prepare(int status) {
    try {
      var function = Linker.nativeLinker().defaultLookup().find("_exit");
      if (function.isEmpty() || hasWorkAtTheEnd()) {
        return;
      }
      var descriptor = FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT);
      var exit = Linker.nativeLinker().downcallHandle(function.get(), descriptor);
      var add =
          Class.forName("java.lang.Shutdown")
              .getDeclaredMethod("add", int.class, boolean.class, Runnable.class);
      add.setAccessible(true);
      add.invoke(null, LAST_HOOK, false, new ImmediateExit(exit, status));
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      // The JVM ends in its own time.
    }
  }

  private static boolean hasWorkAtTheEnd() throws IOException {
    if (System.getenv("JDK_JAVA_OPTIONS") != null || System.getenv("JAVA_TOOL_OPTIONS") != null) {
      return true; // options that the command line does not show
    }
    for (var option : Files.readString(Path.of("/proc/self/cmdline")).split("\0")) {
      for (var beginning : WITH_WORK_AT_THE_END) {
        if (option.startsWith(beginning)) {
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
      exit.invokeExact(status);
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
