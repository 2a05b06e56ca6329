package org.troupe.activeobjects.internal.body;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** Stress tests of {@link QueueMemory}: the share of the heap is full only while it is. */
public final class QueueMemoryStress {

  private static final NodeObjects NODE = new NodeRuntime("stress").objects();
  private static final ActiveType<?> TYPE = ActiveType.of(FifoBodyStress.Thing.class);
  private static final long CHUNK = 1 << QueueMemory.CHUNK_BITS;

  private QueueMemoryStress() {}

  /** One thread exceeds the share while another returns more than a quarter: it is not full. */
  @JCStressTest
  @Outcome(id = "false, 196608", expect = ACCEPTABLE, desc = "senders may go on")
  @Outcome(expect = FORBIDDEN, desc = "senders are held back although memory is free")
  @State
  public static class FilledWhileTaken {

    private final QueueMemory memory = new QueueMemory(NODE.queueCapacity());
    private final FifoBody body = new FifoBody(NODE, TYPE, Options.STANDARD);

    public FilledWhileTaken() {
      memory.limit(4 * CHUNK);
      memory.queued(body, 4);
    }

    @Actor
    public void queue() {
      memory.queued(body, 1);
    }

    @Actor
    public void take() {
      memory.taken(body, 2);
    }

    @Arbiter
    public void look(ZJ_Result r) {
      r.r1 = memory.isFull();
      r.r2 = memory.bytes();
    }
  }
}
