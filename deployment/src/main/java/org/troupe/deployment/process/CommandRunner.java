package org.troupe.deployment.process;

import java.io.IOException;
import java.util.List;

/** Runs the commands of a batch system where it has them. */
@FunctionalInterface
public interface CommandRunner {

  /**
   * Runs a command to its end.
   *
   * @throws IOException if it cannot be started or takes too long; the message says where and why
   */
  Answer run(List<String> command) throws IOException;

  /** What a command answered. */
  record Answer(int exitCode, String output, String complaint) {

    /** Returns all that it said, the complaint first, on one line. */
    public String words() {
      return (complaint.strip() + "\n" + output.strip()).strip().replaceAll("\\s*\\n\\s*", "; ");
    }
  }
}
