package org.troupe.benchmarks.sides;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.serialization.TypeFilter;
import org.troupe.serialization.graph.Serializer;

/**
 * Encodes and decodes the arguments and results of calls, without a call. Large arrays are not
 * encoded, as in calls, where the transport transfers them.
 */
public final class ArgumentCopies implements TurnProtocol.Loads {

  /** The approximate size of a call's frame without its arguments. */
  private static final int HEADER_BYTES = 40;

  private final Serializer serializer = serializer();

  private ArgumentCopies() {}

  static void main(String[] arguments) throws Exception {
    TurnProtocol.serve(new ArgumentCopies(), Integer.parseInt(arguments[0]));
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    var codec = serializer.callCodec(method(name));
    var arguments = arguments(name);
    Object result = 1;
    return millis ->
        TurnProtocol.microsEach(
            times -> {
              for (var i = 0; i < times; i++) {
                var encoded = codec.encodeZeroCopy(arguments);
                codec.decode(encoded, serializer.ownTypes(), token -> token);
                serializer.copy(result);
              }
            },
            millis);
  }

  /** Returns the size of a call's frame with the argument of a load. */
  public static int bytesOnTheWire(String load) {
    return HEADER_BYTES
        + serializer().callCodec(method(load)).encode(arguments(load)).bytes().length;
  }

  /** Returns the method that {@link CalleeLoads} calls for a load. */
  private static Method method(String load) {
    var name =
        load.equals(CalleeLoads.CALL)
            ? "call"
            : load.startsWith(CalleeLoads.TREE) ? "tree" : "doubles";
    return Stream.of(RemoteCallee.class.getMethods())
        .filter(each -> each.getName().equals(name))
        .findAny()
        .orElseThrow();
  }

  /** Returns the arguments that {@link CalleeLoads} passes for a load. */
  private static Object[] arguments(String load) {
    if (load.equals(CalleeLoads.CALL)) {
      return new Object[0];
    }
    var size = Integer.parseInt(load.substring(load.indexOf(':') + 1));
    return new Object[] {
      load.startsWith(CalleeLoads.TREE) ? BinaryTree.of(size) : new double[size]
    };
  }

  private static Serializer serializer() {
    return Serializer.builder().allow(TypeFilter.platform()).build();
  }
}
