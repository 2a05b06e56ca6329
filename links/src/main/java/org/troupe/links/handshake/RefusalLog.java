package org.troupe.links.handshake;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.troupe.links.Address;

/** Logs refused peers: the first of each host and cause, then the 10th, 100th and so on. */
public final class RefusalLog {

  /** The number of counted hosts and causes; beyond it the least recent is forgotten. */
  private static final int REMEMBERED = 1024;

  private final System.Logger log;
  private final Map<RefusedHost, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RefusedHost, Count> eldest) {
          return size() > REMEMBERED;
        }
      };

  public RefusalLog(System.Logger log) {
    this.log = log;
  }

  public void refused(Address port, InetAddress host, RefusalCause refusal) {
    long times;
    synchronized (counts) {
      Count count = counts.computeIfAbsent(new RefusedHost(host, refusal), _ -> new Count());
      times = ++count.refused;
      if (times < count.logNextAt) {
        return;
      }
      count.logNextAt *= 10;
    }
    log.log(
        Level.WARNING,
        "port {0} refused a connection from {1}: {2} (number {3,number,#} of its kind; the next"
            + " line follows at ten times as many)",
        port.name(),
        host.getHostAddress(),
        refusal.reason,
        times);
  }

  private record RefusedHost(InetAddress host, RefusalCause refusal) {}

  private static final class Count {
    long refused;
    long logNextAt = 1;
  }
}
