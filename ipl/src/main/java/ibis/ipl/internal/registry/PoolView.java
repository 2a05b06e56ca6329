package ibis.ipl.internal.registry;

import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.IbisRuntimeException;
import ibis.ipl.RegistryEventHandler;
import ibis.ipl.internal.base.WaitNotice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The pool from one member's view; the common part of all registries with a pool. */
abstract class PoolView extends UnmanagedRegistry {

  private final IbisCapabilities capabilities;
  private final String poolName;
  private final int poolSize;
  private final @Nullable HandlerThread handler;
  private final RegistryFactory.Leavers leavers;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<IbisIdentifier> joined = new ArrayList<>();
  private final List<IbisIdentifier> left = new ArrayList<>();
  private final List<IbisIdentifier> died = new ArrayList<>();
  private final List<String> signals = new ArrayList<>();
  private final Map<String, IbisIdentifier> winners = new HashMap<>();
  private int joinedCount; // includes members present when this one joined
  private boolean closed;
  private boolean terminated;
  private @Nullable IbisIdentifier terminator;
  private @Nullable IOException lost;
  private boolean isLostForGood;

  /**
   * Creates a view of an empty pool.
   *
   * @param poolSize the size of a closed world; otherwise 0
   * @param handler may be {@code null}
   */
  PoolView(
      IbisCapabilities capabilities,
      String poolName,
      int poolSize,
      @Nullable RegistryEventHandler handler,
      RegistryFactory.Leavers leavers) {
    this.capabilities = capabilities;
    this.poolName = poolName;
    this.poolSize = poolSize;
    this.handler = handler == null ? null : new HandlerThread(handler);
    this.leavers = leavers;
  }

  // Calls of subclasses

  /** Applies the next event; called by one thread at a time. */
  final void happened(PoolEvent event) {
    lock.lock();
    try {
      if (!isNews(event)) {
        return;
      }
      switch (event) {
        case PoolEvent.Joined(IbisIdentifier member) -> {
          joinedCount++;
          keep(joined, member);
        }
        case PoolEvent.Gone(IbisIdentifier member, boolean dead) ->
            keep(dead ? died : left, member);
        case PoolEvent.Signalled(String signal, IbisIdentifier _) -> keep(signals, signal);
        case PoolEvent.Closed() -> closed = true;
        case PoolEvent.Elected(String election, IbisIdentifier winner) -> {
          if (winner == null) {
            winners.remove(election);
          } else {
            winners.put(election, winner);
          }
        }
        case PoolEvent.Terminated(IbisIdentifier source) -> {
          terminated = true;
          terminator = source;
        }
        case PoolEvent.ServerLost(String reason) -> lost = new IOException(reason);
        case PoolEvent.ServerFound() -> lost = null;
      }
      if (handler != null) {
        handler.add(event);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (event instanceof PoolEvent.Gone(IbisIdentifier member, boolean dead)) {
      leavers.gone(member, dead);
    }
  }

  /** Applies an event of a restarted server unless it is known already. */
  private boolean isNews(PoolEvent event) {
    return switch (event) {
      case PoolEvent.Elected(String election, IbisIdentifier winner) ->
          !Objects.equals(winner, winners.get(election));
      case PoolEvent.Closed() -> !closed;
      case PoolEvent.Terminated(IbisIdentifier _) -> !terminated;
      case PoolEvent.ServerLost _, PoolEvent.ServerFound _ -> !isLostForGood;
      case PoolEvent.Joined _, PoolEvent.Gone _, PoolEvent.Signalled _ -> true;
    };
  }

  /** Returns a copy of the results of all elections. */
  final Map<String, IbisIdentifier> winners() {
    lock.lock();
    try {
      return new LinkedHashMap<>(winners);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the member that has terminated the pool, or {@code null}. */
  final @Nullable IbisIdentifier terminator() {
    lock.lock();
    try {
      return terminator;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds to a list for downcalls; does nothing if there is a handler, as the list would never be
   * emptied.
   */
  private <T> void keep(List<T> list, T item) {
    if (handler == null) {
      list.add(item);
    }
  }

  /** Fails all waiting calls, as the pool is lost. Later causes are ignored. */
  final void lose(IOException cause) {
    lock.lock();
    try {
      if (!isLostForGood) {
        isLostForGood = true;
        lost = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (handler != null && isOver()) {
      handler.end();
    }
  }

  /** Returns whether the program has ended this instance; its handler is not called afterwards. */
  abstract boolean isOver();

  /** Throws a new exception, with the caller's stack trace, if the pool is lost. */
  final void checkNotLost() throws IOException {
    lock.lock();
    try {
      if (lost != null) {
        throw new IOException(lost.getMessage(), lost);
      }
    } finally {
      lock.unlock();
    }
  }

  final void require(String what, String... oneOf) {
    for (String capability : oneOf) {
      if (capabilities.hasCapability(capability)) {
        return;
      }
    }
    throw new IbisConfigurationException(
        what
            + " needs the capability '"
            + String.join("' or '", oneOf)
            + "', and this instance was made with '"
            + capabilities
            + "'");
  }

  final void requireElections() {
    require(
        "an election", IbisCapabilities.ELECTIONS_STRICT, IbisCapabilities.ELECTIONS_UNRELIABLE);
  }

  // Calls of the program

  @Override
  public final @Nullable IbisIdentifier elect(String electionName) throws IOException {
    return elect(electionName, 0);
  }

  @Override
  public final @Nullable IbisIdentifier getElectionResult(String electionName) throws IOException {
    return getElectionResult(electionName, 0);
  }

  @Override
  public final @Nullable IbisIdentifier getElectionResult(String electionName, long timeoutMillis)
      throws IOException {
    requireElections();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    var notice =
        new WaitNotice(
            () ->
                "getElectionResult in pool '"
                    + poolName
                    + "' waits: no member that is present has called elect(\""
                    + electionName
                    + "\")");
    lock.lock();
    try {
      while (true) {
        IbisIdentifier winner = winners.get(electionName);
        if (winner != null) {
          return winner;
        }
        if (timeoutMillis < 0) {
          return null;
        }
        checkNotLost();
        long left = end - System.nanoTime();
        if (timeoutMillis == 0) {
          notice.await(changed);
        } else if (left <= 0 || changed.awaitNanos(left) <= 0) {
          return winners.get(electionName);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while waiting for the result of election '" + electionName + "'");
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final IbisIdentifier[] joinedIbises() {
    return takeMembers(joined);
  }

  @Override
  public final IbisIdentifier[] leftIbises() {
    return takeMembers(left);
  }

  @Override
  public final IbisIdentifier[] diedIbises() {
    return takeMembers(died);
  }

  private IbisIdentifier[] takeMembers(List<IbisIdentifier> list) {
    require(
        "asking for members",
        IbisCapabilities.MEMBERSHIP_TOTALLY_ORDERED,
        IbisCapabilities.MEMBERSHIP_UNRELIABLE);
    return take(list, "members").toArray(IbisIdentifier[]::new);
  }

  @Override
  public final String[] receivedSignals() {
    require("asking for signals", IbisCapabilities.SIGNALS);
    return take(signals, "signals").toArray(String[]::new);
  }

  private <T> List<T> take(List<T> list, String what) {
    if (handler != null) {
      throw new IbisConfigurationException(
          "the handler of registry events receives all "
              + what
              + "; to use this call, create the instance without a handler");
    }
    lock.lock();
    try {
      List<T> taken = List.copyOf(list);
      list.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final String getPoolName() {
    return poolName;
  }

  @Override
  public final int getPoolSize() {
    require("the size of a pool", IbisCapabilities.CLOSED_WORLD);
    return poolSize;
  }

  @Override
  public final boolean isClosed() {
    require("the end of joining", IbisCapabilities.CLOSED_WORLD);
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IbisRuntimeException if the registry is lost, or this instance ends, before
   */
  @Override
  public final void waitUntilPoolClosed() {
    require("the end of joining", IbisCapabilities.CLOSED_WORLD);
    var notice =
        new WaitNotice(
            () ->
                "waitUntilPoolClosed of pool '"
                    + poolName
                    + "' waits: "
                    + joinedCount
                    + " of "
                    + poolSize
                    + " members have joined; start the others, or set a smaller 'ibis.pool.size'");
    lock.lock();
    try {
      while (!closed) {
        if (lost != null) {
          throw new IbisRuntimeException(
              "pool '" + poolName + "' is lost before it was closed: " + lost.getMessage(), lost);
        }
        notice.awaitUninterruptibly(changed);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final boolean hasTerminated() {
    require("termination", IbisCapabilities.TERMINATION);
    lock.lock();
    try {
      return terminated;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final @Nullable IbisIdentifier waitUntilTerminated() {
    require("termination", IbisCapabilities.TERMINATION);
    lock.lock();
    try {
      while (!terminated && lost == null) {
        changed.awaitUninterruptibly();
      }
      return terminator;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void enableEvents() {
    handlerOf("enabling events").enable();
  }

  @Override
  public final void disableEvents() {
    handlerOf("disabling events").disable();
  }

  private HandlerThread handlerOf(String what) {
    if (handler == null) {
      throw new IbisConfigurationException(
          what + " needs a handler; give one to createIbis, or ask with joinedIbises and the like");
    }
    return handler;
  }
}
