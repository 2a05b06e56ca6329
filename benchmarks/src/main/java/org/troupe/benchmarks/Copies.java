package org.troupe.benchmarks;

import org.troupe.serialization.Serializer;
import org.troupe.serialization.TypeFilter;

/** Encodes and decodes what calls carry, without any call. */
final class Copies implements Turns.Loads {

  /** About what a call's frame has beside its arguments. */
  private static final int HEADER_BYTES = 40;

  private final Serializer serializer = serializer();

  private Copies() {}

  static void main(String[] arguments) throws Exception {
    Turns.take(new Copies(), Integer.parseInt(arguments[0]));
  }

  @Override
  public Turns.Measure measure(String name) {
    var argument = argument(name);
    Object result = 1;
    return millis ->
        Turns.microsEach(
            times -> {
              for (var i = 0; i < times; i++) {
                serializer.copy(argument);
                serializer.copy(result);
              }
            },
            millis);
  }

  /** Returns how many bytes a call takes with the argument of this load. */
  static int bytesOnTheWire(String load) {
    return HEADER_BYTES + serializer().encode(argument(load)).bytes().length;
  }

  /** The argument that {@link CalleeLoads} gives to a call. */
  private static Object argument(String load) {
    if (load.equals(CalleeLoads.CALL)) {
      return new Object[0];
    }
    var size = Integer.parseInt(load.substring(load.indexOf(':') + 1));
    return load.startsWith(CalleeLoads.TREE) ? Tree.of(size) : new double[size];
  }

  private static Serializer serializer() {
    return Serializer.builder().allow(TypeFilter.platform()).build();
  }
}
