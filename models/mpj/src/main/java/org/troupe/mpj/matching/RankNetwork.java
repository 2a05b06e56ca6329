package org.troupe.mpj.matching;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.SharedSegment;

/** The way to the engines of all ranks. Packets of one rank to another arrive in the order sent. */
public interface RankNetwork {

  /** Returns the number of ranks. */
  int size();

  /** Returns the engine of a rank on the same node; {@code null} if it is elsewhere. */
  @Nullable MessageEngine near(int rank);

  /** Sends a packet with a copy of the value; never blocks. */
  void send(int to, long tag, @Nullable Object value);

  /** Sends an array to which the caller holds the only reference; never blocks. */
  void give(int to, long tag, Object array);

  /** Sends a slice, which the caller may change when this returns. */
  void sendSlice(int to, long tag, Frame.Slice slice);

  /** Returns a deep copy, as it would arrive elsewhere. */
  Object copy(Object objects);

  /** Lets the current thread read the links for a short time, if that is worth it. */
  void receiveWhile(BooleanSupplier isWaiting);

  /** Creates memory for ranks in other JVMs of this host; {@code null} if that is not possible. */
  @Nullable SharedSegment createMemory(long bytes);

  /** Opens such memory; {@code null} if it cannot be shared with this rank. Does not block. */
  @Nullable SharedSegment openMemory(byte[] details, long bytes);

  /** Names a rank with its node, for messages. */
  String describe(int rank);
}
