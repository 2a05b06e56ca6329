package org.troupe.activeobjects.internal.peer;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.activeobjects.transport.Frame;

/** Stress tests of {@link SendWindow}: acknowledgements arrive without its lock. */
public final class SendWindowStress {

  private static final Peer PEER =
      NodeRuntime.main().peers().known(InProcessGrid.start(1).get(0).id());

  /** A frame that fills the window. */
  private static final Frame LARGE =
      new Frame(
          new byte[20],
          new byte[0],
          List.of(new byte[(int) SendWindow.MOST_UNACKNOWLEDGED_BYTES + 1]));

  private SendWindowStress() {}

  /** Stands for the wait of a thread that goes to sleep. */
  private static final class Asleep extends RuntimeException {
    private static final long serialVersionUID = 1;

    Asleep() {
      super("asleep", null, false, false);
    }
  }

  /** A lock whose condition notes who sleeps and is signalled instead of blocking the actor. */
  private static final class ObservedLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    private boolean isAsleep; // under this lock

    @Override
    public Condition newCondition() {
      return new Condition() {
        @Override
        public void awaitUninterruptibly() {
          isAsleep = true;
          throw new Asleep();
        }

        @Override
        public void signalAll() {
          isAsleep = false;
        }

        @Override
        public void await() {
          throw new UnsupportedOperationException();
        }

        @Override
        public long awaitNanos(long nanos) {
          throw new UnsupportedOperationException();
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
          throw new UnsupportedOperationException();
        }

        @Override
        public boolean awaitUntil(Date deadline) {
          throw new UnsupportedOperationException();
        }

        @Override
        public void signal() {
          throw new UnsupportedOperationException();
        }
      };
    }
  }

  /** A window with one unacknowledged frame. */
  abstract static class Windows {

    final ObservedLock lock = new ObservedLock();
    final SendWindow window =
        new SendWindow(PEER.node().host(), PEER.newCodec(), PEER.received(), lock);
    final UnackedFrame first = number();

    final UnackedFrame number() {
      lock.lock();
      try {
        return window.number(0, new Message.Abandon(), null, null, null, 1, false);
      } finally {
        lock.unlock();
      }
    }

    final long unacknowledgedBytes() {
      lock.lock();
      try {
        return window.unacknowledgedBytes();
      } finally {
        lock.unlock();
      }
    }
  }

  /** A sender finds the window full while its frames are acknowledged: the sender goes on. */
  @JCStressTest
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "the sender went on or was signalled")
  @Outcome(expect = FORBIDDEN, desc = "the sender sleeps, or an acknowledged frame is kept")
  @State
  public static class AcknowledgedWhileCrowded extends Windows {

    public AcknowledgedWhileCrowded() {
      lock.lock();
      try {
        window.replace(first, LARGE);
      } finally {
        lock.unlock();
      }
    }

    @Actor
    public void send() {
      number();
      try {
        window.awaitCapacity();
      } catch (Asleep e) {
        // The arbiter sees whether it is signalled.
      }
    }

    @Actor
    public void acknowledge() {
      window.acknowledge(1, 0);
    }

    @Arbiter
    public void look(ZJ_Result r) {
      r.r1 = lock.isAsleep;
      window.acknowledge(2, 0);
      r.r2 = unacknowledgedBytes();
    }
  }

  /** Two threads receive acknowledgements: the older one does not undo the younger one. */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both frames are acknowledged")
  @Outcome(expect = FORBIDDEN, desc = "an older acknowledgement undid a younger one")
  @State
  public static class AcknowledgedInTwoThreads extends Windows {

    private final UnackedFrame second = number();

    @Actor
    public void older() {
      window.acknowledge(1, 1);
    }

    @Actor
    public void younger() {
      window.acknowledge(2, 2);
    }

    @Arbiter
    public void look(ZZ_Result r) {
      r.r1 = window.hasArrived(first);
      r.r2 = window.hasArrived(second);
    }
  }

  /** A frame gets its number while the frame before it is acknowledged. */
  @JCStressTest
  @Outcome(
      id = "2, 0",
      expect = ACCEPTABLE,
      desc = "the frame has the next number, and none is kept")
  @Outcome(expect = FORBIDDEN, desc = "a number was skipped, or a frame is kept")
  @State
  public static class AcknowledgedWhileNumbering extends Windows {

    private UnackedFrame second;

    @Actor
    public void number(II_Result r) {
      second = number();
    }

    @Actor
    public void acknowledge() {
      window.acknowledge(1, 0);
    }

    @Arbiter
    public void look(II_Result r) {
      window.acknowledge(2, 0);
      r.r1 = (int) second.number();
      r.r2 = (int) unacknowledgedBytes();
    }
  }
}
