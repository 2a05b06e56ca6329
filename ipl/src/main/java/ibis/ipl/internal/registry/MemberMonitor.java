package ibis.ipl.internal.registry;

import ibis.ipl.internal.base.FramedLink;
import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.WorkerThreads;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.troupe.links.Link;
import org.troupe.links.port.Port;

/** Detects the failed members of a server's pools and removes them. Thread-safe. */
final class MemberMonitor {

  /*
   * Failure detection. A member is suspected when its link breaks, when it has been silent for longer
   * than the heartbeat interval, when another member suspects it, or when it does not read. The server
   * then connects to the member's own port, which answers with its identifier. A connection that is
   * refused, breaks or takes longer than serverConnect means that the member is dead. A member that is
   * alive without a link has the time RESUME to reconnect.
   *
   * Load. A member is checked at most once in the time CHECK_PAUSE_MILLIS. A suspicion in that time is
   * checked after it if the member has no link, as the earlier check may have preceded the break.
   */

  private static final Duration RESUME = Duration.ofSeconds(5);

  /** The shortest interval between two checks of a member. */
  private static final long CHECK_PAUSE_MILLIS = 1_000;

  private final Port links;
  private final Duration serverConnect;
  private final Duration farewell;
  private final BooleanSupplier isEnding;
  private final Consumer<ServerPool> removed;

  /**
   * Creates a monitor that watches no pool yet.
   *
   * @param serverConnect the time limit of a check
   * @param farewell how long a removed member has to receive the notice
   * @param isEnding whether the server ends, so that broken links mean nothing
   * @param removed receives each pool of which a member was removed
   */
  MemberMonitor(
      Port links,
      Duration serverConnect,
      Duration farewell,
      BooleanSupplier isEnding,
      Consumer<ServerPool> removed) {
    this.links = links;
    this.serverConnect = serverConnect;
    this.farewell = farewell;
    this.isEnding = isEnding;
    this.removed = removed;
  }

  /** Checks silent members periodically until the pool or the server ends. */
  void watch(ServerPool pool) {
    if (pool.hasEnded() || isEnding.getAsBoolean()) {
      return;
    }
    long interval = pool.rules().heartbeatMillis();
    for (ServerPool.Member member : pool.members()) {
      if (member.session.silentMillis() > interval + interval / 4) {
        checkSoon(pool, member, "it was silent");
      } else {
        member.session.signOfLife();
      }
    }
    CompletableFuture<Void> _ = WorkerThreads.after(Math.max(10, interval / 4), () -> watch(pool));
  }

  /** Schedules a check of the members that have not reconnected after a restart of the server. */
  void watchMissing(ServerPool pool) {
    CompletableFuture<Void> _ = WorkerThreads.after(RESUME.toMillis(), () -> checkMissing(pool));
  }

  private void checkMissing(ServerPool pool) {
    for (ServerPool.Member member : pool.members()) {
      if (!member.session.isAttached()) {
        WorkerThreads.POOL.execute(
            () -> checkIfDetached(pool, member, "it did not come back to the restarted server"));
      }
    }
  }

  /** Checks a member whose link has broken, unless another link has replaced it. */
  void linkBroken(ServerPool pool, ServerPool.Member member) {
    if (!isEnding.getAsBoolean()
        && !member.session.isAttached()
        && pool.find(member.identifier.name()) == member) {
      checkSoon(pool, member, "its connection broke");
    }
  }

  /** Checks a member on another thread. */
  void checkSoon(ServerPool pool, ServerPool.Member member, String suspicion) {
    WorkerThreads.POOL.execute(() -> check(pool, member, suspicion));
  }

  /** Connects to a member's own port; declares the member dead if it cannot be reached. */
  private void check(ServerPool pool, ServerPool.Member member, String suspicion) {
    if (!member.checked.compareAndSet(false, true)) {
      if (!member.session.isAttached()) {
        // The earlier check may have preceded the break of the link.
        CompletableFuture<Void> _ =
            WorkerThreads.after(CHECK_PAUSE_MILLIS, () -> checkIfDetached(pool, member, suspicion));
      }
      return;
    }
    CompletableFuture<Void> _ =
        WorkerThreads.after(CHECK_PAUSE_MILLIS, () -> member.checked.set(false));
    try {
      requestIdentifier(member);
    } catch (IOException e) {
      remove(pool, member, suspicion + ", and it cannot be reached: " + e.getMessage());
      return;
    }
    if (member.session.silentMillis() > pool.rules().heartbeatMillis()) {
      // The member is alive, but its end of the link may have been lost without a notice.
      long _ = member.session.suspend();
    }
    if (!member.session.isAttached()) {
      CompletableFuture<Void> _ =
          WorkerThreads.after(
              RESUME.toMillis(),
              () -> {
                if (!member.session.isAttached()) {
                  remove(pool, member, suspicion + ", and it did not connect again");
                }
              });
    }
  }

  private void checkIfDetached(ServerPool pool, ServerPool.Member member, String suspicion) {
    if (!member.session.isAttached() && pool.find(member.identifier.name()) == member) {
      check(pool, member, suspicion);
    }
  }

  private void requestIdentifier(ServerPool.Member member) throws IOException {
    try (Link link =
            links.connect(member.identifier.address(), RegistryProtocol.MEMBER, serverConnect);
        var framed = new FramedLink(link)) {
      CompletableFuture<Void> deadline =
          WorkerThreads.after(serverConnect.toMillis(), framed::close);
      DataInputStream in = RegistryProtocol.read(framed.read());
      deadline.cancel(false);
      if (in.readByte() != RegistryProtocol.MEMBER_NAME
          || !InstanceIdentifier.readFrom(in).equals(member.identifier)) {
        throw new IOException("another instance has its port now");
      }
    }
  }

  /** Removes a member as dead on another thread, as {@link #remove}. */
  void removeSoon(ServerPool pool, ServerPool.Member member, String reason) {
    WorkerThreads.POOL.execute(() -> remove(pool, member, reason));
  }

  /** Removes a member as dead, notifies the member and closes its session. */
  void remove(ServerPool pool, ServerPool.Member member, String reason) {
    if (isEnding.getAsBoolean() || !pool.remove(member, true, reason)) {
      return;
    }
    boolean _ =
        member.session.send(
            RegistryProtocol.event(
                RegistryProtocol.EXPELLED,
                out -> out.writeUTF("this instance was declared dead: " + reason)));
    CompletableFuture<Void> _ = member.session.finish();
    CompletableFuture<Void> _ = WorkerThreads.after(farewell.toMillis(), member.session::close);
    removed.accept(pool);
  }
}
