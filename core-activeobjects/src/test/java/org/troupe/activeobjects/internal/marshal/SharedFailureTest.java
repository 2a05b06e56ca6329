package org.troupe.activeobjects.internal.marshal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** A failure for which several callers wait. */
class SharedFailureTest {

  private final FailureCodec codec = new NodeRuntime("shared").objects().marshaller().failures();

  /** Cannot be encoded. */
  static final class Bound extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Thread thread = Thread.currentThread();
    private final Object held = thread;
  }

  private static StackFrame one() {
    return StackWalker.getInstance().walk(frames -> frames.findFirst().orElseThrow());
  }

  private static StackFrame other() {
    return StackWalker.getInstance().walk(frames -> frames.findFirst().orElseThrow());
  }

  private static String lastMethod(Throwable failure) {
    return Arrays.asList(failure.getStackTrace()).getLast().getMethodName();
  }

  @Test
  void eachCallerGetsItsOwnLine() {
    var shared = new IllegalArgumentException("no such class", new RuntimeException("why"));
    var trace = shared.getStackTrace();

    var first = codec.calledAt(one(), shared);
    var second = codec.calledAt(other(), shared);

    assertThat(shared.getStackTrace()).isEqualTo(trace);
    assertThat(lastMethod(first)).isEqualTo("one");
    assertThat(lastMethod(second)).isEqualTo("other");
    assertThat(second.getStackTrace()).startsWith(trace).hasSize(trace.length + 1);
    assertThat(second)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such class")
        .cause()
        .hasMessage("why");
  }

  @Test
  void aFailureWithoutACopyStaysAsItIs() {
    var shared = new Bound();
    var trace = shared.getStackTrace();

    assertThat(codec.calledAt(one(), shared)).isSameAs(shared);

    assertThat(shared.getStackTrace()).isEqualTo(trace);
  }
}
