package ibis.ipl.internal.port;

import ibis.ipl.ConnectionFailedException;
import ibis.ipl.internal.base.WaitNotice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;
import org.troupe.links.VersionMismatchException;
import org.troupe.links.WrongSecretException;

/** One attempt of a send port to connect to a receive port; another thread can cancel it. */
final class ConnectAttempt {

  /*
   * States. The attempt reaches the instance (retrying until the timeout if fill is set), sends a
   * request, and repeats it while the receive port is absent, disabled or undecided. It ends with an
   * accepted connection, a failure, or giveUp by another thread. The fields below are guarded by the
   * lock. giveUp closes the link of a request in progress; once the reply accepts, the link belongs to
   * the connection and giveUp no longer closes it.
   */

  private static final System.Logger LOG = System.getLogger(ConnectAttempt.class.getPackageName());

  /** The pause before an unreachable instance is tried again. */
  private static final long PAUSE_MILLIS = 100;

  /** The longest time for one attempt to reach an instance. */
  private static final long REACH_SECONDS = 10;

  private final PortTable ports;
  private final PortProtocol.Request request;
  private final ConnectTarget target;
  private final boolean hasLimit;
  private final long deadline;
  private final boolean fill;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean wasAbsent; // whether the last answer was that the port is absent
  private String obstacle = "its instance cannot be reached yet"; // under the lock
  private boolean isLate; // under the lock
  private @Nullable String givenUp; // the reason; under the lock
  private boolean isDone; // under the lock
  private @Nullable Future<?> notice; // under the lock
  private @Nullable Link link; // the link that giveUp closes; under the lock

  /**
   * Prepares an attempt.
   *
   * @param timeoutMillis 0 to try for ever
   * @param fill whether to retry an unreachable instance until the timeout
   */
  ConnectAttempt(
      PortTable ports,
      PortProtocol.Request request,
      ConnectTarget target,
      long timeoutMillis,
      boolean fill) {
    this.ports = ports;
    this.request = request;
    this.target = target;
    this.hasLimit = timeoutMillis > 0;
    this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    this.fill = fill;
  }

  ConnectTarget target() {
    return target;
  }

  /** Returns the remaining time. */
  long nanosLeft() {
    return hasLimit ? deadline - System.nanoTime() : Long.MAX_VALUE;
  }

  /** Cancels the attempt; {@link #run} fails soon after. */
  void giveUp(String why) {
    lock.lock();
    try {
      givenUp = why;
      if (link != null) {
        link.close();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks until the connection is established or has failed. */
  OutboundConnection run() throws ConnectionFailedException {
    printNoticeIn(WaitNotice.afterMillis);
    try {
      return tryAll();
    } finally {
      endNotices();
    }
  }

  /** Logs the obstacle after a delay, and again after ten times the delay. */
  private void printNoticeIn(long millis) {
    lock.lock();
    try {
      if (!isDone) {
        notice = ports.later(() -> printNotice(millis), millis);
      }
    } finally {
      lock.unlock();
    }
  }

  private void printNotice(long afterMillis) {
    lock.lock();
    try {
      if (!isDone) {
        LOG.log(
            Level.WARNING,
            "{0} is still being connected to {1}: {2}",
            request.sender(),
            target,
            obstacle);
      }
    } finally {
      lock.unlock();
    }
    printNoticeIn(10 * afterMillis);
  }

  private void endNotices() {
    lock.lock();
    try {
      isDone = true;
      if (notice != null) {
        boolean _ = notice.cancel(false);
      }
    } finally {
      lock.unlock();
    }
  }

  private OutboundConnection tryAll() throws ConnectionFailedException {
    while (true) {
      try {
        return attempt();
      } catch (WrongSecretException | VersionMismatchException e) {
        throw target.failed(cannot() + e.getMessage(), e);
      } catch (IOException e) {
        if (e instanceof ConnectionFailedException failed) {
          throw failed;
        }
        checkGoingOn(e);
        boolean isTimeout = e instanceof SocketTimeoutException;
        if (e instanceof InterruptedIOException && !isTimeout) {
          throw target.failed(cannot() + "interrupted while connecting", e);
        }
        if (!fill) {
          String why = cannot() + e.getMessage();
          throw isTimeout ? target.timedOut(why, e) : target.failed(why, e);
        }
        note(String.valueOf(e.getMessage()));
        pause();
        checkGoingOn(e);
      }
    }
  }

  private void note(String text) {
    lock.lock();
    try {
      obstacle = text;
    } finally {
      lock.unlock();
    }
  }

  private String cannot() {
    return request.sender() + " cannot be connected to " + target + ": ";
  }

  private void checkGoingOn(@Nullable IOException last) throws ConnectionFailedException {
    boolean late;
    lock.lock();
    try {
      if (givenUp != null) {
        throw target.failed(cannot() + givenUp, last);
      }
      late = isLate;
    } finally {
      lock.unlock();
    }
    String gone = ports.whyGone(target.instance());
    if (gone != null) {
      throw target.failed(cannot() + gone, last);
    }
    if (late || hasLimit && deadline - System.nanoTime() <= 0) {
      throw target.timedOut(
          cannot()
              + (wasAbsent
                  ? "there was no such port, or it had its connections disabled, for all of the"
                      + " time; make it, and call its enableConnections"
                  : "there was no answer in time" + (last == null ? "" : ": " + last)),
          last);
    }
  }

  private void pause() throws ConnectionFailedException {
    lock.lock();
    try {
      if (givenUp == null) {
        boolean _ = changed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw target.failed(cannot() + "interrupted while connecting", e);
    } finally {
      lock.unlock();
    }
  }

  private OutboundConnection attempt() throws IOException {
    checkGoingOn(null);
    Link dialled =
        ports.links().connect(target.instance().address(), PortProtocol.CONNECTIONS, reach());
    boolean connected = false;
    try {
      hold(dialled);
      OutboundConnection outbound = ask(dialled);
      keep();
      connected = true;
      return outbound;
    } finally {
      hold(null);
      if (!connected) {
        dialled.close();
      }
    }
  }

  private void hold(@Nullable Link dialled) {
    lock.lock();
    try {
      link = dialled;
      if (link != null && givenUp != null) {
        link.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes the link out of reach of {@link #giveUp}; fails if the attempt was cancelled before. */
  private void keep() throws IOException {
    lock.lock();
    try {
      if (givenUp != null || isLate) {
        throw new SocketTimeoutException("the answer came too late");
      }
      link = null;
    } finally {
      lock.unlock();
    }
  }

  private Duration reach() {
    Duration most = Duration.ofSeconds(REACH_SECONDS);
    if (!hasLimit) {
      return most;
    }
    Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    return left.compareTo(most) < 0 ? left : most;
  }

  /** Repeats the request until the receive port has decided. */
  private OutboundConnection ask(Link dialled) throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    Future<?> limit = hasLimit ? ports.later(this::expire, Math.max(1, left)) : null;
    try {
      while (true) {
        request.write(dialled);
        note(
            wasAbsent
                ? "there is no such port, or it has its connections disabled; make it, and call its"
                    + " enableConnections"
                : "its instance has not answered; it may be deciding in gotConnection");
        PortProtocol.Reply reply = PortProtocol.Reply.read(dialled);
        if (reply.answer() != PortProtocol.Answer.NOT_NOW) {
          return outbound(dialled, reply);
        }
        wasAbsent = true;
        checkGoingOn(null);
      }
    } finally {
      if (limit != null) {
        boolean _ = limit.cancel(false);
      }
    }
  }

  private void expire() {
    lock.lock();
    try {
      isLate = true;
      if (link != null) {
        link.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private OutboundConnection outbound(Link dialled, PortProtocol.Reply reply)
      throws ConnectionFailedException {
    switch (reply.answer()) {
      case ACCEPTED -> {
        return new OutboundConnection(
            target.port(), dialled, request.connection(), reply.connection());
      }
      case OTHER_TYPE ->
          throw target.mismatch(
              cannot() + "their types differ: " + reply.text() + "; make both with the same type");
      case TAKEN ->
          throw target.refused(
              cannot() + "it has a sender, " + reply.text() + ", and its type allows no other");
      case REFUSED -> throw target.refused(cannot() + "its program refused");
      case NOT_ME ->
          throw target.failed(
              cannot() + "that instance has ended, and " + reply.text() + " has its address", null);
      case NOT_NOW -> throw new AssertionError("the request is repeated");
    }
    throw new AssertionError(reply.answer());
  }
}
