package org.troupe.benchmarks.sides;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** An active object, or an object exported by RMI, that does as little as possible. */
class CalleeService implements RemoteCallee {

  @Override
  public int call() {
    return 1;
  }

  /** A one-way call, if this is an active object. */
  void tell(long value) {}

  /** A call with a stub. */
  int take(CalleeService other) {
    return 1;
  }

  @Override
  public int bytes(byte[] values) {
    return values.length;
  }

  @Override
  public int ints(int[] values) {
    return values.length;
  }

  @Override
  public int floats(float[] values) {
    return values.length;
  }

  @Override
  public int doubles(double[] values) {
    return values.length;
  }

  @Override
  public int tree(@Nullable BinaryTree tree) {
    return tree == null ? 0 : 1;
  }

  @Override
  public double[] pong(double[] values) {
    return values;
  }

  @Override
  public long allocated() {
    return allocatedHere();
  }

  static long allocatedHere() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
  }
}
