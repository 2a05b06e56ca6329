package org.troupe.deployment.ssh;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that run with the ssh program of the system, and with the client in this JVM. */
@ParameterizedClass(name = "with {0}")
@ValueSource(strings = {OverEachSshClient.PROGRAM, OverEachSshClient.BUILT_IN})
public abstract class OverEachSshClient {

  static final String PROGRAM = "ssh";
  static final String BUILT_IN = "none";

  @Parameter String client;

  @BeforeParameterizedClassInvocation
  static void choose(String next) throws IOException {
    if (next.equals(BUILT_IN)) {
      System.setProperty(OpenSsh.PROGRAM, next);
    } else {
      assumeProgram();
    }
  }

  /** Skips tests of the ssh program, with a visible message, where there is none. */
  static void assumeProgram() throws IOException {
    if (OpenSsh.find(Optional.empty()).isEmpty()) {
      var reason = "NOT RUN: tests of logins with the ssh program need OpenSSH's client";
      System.err.println(reason);
      abort(reason);
    }
  }

  @AfterParameterizedClassInvocation
  static void chooseUsual() {
    System.clearProperty(OpenSsh.PROGRAM);
  }

  /** Returns whether this is the ssh program. */
  protected final boolean isProgram() {
    return client.equals(PROGRAM);
  }
}
