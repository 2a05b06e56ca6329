package org.troupe.mpj.matching;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.SharedSegment;

/** A network of ranks without memory in common, on which nothing is sent. */
class SilentNetwork implements RankNetwork {

  private final int ranks;

  SilentNetwork(int ranks) {
    this.ranks = ranks;
  }

  @Override
  public int size() {
    return ranks;
  }

  @Override
  public @Nullable MessageEngine near(int rank) {
    return null;
  }

  @Override
  public void send(int to, long tag, @Nullable Object value) {
    throw new AssertionError("no message is sent");
  }

  @Override
  public void give(int to, long tag, Object array) {
    throw new AssertionError("no message is sent");
  }

  @Override
  public void sendSlice(int to, long tag, Frame.Slice slice) {
    throw new AssertionError("no message is sent");
  }

  @Override
  public Object copy(Object objects) {
    return objects;
  }

  @Override
  public void receiveWhile(BooleanSupplier isWaiting) {}

  @Override
  public @Nullable SharedSegment createMemory(long bytes) {
    return null;
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
