package org.troupe.activeobjects.store;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * The process that uses a store for a run. All processes of a run may use a store at the same time.
 *
 * @param run identifies the run
 * @param process the number of the process
 * @param host the host of the process
 * @param since when the process began to use the store
 */
public record StoreUser(String run, long process, String host, Instant since) {

  /** Returns the message for another run that the store is refused to. */
  public String refusal(String store) {
    var local = since.atZone(ZoneId.systemDefault());
    var isToday = local.toLocalDate().equals(LocalDate.now(ZoneId.systemDefault()));
    var time = DateTimeFormatter.ofPattern(isToday ? "HH:mm" : "yyyy-MM-dd HH:mm").format(local);
    return "the store %s is used by the run '%s' (process %d on host %s) since %s; end that, or give another"
        .formatted(store, run, process, host, time);
  }

  /**
   * Returns the message for a store that does not notice the end of a process, and therefore waits
   * for signs of life.
   *
   * @param silence how old the last sign of a process of the run is
   * @param limit how old it has to be until the run is forgotten
   */
  public String refusal(String store, Duration silence, Duration limit) {
    return "%s; if it was killed, try again in %d s: its last sign of life is %d s old, and it is forgotten after %d s"
        .formatted(
            refusal(store),
            Math.max(1, limit.minus(silence).toSeconds() + 1),
            Math.max(0, silence.toSeconds()),
            limit.toSeconds());
  }
}
