package org.troupe.deployment.batch;

import org.troupe.deployment.process.CommandRunner.Answer;

/** Recorded answers of commands. */
final class Answers {

  private Answers() {}

  static Answer said(String output) {
    return new Answer(0, output, "");
  }

  static Answer failed(int exitCode, String errorOutput) {
    return new Answer(exitCode, "", errorOutput);
  }
}
