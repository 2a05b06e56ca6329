package org.troupe.deployment.runs;

import java.util.List;

/**
 * A run that this machine has a record of, and what is there of it. Immutable.
 *
 * @param id by which the verbs of {@code troupe} speak of it
 * @param state {@code running}, {@code left behind}, or {@code elsewhere}: its program was started
 *     on a machine with the same home directory, and only there it is known whether it runs
 * @param pid of its program
 * @param host that its program was started on
 * @param since when it was deployed, as ISO 8601 has it
 * @param program what it was started with
 * @param things what is there of it, or was done about that
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
   * Something that a run has started or made.
   *
   * @param kind {@code process}, {@code job}, {@code folder}, {@code files}, {@code record}; or
   *     {@code machine} for one that cannot be asked
   * @param name its number or path; empty for a machine
   * @param where the machine, or the batch system
   * @param state its state, or the action taken on it
   * @param isLeft whether it is still there, as far as is known
   */
  public record Thing(String kind, String name, String where, String state, boolean isLeft) {

    @Override
    public String toString() {
      return kind + (name.isEmpty() ? "" : " " + name) + " on " + where + ": " + state;
    }
  }
}
