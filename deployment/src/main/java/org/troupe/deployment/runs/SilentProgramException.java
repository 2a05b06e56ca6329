package org.troupe.deployment.runs;

import java.io.IOException;

/**
 * A program accepts connections to its control socket, and does not answer. The message has the
 * remedy.
 */
public final class SilentProgramException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param id the id of the deployment
   * @param pid the process id of its program
   */
  SilentProgramException(String id, String pid) {
    super(
        "the program of deployment %s does not answer: it is stopped, as by Ctrl-Z or a debugger, or it hangs; 'kill -CONT %s' continues a stopped program, and 'kill -KILL %s' ends it, after which 'troupe clean' removes what it leaves behind"
            .formatted(id, pid, pid));
  }
}
