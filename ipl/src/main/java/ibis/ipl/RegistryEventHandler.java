package ibis.ipl;

/**
 * Receives the events of the pool, one at a time, once {@link Registry#enableEvents} has been
 * called.
 *
 * <p>The methods run on a dedicated thread and may block; their exceptions are logged.
 */
public interface RegistryEventHandler {

  /** An instance has joined the pool; this one, too. */
  void joined(IbisIdentifier joinedIbis);

  /** An instance has left the pool by {@link Ibis#end}. */
  void left(IbisIdentifier leftIbis);

  /** An instance has crashed, or was declared dead. */
  void died(IbisIdentifier corpse);

  /** A member has sent this instance a signal. */
  void gotSignal(String signal, IbisIdentifier source);

  /**
   * An election has a new result.
   *
   * @param winner the winner, or {@code null} if the previous winner has left or died
   */
  void electionResult(String electionName, IbisIdentifier winner);

  /** The pool of a closed world is complete; no further instance can join. */
  void poolClosed();

  /** A member has terminated the pool. */
  void poolTerminated(IbisIdentifier source);

  /**
   * The server of the pool has ended or cannot be reached: calls of the registry fail; ports keep
   * working. An addition to the original interface.
   *
   * @param reason a description for users
   */
  default void serverLost(String reason) {}

  /**
   * A restarted server has readmitted this instance with its name and its elections. Events that
   * were missed follow. An addition to the original interface.
   */
  default void serverFound() {}
}
