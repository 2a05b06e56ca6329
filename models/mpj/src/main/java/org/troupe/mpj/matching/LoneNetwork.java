package org.troupe.mpj.matching;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.SharedSegment;

/** The network of a run with one rank: all messages are its own. */
public final class LoneNetwork implements RankNetwork {

  /** Makes it. */
  public LoneNetwork() {}

  @Override
  public int size() {
    return 1;
  }

  @Override
  public @Nullable MessageEngine near(int rank) {
    return null; // the engine itself knows that it is meant
  }

  @Override
  public void send(int to, long tag, @Nullable Object value) {
    throw new AssertionError("there is no other rank");
  }

  @Override
  public void give(int to, long tag, Object array) {
    throw new AssertionError("there is no other rank");
  }

  @Override
  public void sendSlice(int to, long tag, Frame.Slice slice) {
    throw new AssertionError("there is no other rank");
  }

  @Override
  public Object copy(Object objects) {
    return Collectives.current().copyOf(objects);
  }

  @Override
  public void receiveWhile(BooleanSupplier isWaiting) {
    // Only threads of this JVM send.
  }

  @Override
  public @Nullable SharedSegment createMemory(long bytes) {
    return null; // there is none to share it with
  }

  @Override
  public @Nullable SharedSegment openMemory(byte[] details, long bytes) {
    return null;
  }

  @Override
  public String describe(int rank) {
    return "rank " + rank;
  }
}
