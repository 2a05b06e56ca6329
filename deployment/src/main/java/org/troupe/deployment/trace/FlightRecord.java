package org.troupe.deployment.trace;

/**
 * A record of the stream of recordings by the JDK Flight Recorder: a {@link Begin}, a {@link
 * Progress} now and then, and for each node a {@link Node} and the {@link Part}s of its file, or a
 * {@link Missing}; then an {@link End}.
 */
public sealed interface FlightRecord {

  /** The version of the records. A client ignores fields and records that it does not know. */
  int VERSION = 1;

  /**
   * The beginning.
   *
   * @param version of the records
   * @param id the id of the deployment
   * @param run the id of the run
   * @param program the command of the program
   * @param timeMillis the time of the day, in milliseconds since 1970
   * @param seconds how long the recordings are to last
   * @param nodes how many nodes are recorded, the program included
   */
  record Begin(
      int version,
      String id,
      String run,
      String program,
      long timeMillis,
      double seconds,
      int nodes)
      implements FlightRecord {}

  /** The recordings go on. */
  record Progress(double secondsLeft) implements FlightRecord {}

  /**
   * A node, whose file follows.
   *
   * @param element the element of the descriptor that has it; empty for the program
   * @param clockAheadNanos by how much its clock of the day, which the times of a recording are
   *     made of, is ahead of that of the program
   * @param clockErrorNanos the most by which that is wrong
   */
  record Node(
      String node,
      String element,
      String host,
      long pid,
      long clockAheadNanos,
      long clockErrorNanos)
      implements FlightRecord {}

  /** The next part of the file of a node. */
  @SuppressWarnings("ArrayRecordComponent") // written once, and read once
  record Part(String node, byte[] data) implements FlightRecord {}

  /** A node without a whole file, and why. */
  record Missing(String node, String why) implements FlightRecord {}

  /** The end; it is missing if the deployment has ended before. */
  record End(int files) implements FlightRecord {}
}
