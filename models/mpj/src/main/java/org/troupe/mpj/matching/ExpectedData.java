package org.troupe.mpj.matching;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.mpj.error.MessagingError.Failure;

/**
 * The receives of a rank that have matched a message which asked first, until its data arrives.
 * Thread-safe.
 */
final class ExpectedData {

  /** A message, under the number of its sender. */
  private record Announced(int from, long id) {}

  private final Map<Announced, ReceiveOperation> receives = new ConcurrentHashMap<>();

  /** Adds a receive, whose sender may send the data from now on. */
  void add(ArrivedMessage announced, ReceiveOperation receive) {
    receives.put(new Announced(announced.source(), announced.id()), receive);
  }

  /** Returns the array for the data of a message, if it can be read there directly. */
  @Nullable ReceiveBuffer lend(int from, long id, Class<?> element, int length) {
    var receive = receives.get(new Announced(from, id));
    return receive == null ? null : receive.lend(element, length);
  }

  /** Completes the receive of a message by its data. */
  void arrived(int from, long id, Packet data) {
    var receive = receives.remove(new Announced(from, id));
    if (receive != null) {
      receive.dataArrived(data);
    }
  }

  /**
   * Fails the receives whose sender is lost.
   *
   * @param losses gives the failure of a rank, null if it is not lost
   */
  void failLost(IntFunction<@Nullable Failure> losses) {
    for (var each : List.copyOf(receives.entrySet())) {
      var failure = losses.apply(each.getKey().from());
      if (failure != null && receives.remove(each.getKey(), each.getValue())) {
        each.getValue().fail(failure);
      }
    }
  }
}
