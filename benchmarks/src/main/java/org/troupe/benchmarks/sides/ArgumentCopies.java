package org.troupe.benchmarks.sides;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.serialization.TypeFilter;
import org.troupe.serialization.graph.Serializer;

/**
 * Encodes and decodes what calls carry, without any call, as calls do: large arrays are set apart,
 * and are the transport's.
 */
public final class ArgumentCopies implements TurnProtocol.Loads {

  /** About what a call's frame has beside its arguments. */
  private static final int HEADER_BYTES = 40;

  private final Serializer serializer = serializer();

  private ArgumentCopies() {}

  static void main(String[] arguments) throws Exception {
    TurnProtocol.take(new ArgumentCopies(), Integer.parseInt(arguments[0]));
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

  /** Returns how many bytes a call takes with the argument of this load. */
  public static int bytesOnTheWire(String load) {
    return HEADER_BYTES
        + serializer().callCodec(method(load)).encode(arguments(load)).bytes().length;
  }

  /** What {@link CalleeLoads} calls. */
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

  /** What it gives to a call. */
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
