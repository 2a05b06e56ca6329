package org.troupe.activeobjects.store;

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
}
