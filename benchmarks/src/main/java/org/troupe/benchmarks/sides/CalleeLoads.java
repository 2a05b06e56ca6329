package org.troupe.benchmarks.sides;

import java.util.concurrent.FutureTask;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;

/** The loads of a callee, by name; a load with a size has it after a colon. */
public record CalleeLoads(RemoteCallee callee) implements TurnProtocol.Loads {

  /** Microseconds of a null call. */
  public static final String CALL = "call";

  /** Microseconds of a null call from a virtual thread. */
  public static final String CALL_FROM_VIRTUAL = "virtual-call";

  /** Microseconds of a one-way call, until the callee has served the last one. */
  public static final String ONE_WAY = "one-way";

  /** Microseconds of a null call with the stub of an object of the calling JVM. */
  public static final String CALL_WITH_STUB = "call-with-stub";

  /** Bytes that both JVMs allocate for a null call, in all threads. */
  public static final String ALLOCATION = "allocation";

  /**
   * Microseconds of a call with an argument, whose number of elements or nodes follows the colon.
   */
  public static final String BYTES = "bytes:";

  public static final String INTS = "ints:";
  public static final String FLOATS = "floats:";
  public static final String DOUBLES = "doubles:";
  public static final String TREE = "tree:";
  public static final String PONG = "pong:";

  @Override
  public TurnProtocol.Measure measure(String name) {
    return switch (name) {
      case CALL -> micros(callee::call);
      case CALL_FROM_VIRTUAL -> fromVirtualThread(micros(callee::call));
      case ONE_WAY -> oneWay((CalleeService) callee);
      case CALL_WITH_STUB -> withStub((CalleeService) callee);
      case ALLOCATION -> this::allocatedPerCall;
      default -> {
        var kind = name.substring(0, name.indexOf(':') + 1);
        yield micros(sized(kind, Integer.parseInt(name.substring(kind.length()))));
      }
    };
  }

  private Call sized(String kind, int size) {
    switch (kind) {
      case BYTES -> {
        var values = new byte[size];
        return () -> callee.bytes(values);
      }
      case INTS -> {
        var values = new int[size];
        return () -> callee.ints(values);
      }
      case FLOATS -> {
        var values = new float[size];
        return () -> callee.floats(values);
      }
      case DOUBLES -> {
        var values = new double[size];
        return () -> callee.doubles(values);
      }
      case TREE -> {
        var tree = BinaryTree.of(size);
        return () -> callee.tree(tree);
      }
      case PONG -> {
        var values = new double[size];
        return () -> callee.pong(values);
      }
      default -> throw new IllegalArgumentException("there is no load '" + kind + size + "'");
    }
  }

  private interface Call {
    void make() throws Exception;
  }

  private static TurnProtocol.Measure micros(Call call) {
    TurnProtocol.Work work =
        times -> {
          for (var i = 0; i < times; i++) {
            call.make();
          }
        };
    return millis -> TurnProtocol.microsEach(work, millis);
  }

  private static TurnProtocol.Measure fromVirtualThread(TurnProtocol.Measure measure) {
    return millis -> {
      var task = new FutureTask<>(() -> measure.during(millis));
      Thread.ofVirtual().start(task);
      return task.get();
    };
  }

  private static TurnProtocol.Measure oneWay(CalleeService served) {
    TurnProtocol.Work work =
        times -> {
          for (var i = 0; i < times; i++) {
            served.tell(i);
          }
          served.call();
        };
    return millis -> TurnProtocol.microsEach(work, millis);
  }

  private static TurnProtocol.Measure withStub(CalleeService served) {
    var own = ActiveObjects.here().create(CalleeService.class);
    return micros(() -> served.take(own));
  }

  private double allocatedPerCall(int millis) throws Exception {
    var calls = new long[1];
    TurnProtocol.Work work =
        times -> {
          for (var i = 0; i < times; i++) {
            callee.call();
          }
          calls[0] += times;
        };
    var before = allocated();
    TurnProtocol.microsEach(work, millis);
    return (double) (allocated() - before) / calls[0];
  }

  private long allocated() throws Exception {
    return CalleeService.allocatedHere() + callee.allocated();
  }
}
