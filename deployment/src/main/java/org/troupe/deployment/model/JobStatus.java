package org.troupe.deployment.model;

import java.util.List;

/**
 * The JVMs that are started together: those of a batch job, or all of an element without jobs.
 * Immutable.
 *
 * @param element the id of the infrastructure element
 * @param first the number of the first of them within the element, from 1 on
 * @param system the name of the batch system; else {@code ssh} or {@code local}
 * @param command the command or script that starts them, as the plan shows it, but without the
 *     values of properties and secrets of the program and the descriptor
 * @param job the id of the job at the batch system; empty if there is none
 * @param state in a word, such as {@code queued}; empty if the states of the nodes tell it
 * @param reason the state and its reason in the words of the batch system
 * @param submitMillis when the job was submitted, in milliseconds since 1970; 0 if it was not
 * @param startMillis when the job began; 0 if it has not
 * @param endMillis when the job ended; 0 if it has not
 * @param limitSeconds the limit of its time; 0 if there is none
 * @param nodesAsked the number of machines that were asked for
 * @param nodesGranted the number of machines that it has got; negative if not known
 * @param jvms the number of JVMs
 * @param copied what was copied for them
 * @param output the last lines that the script itself has printed
 */
public record JobStatus(
    String element,
    int first,
    String system,
    String command,
    String job,
    String state,
    String reason,
    long submitMillis,
    long startMillis,
    long endMillis,
    long limitSeconds,
    int nodesAsked,
    int nodesGranted,
    int jvms,
    Copied copied,
    List<String> output) {

  /** Copies the list. */
  public JobStatus {
    output = List.copyOf(output);
  }

  /** Returns the status of an element without jobs. */
  public static JobStatus of(
      String element, String system, String command, int machines, int jvms, Copied copied) {
    return new JobStatus(
        element, 1, system, command, "", "", "", 0, 0, 0, 0, machines, machines, jvms, copied,
        List.of());
  }

  /**
   * The files that were copied to machines.
   *
   * @param bytes the size of the files that were copied
   * @param files the number of files that were copied
   * @param cached the number of files that were there before
   * @param seconds how long that took, all machines together
   */
  public record Copied(long bytes, int files, int cached, double seconds) {

    /** No files. */
    public static final Copied NONE = new Copied(0, 0, 0, 0);

    /** Returns the sum of two. */
    public Copied plus(Copied other) {
      return new Copied(
          bytes + other.bytes, files + other.files, cached + other.cached, seconds + other.seconds);
    }
  }
}
