package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeTable;

/** Lambdas travel by the class that wrote them, if they are Serializable and it is allowed. */
class LambdasTest {

  interface Step extends Serializable {
    double apply(double x);
  }

  private final Serializer sender = Serializer.builder().build();

  private Object sent(Object value, TypeFilter filter) {
    EncodedGraph body = sender.encode(value);
    TypeTable table = new TypeTable();
    for (int id : body.typeIds()) {
      table.define(sender.ownTypes().definition(id));
    }
    return Serializer.builder()
        .allow(TypeFilter.platform().or(filter))
        .build()
        .decode(body, table, t -> t)[0];
  }

  private Object sent(Object value) {
    return sent(value, TypeFilter.patterns("org.troupe.serialization.LambdasTest"));
  }

  @Test
  void lambdasAndMethodReferencesArriveWithWhatTheyCapture() {
    double factor = Double.parseDouble("2.5");
    List<String> names = new ArrayList<>(List.of("a", "b"));
    Step step = x -> factor * x;
    Supplier<Integer> size = (Supplier<Integer> & Serializable) names::size;
    Function<String, Integer> length = (Function<String, Integer> & Serializable) String::length;
    Supplier<List<Object>> maker = (Supplier<List<Object>> & Serializable) ArrayList::new;

    assertThat(((Step) sent(step)).apply(2)).isEqualTo(5);
    assertThat(((Supplier<?>) sent(size)).get()).isEqualTo(2);
    @SuppressWarnings("unchecked") // a copy of the one above
    var there = (Function<String, Integer>) sent(length);
    assertThat(there.apply("abc")).isEqualTo(3);
    assertThat(((Supplier<?>) sent(maker)).get()).isEqualTo(List.of());
  }

  @Test
  void comparatorsMadeOfLambdasArrive() {
    Comparator<String> order =
        Comparator.comparing((Function<String, Integer> & Serializable) String::length)
            .thenComparing(Comparator.reverseOrder());
    TreeMap<String, Integer> map = new TreeMap<>(order);
    map.putAll(Map.of("bb", 1, "a", 2, "b", 3));

    assertThat(((Map<?, ?>) sent(map)).keySet()).hasToString("[b, a, bb]");
  }

  @Test
  void anAccumulatorArrivesWithItsFunction() {
    LongAccumulator largest = new LongAccumulator((LongBinaryOperator & Serializable) Long::max, 0);
    largest.accumulate(7);

    LongAccumulator there = (LongAccumulator) sent(largest);
    there.accumulate(5);

    assertThat(there.get()).isEqualTo(7);
  }

  @Test
  void aLambdaOfAClassThatIsNotAllowedIsRefused() {
    Step step = x -> x;

    assertThatThrownBy(() -> sent(step, TypeFilter.patterns("com.lib.**")))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("type '" + LambdasTest.class.getName() + "' is not allowed here");
  }

  @Test
  void whatALambdaCapturesIsJudgedToo() {
    Thread thread = new Thread();
    Step step = x -> thread.getPriority();

    assertThatThrownBy(() -> sender.encode(List.of(step)))
        .hasMessageContaining(".capturedArgs[0]'")
        .hasMessageContaining("a thread runs in its own JVM");
  }

  @Test
  void aLambdaThatIsNotSerializableIsToldTheRemedy() {
    Supplier<Integer> one = () -> 1;

    assertThatThrownBy(() -> sender.encode(one))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("cannot encode 'lambda of LambdasTest': ")
        .hasMessageContaining("cast it to (Type & Serializable), or use a class");
  }
}
