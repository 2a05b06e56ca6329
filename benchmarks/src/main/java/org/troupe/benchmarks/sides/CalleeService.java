package org.troupe.benchmarks.sides;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** An active object, or an object exported by RMI: it does as little as can be. */
class CalleeService implements RemoteCallee {

  @Override
  public int call() {
    return 1;
  }

  /** Only for an active object: a call that is not waited for. */
  void tell(long value) {}

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
  public int tree(BinaryTree tree) {
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
