package org.troupe.deployment.batch;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A job to be submitted.
 *
 * @param folder its working directory, which receives its output
 * @param options of the batch system's command, one an element
 * @param command the script, or a program with its arguments
 * @param wallTime its limit; empty if there is none, or if the options have it
 */
record JobTemplate(
    String name,
    String folder,
    List<String> options,
    List<String> command,
    Optional<Duration> wallTime) {

  /** Returns the file that receives its standard output. */
  String output() {
    return folder + "/job.out";
  }

  /** Returns the file that receives its standard error. */
  String errorOutput() {
    return folder + "/job.err";
  }
}
