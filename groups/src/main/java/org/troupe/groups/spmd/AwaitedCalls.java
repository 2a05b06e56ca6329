package org.troupe.groups.spmd;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.collective.Collectives;

/** The calls without which a member does not go on; all other requests wait meanwhile. */
final class AwaitedCalls extends PendingWait {

  private static final int ANY_CALLER = -1;

  private record Call(String method, int from) {}

  private final List<Call> missing = new ArrayList<>(); // guarded by itself

  private final Communicator communicator;
  private final Consumer<AwaitedCalls> whenBegun;

  /**
   * Creates the wait for calls.
   *
   * @param methods their names
   * @param from the ranks of their callers, each of which makes all of them; empty: any callers
   * @param whenBegun called without locks when all of them have begun
   */
  AwaitedCalls(
      List<String> methods,
      int[] from,
      Communicator communicator,
      Consumer<AwaitedCalls> whenBegun) {
    super("awaitCalls(" + String.join(", ", methods) + ")");
    this.communicator = communicator;
    this.whenBegun = whenBegun;
    for (var method : methods) {
      if (from.length == 0) {
        missing.add(new Call(method, ANY_CALLER));
      }
      for (var rank : from) {
        missing.add(new Call(method, rank));
      }
    }
  }

  @Override
  public boolean admits(Request request) {
    synchronized (missing) {
      return find(request) != null; // even when all have begun: older requests are released first
    }
  }

  @Override
  public void begins(Request request) {
    synchronized (missing) {
      var found = find(request);
      if (found == null) {
        return;
      }
      missing.remove(found);
      if (!missing.isEmpty()) {
        return;
      }
    }
    Thread.startVirtualThread( // this thread has locks of the body
        () -> whenBegun.accept(this));
  }

  private @Nullable Call find(Request request) {
    for (var each : missing) {
      if (request.isFor(each.method)
          && (each.from == ANY_CALLER
              || Collectives.current().isFrom(request, communicator.ref(each.from)))) {
        return each;
      }
    }
    return null;
  }

  @Override
  void warn(Barrier its, long waitedNanos) {
    communicator.warnOfCalls(name, missing(), waitedNanos, its.limit());
  }

  List<Integer> missing() {
    synchronized (missing) {
      return missing.stream().map(Call::from).filter(each -> each >= 0).distinct().toList();
    }
  }
}
