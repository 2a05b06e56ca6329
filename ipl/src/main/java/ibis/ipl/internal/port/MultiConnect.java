package ibis.ipl.internal.port;

import ibis.ipl.ConnectionFailedException;
import ibis.ipl.ConnectionTimedOutException;
import ibis.ipl.ConnectionsFailedException;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.internal.base.WaitNotice;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/** Connects a send port to several receive ports within one time limit. */
final class MultiConnect {

  private static final System.Logger LOG = System.getLogger(MultiConnect.class.getPackageName());

  /** Without a time limit: the time for one target before the next one is tried. */
  private static final long SLICE_MILLIS = 1_000;

  private final LinkSendPort port;
  private final boolean hasOneReceiver;
  private final ControlConnections controls;

  MultiConnect(LinkSendPort port, boolean hasOneReceiver, ControlConnections controls) {
    this.port = port;
    this.hasOneReceiver = hasOneReceiver;
    this.controls = controls;
  }

  /**
   * Connects to each target within an equal share of the remaining time.
   *
   * @param timeoutMillis 0 to try for ever
   * @param fill whether to retry failed targets, after the others, until the timeout
   * @throws ConnectionsFailedException if any target was not connected; the others stay connected
   */
  void connect(List<ConnectTarget> targets, long timeoutMillis, boolean fill)
      throws ConnectionsFailedException {
    if (hasOneReceiver && targets.size() > 1) {
      throw new IbisConfigurationException(
          port + " can have one receiver by its type, not " + targets.size());
    }
    long start = System.nanoTime();
    Queue<ConnectTarget> queue = new ArrayDeque<>(targets);
    Map<ConnectTarget, ConnectionFailedException> failures = new LinkedHashMap<>();
    List<ReceivePortIdentifier> obtained = new ArrayList<>();
    long noticeAfter = WaitNotice.afterMillis;
    while (!queue.isEmpty()) {
      long left = timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      if (timeoutMillis > 0 && left <= 0) {
        break;
      }
      ConnectTarget target = queue.remove();
      long share = SLICE_MILLIS;
      if (timeoutMillis != 0) {
        share = timeoutMillis < 0 ? timeoutMillis : Math.max(1, left / (queue.size() + 1));
      } else if (!fill || queue.isEmpty()) {
        share = 0;
      }
      try {
        obtained.add(port.connect(target, share, false));
        failures.remove(target);
      } catch (ConnectionFailedException e) {
        failures.put(target, e);
        if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(noticeAfter)) {
          noticeAfter = Long.MAX_VALUE;
          LOG.log(Level.WARNING, "{0} is still being connected: {1}", port, e.getMessage());
        }
        if (fill && timeoutMillis >= 0 && mayRecover(target, e)) {
          queue.add(target);
        }
      }
    }
    for (ConnectTarget untried : queue) {
      failures.computeIfAbsent(
          untried, target -> target.timedOut("there was no time to try " + target, null));
    }
    if (!failures.isEmpty()) {
      var failed =
          new ConnectionsFailedException(
              port + " could not be connected to " + failures.size() + " of " + targets.size());
      failures.values().forEach(failed::add);
      failed.setObtainedConnections(obtained.toArray(ReceivePortIdentifier[]::new));
      throw failed;
    }
  }

  /** Returns whether another attempt to connect to a target can succeed. */
  private boolean mayRecover(ConnectTarget target, ConnectionFailedException failure) {
    boolean isTransient =
        failure instanceof ConnectionTimedOutException
            || failure.getClass() == ConnectionFailedException.class;
    boolean isInterrupted =
        Thread.currentThread().isInterrupted(); // every further attempt would fail at once
    return isTransient && !isInterrupted && controls.whyGone(target.instance()) == null;
  }
}
