package ibis.ipl;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The pool from a member's view: membership, elections, signals, counters.
 *
 * <p>A method throws an {@link IbisConfigurationException} if it needs a capability without which
 * the instance was created, and an {@link IOException} if it needs the network after the instance
 * has ended or the registry is lost. May be shared between threads.
 */
public interface Registry extends Manageable {

  /**
   * Takes part in an election and returns its winner: the first candidate, until it leaves or dies.
   *
   * @throws IOException if the registry is lost, or this instance is no longer a member
   */
  @Nullable IbisIdentifier elect(String electionName) throws IOException;

  /**
   * Takes part in an election, waiting no longer than a time for its result.
   *
   * @param timeoutMillis in milliseconds; 0 waits for ever
   * @return the winner, or {@code null} if there was none in time
   */
  @Nullable IbisIdentifier elect(String electionName, long timeoutMillis) throws IOException;

  /** Waits until an election has a winner and returns it; does not stand. */
  @Nullable IbisIdentifier getElectionResult(String electionName) throws IOException;

  /**
   * Returns the winner of an election; does not stand.
   *
   * @param timeoutMillis in milliseconds; 0 waits for ever, -1 does not wait
   * @return the winner, or {@code null} if there was none in time
   */
  @Nullable IbisIdentifier getElectionResult(String electionName, long timeoutMillis)
      throws IOException;

  /** Asks the registry to check soon whether an instance is alive. */
  void maybeDead(IbisIdentifier ibisIdentifier) throws IOException;

  /** Declares an instance dead without a check. */
  void assumeDead(IbisIdentifier ibisIdentifier) throws IOException;

  /**
   * Sends a signal to those of the instances that are members now, once to each.
   *
   * <p>Needs {@link IbisCapabilities#SIGNALS}.
   */
  void signal(String signal, IbisIdentifier... ibisIdentifiers) throws IOException;

  /** Returns the instances that joined since the last call; needs a membership capability. */
  IbisIdentifier[] joinedIbises();

  /** Returns the instances that left since the last call; needs a membership capability. */
  IbisIdentifier[] leftIbises();

  /** Returns the instances that died since the last call; needs a membership capability. */
  IbisIdentifier[] diedIbises();

  /** Returns the signals received since the last call. */
  String[] receivedSignals();

  /** Returns the configured size of a closed world, independent of the present members. */
  int getPoolSize();

  /** Returns the name of the pool. */
  String getPoolName();

  /** Waits until the pool of a closed world is complete. */
  void waitUntilPoolClosed();

  /** Returns whether the pool of a closed world is complete. */
  boolean isClosed();

  /** Enables the handler, which first receives the queued events. */
  void enableEvents();

  /** Disables the handler and waits for a call in progress; later events are queued. */
  void disableEvents();

  /**
   * Returns the next number of a counter of the pool: 0, 1, 2 and so on, each to one caller only.
   */
  long getSequenceNumber(String name) throws IOException;

  /** Puts tokens into a bag of the pool. */
  void addTokens(String name, int count) throws IOException;

  /** Takes a token from a bag of the pool: its name, or {@code null} if the bag is empty. */
  @Nullable String getToken(String name) throws IOException;

  /** Closes the pool and notifies all members, including this one, of the termination. */
  void terminate() throws IOException;

  /** Returns whether a member has called {@link #terminate}. */
  boolean hasTerminated();

  /**
   * Waits until a member calls {@link #terminate}, and returns the first that did.
   *
   * @return the source, or {@code null} if the registry was lost or the instance ended before
   */
  @Nullable IbisIdentifier waitUntilTerminated();
}
