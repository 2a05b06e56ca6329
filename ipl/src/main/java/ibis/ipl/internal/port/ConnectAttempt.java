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
import org.troupe.links.port.Port;

/** One attempt of a send port to connect to a receive port; another thread can cancel it. */
final class ConnectAttempt {

  /*
   * States. The attempt reaches the instance (retrying until the timeout if fill is set), sends a
   * request, and repeats it while the receive port is absent, disabled or undecided. It ends with an
   * accepted connection, a failure, or cancel by another thread. The method cancel closes the link of a
   * request in progress; once the reply accepts, the link belongs to the connection and cancel no
   * longer closes it.
   */

  private static final System.Logger LOG = System.getLogger(ConnectAttempt.class.getPackageName());

  /** The pause before another attempt to reach an instance. */
  private static final long RETRY_MILLIS = 100;

  /** The longest time for one attempt to reach an instance. */
  private static final long DIAL_SECONDS = 10;

  private final Port links;
  private final PortThreads threads;
  private final ControlConnections controls;
  private final PortProtocol.Request request;
  private final ConnectTarget target;
  private final boolean hasLimit;
  private final long deadline;
  private final boolean fill;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean wasAbsent; // the last reply was NOT_NOW; confined to the connecting thread
  private String obstacle = "its instance cannot be reached yet"; // guarded by the lock, as below
  private boolean isLate;
  private @Nullable String cancelReason; // null while the attempt is not cancelled
  private boolean isDone;
  private @Nullable Future<?> notice;
  private @Nullable Link link; // the link that cancel closes

  /**
   * Prepares an attempt.
   *
   * @param timeoutMillis 0 to try for ever
   * @param fill whether to retry an unreachable instance until the timeout
   */
  ConnectAttempt(
      Port links,
      PortThreads threads,
      ControlConnections controls,
      PortProtocol.Request request,
      ConnectTarget target,
      long timeoutMillis,
      boolean fill) {
    this.links = links;
    this.threads = threads;
    this.controls = controls;
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
  void cancel(String why) {
    lock.lock();
    try {
      cancelReason = why;
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
    scheduleNotice(WaitNotice.afterMillis);
    try {
      return retry();
    } finally {
      cancelNotices();
    }
  }

  /** Logs the obstacle after a delay, and again after ten times the delay. */
  private void scheduleNotice(long millis) {
    lock.lock();
    try {
      if (!isDone) {
        notice = threads.schedule(() -> logNotice(millis), millis);
      }
    } finally {
      lock.unlock();
    }
  }

  private void logNotice(long afterMillis) {
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
    scheduleNotice(10 * afterMillis);
  }

  private void cancelNotices() {
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

  private OutboundConnection retry() throws ConnectionFailedException {
    while (true) {
      try {
        return attempt();
      } catch (WrongSecretException | VersionMismatchException e) {
        throw target.failed(failurePrefix() + e.getMessage(), e);
      } catch (IOException e) {
        if (e instanceof ConnectionFailedException failed) {
          throw failed;
        }
        checkActive(e);
        boolean isTimeout = e instanceof SocketTimeoutException;
        if (e instanceof InterruptedIOException && !isTimeout) {
          throw target.failed(failurePrefix() + "interrupted while connecting", e);
        }
        if (!fill) {
          String why = failurePrefix() + e.getMessage();
          throw isTimeout ? target.timedOut(why, e) : target.failed(why, e);
        }
        setObstacle(String.valueOf(e.getMessage()));
        pause();
        checkActive(e);
      }
    }
  }

  private void setObstacle(String text) {
    lock.lock();
    try {
      obstacle = text;
    } finally {
      lock.unlock();
    }
  }

  private String failurePrefix() {
    return request.sender() + " cannot be connected to " + target + ": ";
  }

  private void checkActive(@Nullable IOException last) throws ConnectionFailedException {
    boolean late;
    lock.lock();
    try {
      if (cancelReason != null) {
        throw target.failed(failurePrefix() + cancelReason, last);
      }
      late = isLate;
    } finally {
      lock.unlock();
    }
    String gone = controls.whyGone(target.instance());
    if (gone != null) {
      throw target.failed(failurePrefix() + gone, last);
    }
    if (late || hasLimit && deadline - System.nanoTime() <= 0) {
      throw target.timedOut(
          failurePrefix()
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
      if (cancelReason == null) {
        boolean _ = changed.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw target.failed(failurePrefix() + "interrupted while connecting", e);
    } finally {
      lock.unlock();
    }
  }

  private OutboundConnection attempt() throws IOException {
    checkActive(null);
    Link dialled =
        links.connect(target.instance().address(), PortProtocol.CONNECTIONS, dialTimeout());
    boolean connected = false;
    try {
      setLink(dialled);
      OutboundConnection outbound = request(dialled);
      claimLink();
      connected = true;
      return outbound;
    } finally {
      setLink(null);
      if (!connected) {
        dialled.close();
      }
    }
  }

  private void setLink(@Nullable Link dialled) {
    lock.lock();
    try {
      link = dialled;
      if (link != null && cancelReason != null) {
        link.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Prevents {@link #cancel} from closing the link; fails if the attempt was cancelled before. */
  private void claimLink() throws IOException {
    lock.lock();
    try {
      if (cancelReason != null || isLate) {
        throw new SocketTimeoutException("the answer came too late");
      }
      link = null;
    } finally {
      lock.unlock();
    }
  }

  private Duration dialTimeout() {
    Duration most = Duration.ofSeconds(DIAL_SECONDS);
    if (!hasLimit) {
      return most;
    }
    Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    return left.compareTo(most) < 0 ? left : most;
  }

  /** Repeats the request until the receive port has decided. */
  private OutboundConnection request(Link dialled) throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    Future<?> limit = hasLimit ? threads.schedule(this::expire, Math.max(1, left)) : null;
    try {
      while (true) {
        request.write(dialled);
        setObstacle(
            wasAbsent
                ? "there is no such port, or it has its connections disabled; make it, and call its"
                    + " enableConnections"
                : "its instance has not answered; it may be deciding in gotConnection");
        PortProtocol.Reply reply = PortProtocol.Reply.read(dialled);
        if (reply.answer() != PortProtocol.Answer.NOT_NOW) {
          return result(dialled, reply);
        }
        wasAbsent = true;
        checkActive(null);
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

  private OutboundConnection result(Link dialled, PortProtocol.Reply reply)
      throws ConnectionFailedException {
    switch (reply.answer()) {
      case ACCEPTED -> {
        return new OutboundConnection(
            target.port(), dialled, request.connection(), reply.connection());
      }
      case OTHER_TYPE ->
          throw target.mismatch(
              failurePrefix()
                  + "the port types differ: "
                  + reply.text()
                  + "; create both ports with the same type");
      case TAKEN ->
          throw target.refused(
              failurePrefix()
                  + "it has a sender, "
                  + reply.text()
                  + ", and its type allows no other");
      case REFUSED -> throw target.refused(failurePrefix() + "its program refused");
      case NOT_ME ->
          throw target.failed(
              failurePrefix() + "that instance has ended, and " + reply.text() + " has its address",
              null);
      case NOT_NOW -> throw new AssertionError("the request is repeated");
    }
    throw new AssertionError(reply.answer());
  }
}
