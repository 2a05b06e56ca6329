package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.object.CallerEnds;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.internal.replay.LoggedObject;

/**
 * The logged callers of one node that have ended there, until the objects that they have called
 * know. Thread-safe.
 */
public final class EndedCallers implements CallerEnds {

  /*
   * Design: a proof that no call of a caller can arrive any more
   *
   * A logged object accounts for each logged caller, so that a call which arrives again is not served again. The end of the
   * caller alone does not allow it to forget the account, since nodes send calls again after losses. The account is
   * useless when no message with a call of the caller to the object exists, and none will:
   *
   *   - The caller makes no further call. It was terminated, and its journal is deleted, so it is not made again.
   *   - No other node has sent a call of it, for it has never left the node of its birth.
   *   - This node has sent each call once, since it has sent none again to the object (MovedObject.hasSentAgain).
   *   - The object has taken all of them, and said so, or has answered. So each of these messages has been taken.
   *   - This node keeps none of them, so it will send none again. A call to an object of this node is kept only when
   *     that has moved and the call follows it, but before it is reported as taken.
   *
   * All that holds for good. So the news of it needs no order with other messages, and may be forwarded. It counts
   * only if the last call that the object has taken is the last one of the caller. News that is lost leaves an account in place.
   *
   * Calls may be taken, and answered, after the end of their caller, which waits here for that: without limit, but no more than
   * MOST_WAITING of them do, as an object that is lost takes no call.
   *
   * Reports arrive under the monitor of a MovedObject, so the lock of this is never held while one is entered. The end of a
   * caller may be under the monitor of that caller, so the objects that it has called are asked in tasks without locks.
   */

  private static final int MOST_WAITING = 10_000;

  private final MovedObjects objects;

  // guarded by this
  private final Map<CallOrigin, Ending> endings = new LinkedHashMap<>();

  private volatile boolean isEmpty = true; // read by each answer without the lock

  /** A caller that ends. */
  private static final class Ending {
    private boolean isOver;
    private final Map<ObjectIdentity, Long> taken = new HashMap<>(); // since it began to end
    private final Map<ObjectIdentity, Long> untold = new HashMap<>(); // the last calls
  }

  /** A message to an object about the last call of a caller. */
  private record News(ObjectIdentity object, CallOrigin caller, long last) {}

  EndedCallers(MovedObjects objects) {
    this.objects = objects;
  }

  @Override
  public synchronized void begins(ObjectIdentity caller) {
    endings.put(new CallOrigin.Logged(caller), new Ending());
    if (endings.size() > MOST_WAITING) {
      endings.remove(endings.keySet().iterator().next());
    }
    isEmpty = false;
  }

  @Override
  public void ended(ObjectIdentity caller, Map<ObjectIdentity, LoggedObject.LastCall> calls) {
    var origin = new CallOrigin.Logged(caller);
    List<News> taken = new ArrayList<>();
    synchronized (this) {
      var ending = endings.get(origin);
      if (ending == null) {
        return;
      }
      ending.isOver = true;
      calls.forEach(
          (object, last) -> {
            if (object.number() > 0) { // else the calls have bypassed its queue
              ending.untold.put(object, last.number());
              if (ending.taken.merge(object, last.taken(), Math::max) >= last.number()) {
                taken.add(new News(object, origin, last.number()));
              }
            }
          });
      removeIfTold(origin, ending);
    }
    taken.forEach(this::tellIfGoneLater);
  }

  @Override
  public void taken(ObjectIdentity object, CallOrigin caller, long upTo) {
    if (isEmpty) {
      return;
    }
    News news;
    synchronized (this) {
      var ending = endings.get(caller);
      if (ending == null) {
        return;
      }
      var taken = ending.taken.merge(object, upTo, Math::max);
      var last = ending.untold.get(object);
      if (!ending.isOver || last == null || taken < last) {
        return;
      }
      news = new News(object, caller, last);
    }
    tellIfGoneLater(news);
  }

  /** Tells an object news in a task, since the current thread may hold the monitor of another. */
  private void tellIfGoneLater(News news) {
    objects.loopback().execute(() -> tellIfGone(news));
  }

  /**
   * Tells an object that has taken the last call of a caller, unless this node keeps a call, whose
   * report leads here again.
   */
  private void tellIfGone(News news) {
    var known = objects.objectIfKnown(news.object());
    if (known != null && known.keeps(news.caller())) {
      return;
    }
    var isSentAgain = known != null && known.hasSentAgain(news.caller());
    synchronized (this) {
      var ending = endings.get(news.caller());
      if (ending == null || !ending.untold.remove(news.object(), news.last())) {
        return;
      }
      removeIfTold(news.caller(), ending);
    }
    if (!isSentAgain) {
      tell(news);
    }
  }

  private void removeIfTold(CallOrigin caller, Ending ending) {
    if (ending.isOver && ending.untold.isEmpty()) {
      endings.remove(caller);
      isEmpty = endings.isEmpty();
    }
  }

  private void tell(News news) {
    var object = news.object();
    var known = objects.objectIfKnown(object);
    var place = known == null ? new Place(object.birth(), 0) : known.place();
    if (place.node().equals(objects.id()) || !objects.isOver()) {
      objects.messages().sendSettled(object, place, news.caller(), news.last());
    }
  }

  /** Forgets all callers, at the end of the grid. */
  synchronized void clear() {
    endings.clear();
    isEmpty = true;
  }

  /** Returns how many callers wait here. */
  public synchronized int size() {
    return endings.size();
  }
}
