package org.troupe.deployment.runs;

import java.util.List;

/**
 * A run that is recorded on this machine, with its processes, jobs and files. Immutable.
 *
 * @param id the id of the run
 * @param state {@code running}, {@code held}: it has no program, and holds machines for others,
 *     {@code left behind}, or {@code elsewhere}: its program was started on another machine with
 *     the same home directory, and only that machine knows whether it runs
 * @param pid the process id of its program
 * @param host the host of its program
 * @param since the time of its deployment, in ISO 8601
 * @param program the command of its program
 * @param things its processes, jobs and files, or the actions on them
 */
public record RunStatus(
    String id,
    String state,
    long pid,
    String host,
    String since,
    String program,
    List<Thing> things) {

  /** Copies the list. */
  public RunStatus {
    things = List.copyOf(things);
  }

  /**
   * A process, job or file of a run.
   *
   * @param kind {@code process}, {@code job}, {@code folder}, {@code files}, {@code record}; or
   *     {@code machine} for a machine that cannot be asked
   * @param name its id or path; empty for a machine
   * @param where the machine, or the batch system
   * @param state its state, or the action taken on it
   * @param isLeft whether it still exists, as far as is known
   */
  public record Thing(String kind, String name, String where, String state, boolean isLeft) {

    @Override
    public String toString() {
      return kind + (name.isEmpty() ? "" : " " + name) + " on " + where + ": " + state;
    }
  }
}
