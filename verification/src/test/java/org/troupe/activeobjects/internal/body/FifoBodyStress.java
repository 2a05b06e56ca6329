package org.troupe.activeobjects.internal.body;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/**
 * Stress tests of {@link FifoBody}: each request is served once, in the order sent, and no two at a
 * time.
 *
 * <p>A test takes a request for lost that is not served within 20 seconds.
 */
public final class FifoBodyStress {

  private static final NodeObjects NODE = new NodeRuntime("stress").objects();
  private static final ActiveType<?> TYPE = ActiveType.of(Thing.class);

  /** Long enough for a new thread to be scheduled on a busy machine. */
  private static final long LOST_SECONDS = 20;

  private FifoBodyStress() {}

  /** The class of the active objects. */
  public static class Thing {
    public void call() {}
  }

  /** A body and the requests that it has served. */
  abstract static class Bodies {

    final FifoBody body = new FifoBody(NODE, TYPE, Options.STANDARD);
    private final CountDownLatch left;

    // Plain fields: two requests served at once would lose an update.
    private int served;
    private int order;

    Bodies(int requests) {
      left = new CountDownLatch(requests);
    }

    /** Makes the body idle. */
    final void start() {
      body.start(new Thing());
    }

    /** Lets the thread that runs the body serve, although no sender has started it. */
    final void expectServer() {
      body.start = FifoBody.NEEDED;
    }

    final void serve(int name) {
      served++;
      order = 10 * order + name;
      left.countDown();
    }

    final QueuedRequest.Task request(int name) {
      return new QueuedRequest.Task(() -> serve(name));
    }

    final int awaitServed() {
      try {
        return left.await(LOST_SECONDS, TimeUnit.SECONDS) ? served : -1;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    final int order() {
      return order;
    }
  }

  /** A call that runs something instead of a method. */
  private static final class ObservedCall extends CallRequest {

    private final Runnable service;

    ObservedCall(Runnable service) {
      super(TYPE.method("call()V"), new Object[0], null, null, null, null);
      this.service = service;
    }

    @Override
    void serve(Body body, ServiceContext context) {
      service.run();
    }
  }

  /** Two senders find an idle body: both requests are served, one after the other. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both requests were served")
  @Outcome(expect = FORBIDDEN, desc = "a request was lost, or both were served at once")
  @State
  public static class TwoSenders extends Bodies {

    public TwoSenders() {
      super(2);
      start();
    }

    @Actor
    public void one() {
      body.put(request(1));
    }

    @Actor
    public void other() {
      body.put(request(2));
    }

    @Arbiter
    public void count(I_Result r) {
      r.r1 = awaitServed();
    }
  }

  /** Requests arrive while the serving thread finds its queue empty and stops. */
  @JCStressTest
  @Outcome(id = "3, 123", expect = ACCEPTABLE, desc = "all requests were served in the order sent")
  @Outcome(expect = FORBIDDEN, desc = "a request was lost or overtook another")
  @State
  public static class SendingWhileServiceStops extends Bodies {

    public SendingWhileServiceStops() {
      super(3);
      body.put(request(1));
      expectServer();
    }

    @Actor
    public void serve() {
      body.run();
    }

    @Actor
    public void send() {
      body.put(request(2));
      body.put(request(3));
    }

    @Arbiter
    public void count(II_Result r) {
      r.r1 = awaitServed();
      r.r2 = order();
    }
  }

  /** A request arrives while the body starts. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the request was served")
  @Outcome(expect = FORBIDDEN, desc = "the request was lost")
  @State
  public static class SendingWhileServiceBegins extends Bodies {

    public SendingWhileServiceBegins() {
      super(1);
    }

    @Actor
    public void begin() {
      start();
    }

    @Actor
    public void send() {
      body.put(request(1));
    }

    @Arbiter
    public void count(I_Result r) {
      r.r1 = awaitServed();
    }
  }

  /** A caller reserves the idle body for its own request while another caller sends one. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both requests were served, one after the other")
  @Outcome(expect = FORBIDDEN, desc = "a request was lost, or both were served at once")
  @State
  public static class ReservedWhileSending extends Bodies {

    public ReservedWhileSending() {
      super(2);
      start();
    }

    @Actor
    public void reserve() {
      var call = new ObservedCall(() -> serve(1));
      if (body.tryReserve()) {
        body.serveReserved(call);
      } else {
        body.put(request(1));
      }
    }

    @Actor
    public void send() {
      body.put(request(2));
    }

    @Arbiter
    public void count(I_Result r) {
      r.r1 = awaitServed();
    }
  }

  /** Two callers try to reserve the same idle body. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the first caller reserved it")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the second caller reserved it")
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "both reserved it, one after the other")
  @Outcome(expect = FORBIDDEN, desc = "no caller reserved it, or both at once")
  @State
  public static class ReservedTwice extends Bodies {

    public ReservedTwice() {
      super(1);
      start();
    }

    private int reserve(int name) {
      if (!body.tryReserve()) {
        return 0;
      }
      body.serveReserved(new ObservedCall(() -> serve(name)));
      return 1;
    }

    @Actor
    public void first(III_Result r) {
      r.r1 = reserve(1);
    }

    @Actor
    public void second(III_Result r) {
      r.r2 = reserve(2);
    }

    @Arbiter
    public void count(III_Result r) {
      r.r3 = awaitServed();
    }
  }

  /** A gate is released while the serving thread finds each request held back and stops. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the request was served")
  @Outcome(expect = FORBIDDEN, desc = "the request was lost or served twice")
  @State
  public static class ReleasedWhileServiceStops extends Bodies {

    private final RequestGate gate;

    public ReleasedWhileServiceStops() {
      super(1);
      var context = new ServiceContext(body, ServicePolicy.IN_TURN).enter();
      try {
        gate = Collectives.current().holdRequests(RequestGate.CLOSED);
      } finally {
        context.leave();
      }
      body.put(new ObservedCall(() -> serve(1)));
      expectServer();
    }

    @Actor
    public void serve() {
      body.run();
    }

    @Actor
    public void release() {
      gate.release();
    }

    @Arbiter
    public void count(I_Result r) {
      r.r1 = awaitServed();
    }
  }
}
