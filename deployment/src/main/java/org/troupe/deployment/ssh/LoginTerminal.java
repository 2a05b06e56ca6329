package org.troupe.deployment.ssh;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The terminal on which ssh asks the user for codes, passwords and passphrases: one login at a time
 * uses it.
 */
public final class LoginTerminal {

  /** The terminal of this process; ssh opens the same one. */
  private static final Path TTY = Path.of("/dev/tty");

  private static final Path STAT = Path.of("/proc/self/stat");
  private static final int PROCESS_GROUP = 2; // positions after the name of the program, in proc(5)
  private static final int TERMINAL = 4;
  private static final int FOREGROUND_GROUP = 5;

  private static final ReentrantLock TURN = new ReentrantLock(true);

  private LoginTerminal() {}

  /** Returns whether ssh is asking the user now, so that nothing else should be drawn. */
  public static boolean isInUse() {
    return TURN.isLocked();
  }

  /** Waits for the turn of the calling thread. */
  static void acquire() throws InterruptedException {
    TURN.lockInterruptibly();
  }

  static void release() {
    TURN.unlock();
  }

  /**
   * Returns why ssh cannot ask the user; empty if it can, on the terminal or by the program that
   * the user has named in {@code SSH_ASKPASS}.
   */
  static Optional<String> absence(Map<String, String> environment) {
    if (environment.containsKey("SSH_ASKPASS")
        && (environment.containsKey("DISPLAY")
            || environment.containsKey("WAYLAND_DISPLAY")
            || environment.containsKey("SSH_ASKPASS_REQUIRE"))) {
      return Optional.empty();
    }
    try {
      var stat = Files.readString(STAT);
      var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      if (fields[TERMINAL].equals("0")) {
        return Optional.of("this program has no terminal on which ssh could ask");
      }
      return fields[PROCESS_GROUP].equals(fields[FOREGROUND_GROUP])
          ? Optional.empty()
          : Optional.of("this program runs in the background of its terminal");
    } catch (IOException e) { // not Linux
      return opens() ? Optional.empty() : Optional.of("this program has no terminal");
    }
  }

  /** Returns the terminal, for the output of ssh; empty if there is none. */
  static Optional<File> output() {
    return opens() ? Optional.of(TTY.toFile()) : Optional.empty();
  }

  private static boolean opens() {
    try (var _ = Files.newInputStream(TTY)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
