package org.troupe.activeobjects.internal.replay;

import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * The accounts of a logged object at a safe point, which its image contains beside the object.
 *
 * @param begun how many requests it has begun
 * @param counted the number that no call of the object has exceeded
 * @param deaths the processes of the object that have ended last
 * @param waiting the requests that it has taken and not begun, in order
 */
public record LoggedObjectImage<C, V>(
    long begun,
    long counted,
    Deaths deaths,
    List<TakenRequest<C>> waiting,
    Map<ObjectIdentity, SentCalls.State<C>> sent,
    Map<CallOrigin, ReceivedCalls.State<V>> received) {

  /**
   * How many processes in a row have ended while the same request was the next to end.
   *
   * @param request the ordinal of the request
   */
  public record Deaths(long request, int count) {

    static final Deaths NONE = new Deaths(0, 0);

    Deaths oneMore(long next) {
      return new Deaths(next, request == next ? count + 1 : 1);
    }
  }

  public LoggedObjectImage {
    waiting = List.copyOf(waiting);
    sent = Map.copyOf(sent);
    received = Map.copyOf(received);
  }
}
