package org.troupe.deployment.process;

import java.io.IOException;
import java.util.List;
import org.troupe.deployment.files.TerminalText;

/** Runs commands on the machine that has them, such as those of a batch system. */
@FunctionalInterface
public interface CommandRunner {

  /**
   * Runs a command to its end.
   *
   * @throws IOException if it cannot be started or takes too long; the message says where and why
   */
  Answer run(List<String> command) throws IOException;

  /** The exit code and output of a command. */
  record Answer(int exitCode, String output, String errorOutput) {

    /** Returns its whole output, standard error first, on one line without control characters. */
    public String message() {
      var all = (errorOutput.strip() + "\n" + output.strip()).strip();
      return TerminalText.plain(all.replaceAll("\\s*\\n\\s*", "; "));
    }
  }
}
