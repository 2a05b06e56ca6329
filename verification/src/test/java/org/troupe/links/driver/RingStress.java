package org.troupe.links.driver;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.troupe.links.host.LinuxSystemCalls;

/** Stress tests of {@link Ring}: the reader sees complete bytes, and no wake-up is lost. */
public final class RingStress {

  private static final int BYTES = 64;
  private static final long RING_BYTES = Ring.HEAD_BYTES + BYTES;

  /** More rings than jcstress has states at a time, so that each can be used again. */
  private static final int RINGS = 1 << 14;

  private static final MemorySegment MEMORY =
      Arena.global().allocate(RINGS * RING_BYTES, Long.BYTES);

  private static final AtomicInteger NEXT = new AtomicInteger();

  private RingStress() {}

  /** The two ends of a ring, which share only the memory, like those of two processes. */
  abstract static class Rings {

    final Ring writer;
    final Ring reader;

    Rings() {
      long place = (NEXT.getAndIncrement() & RINGS - 1) * RING_BYTES;
      var segment = MEMORY.asSlice(place, RING_BYTES);
      segment.asSlice(0, 1024).fill((byte) 0);
      writer = new Ring(LinuxSystemCalls.system().orElseThrow(), segment, "the ring");
      reader = new Ring(LinuxSystemCalls.system().orElseThrow(), segment, "the ring");
    }

    final void put(int count, int value) {
      var bytes = ByteBuffer.allocate(count);
      while (bytes.hasRemaining()) {
        bytes.put((byte) value);
      }
      try {
        if (writer.put(bytes.flip()) != count) {
          throw new AssertionError("there is no room");
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    /** Takes available bytes; returns how many, or -1 if one has another value. */
    final int take(int most, int value) {
      var bytes = ByteBuffer.allocate(most);
      try {
        reader.take(bytes);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      for (int i = 0; i < bytes.position(); i++) {
        if (bytes.get(i) != value) {
          return -1;
        }
      }
      return bytes.position();
    }

    /** Returns 1 for a side that did not sleep, 2 for one that woke up, and 3 for one asleep. */
    static int state(Asleep side) {
      return side == null ? 1 : side.flag.get(ValueLayout.JAVA_INT, 0) == side.raised ? 3 : 2;
    }
  }

  /** Stands for the wait of a side that goes to sleep until its flag has another value. */
  private static final class Asleep extends IOException {
    private static final long serialVersionUID = 1;
    private final transient MemorySegment flag;
    private final int raised;

    Asleep(MemorySegment flag, int raised) {
      super("asleep", null);
      this.flag = flag;
      this.raised = raised;
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }

    static void fall(LinuxSystemCalls system, MemorySegment flag, int raised) throws Asleep {
      throw new Asleep(flag, raised);
    }
  }

  /** The writer publishes bytes by its counter: the reader sees them. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "the reader came before the writer")
  @Outcome(id = "8", expect = ACCEPTABLE, desc = "the reader saw the bytes")
  @Outcome(expect = FORBIDDEN, desc = "the reader saw the counter before the bytes")
  @State
  public static class BytesRead extends Rings {
    @Actor
    public void write() {
      put(8, 7);
    }

    @Actor
    public void read(I_Result r) {
      r.r1 = take(8, 7);
    }
  }

  /** The reader frees bytes by its counter: the writer does not overwrite them earlier. */
  @JCStressTest
  @Outcome(id = "64", expect = ACCEPTABLE, desc = "the reader took the old bytes")
  @Outcome(expect = FORBIDDEN, desc = "the writer overwrote bytes that were not read yet")
  @State
  public static class BytesOverwritten extends Rings {

    public BytesOverwritten() {
      put(BYTES, 7);
    }

    @Actor
    public void read(I_Result r) {
      r.r1 = take(BYTES, 7);
    }

    @Actor
    public void write() {
      var bytes = ByteBuffer.allocate(BYTES); // zeros
      try {
        writer.put(bytes);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The reader goes to sleep while the writer writes: the reader wakes up. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the reader saw the bytes")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "the reader slept and woke up")
  @Outcome(expect = FORBIDDEN, desc = "the reader sleeps although there are bytes")
  @State
  public static class ReaderFallsAsleep extends Rings {
    private Asleep asleep;

    @Actor
    public void write() {
      put(8, 7);
      writer.flush();
    }

    @Actor
    public void await() {
      try {
        reader.awaitBytes(Asleep::fall);
      } catch (Asleep e) {
        asleep = e;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = state(asleep);
    }
  }

  /** The writer goes to sleep on a full ring while the reader empties it: the writer wakes up. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the writer saw the room")
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "the writer slept and woke up")
  @Outcome(expect = FORBIDDEN, desc = "the writer sleeps although there is room")
  @State
  public static class WriterFallsAsleep extends Rings {
    private Asleep asleep;

    public WriterFallsAsleep() {
      put(BYTES, 7);
    }

    @Actor
    public void read() {
      take(BYTES, 7);
    }

    @Actor
    public void await() {
      try {
        writer.awaitFree(Asleep::fall);
      } catch (Asleep e) {
        asleep = e;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = state(asleep);
    }
  }

  /** The writer writes and leaves while the reader goes to sleep: the reader gets all bytes. */
  @JCStressTest
  @Outcome(id = "1, 8", expect = ACCEPTABLE, desc = "the reader did not sleep")
  @Outcome(id = "2, 8", expect = ACCEPTABLE, desc = "the reader slept and woke up")
  @Outcome(expect = FORBIDDEN, desc = "the reader sleeps, or missed bytes before the end")
  @State
  public static class WriterLeaves extends Rings {
    private Asleep asleep;
    private boolean isEnd;
    private int looks = 100; // before it sleeps: each may coincide with the end

    @Actor
    public void leave() {
      put(8, 7);
      writer.closeWriter();
    }

    @Actor
    public void await() {
      try {
        isEnd = !reader.awaitBytes(this::lookAgain);
      } catch (Asleep e) {
        asleep = e;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private void lookAgain(LinuxSystemCalls system, MemorySegment flag, int raised) throws Asleep {
      if (looks-- == 0) {
        Asleep.fall(system, flag, raised);
      }
    }

    @Arbiter
    public void look(II_Result r) {
      r.r1 = state(asleep);
      r.r2 = isEnd ? 0 : take(8, 7);
    }
  }
}
