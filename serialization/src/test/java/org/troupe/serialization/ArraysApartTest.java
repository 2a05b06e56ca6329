package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

/** Large primitive arrays beside the bytes instead of in them. */
class ArraysApartTest {

  private static final int LARGE = EncodedGraph.APART_BYTES / Double.BYTES;

  private final Serializer serializer = Serializer.builder().build();

  private Object[] decode(EncodedGraph body) {
    return serializer.decode(body, serializer.ownTypes(), token -> token);
  }

  @Test
  void largeArraysAreBorrowedAndTakenOver() {
    double[] field = new double[LARGE];
    field[7] = 1.5;

    EncodedGraph body = serializer.encodeZeroCopy(field, "beside");

    assertThat(body.arrays()).hasSize(1);
    assertThat(body.arrays().getFirst()).isSameAs(field);
    assertThat(body.bytes()).hasSizeLessThan(20);
    assertThat(decode(body)[0]).isSameAs(field);
  }

  @Test
  void copiesOfTheArraysAreIndependent() {
    double[] field = new double[LARGE];
    EncodedGraph body = serializer.encodeZeroCopy((Object) field).withArraysCopied();
    field[0] = 2;

    assertThat((double[]) decode(body)[0]).isNotSameAs(field).containsOnly(0);
  }

  @Test
  void smallArraysAndOrdinaryEncodingsStayInTheBytes() {
    assertThat(serializer.encodeZeroCopy((Object) new double[LARGE - 1]).arrays()).isEmpty();
    assertThat(serializer.encodeZeroCopy((Object) new boolean[100_000]).arrays()).isEmpty();
    assertThat(serializer.encode((Object) new double[LARGE]).arrays()).isEmpty();
  }

  @Test
  void everyKindOfNumberGoesApart() {
    Object[] kinds = {
      new byte[8192],
      new short[4096],
      new char[4096],
      new int[2048],
      new long[1024],
      new float[2048],
      new double[1024]
    };

    EncodedGraph body = serializer.encodeZeroCopy(kinds);

    assertThat(body.arrays()).containsExactly(kinds);
    assertThat(decode(body.withArraysCopied())).usingRecursiveComparison().isEqualTo(kinds);
  }

  @Test
  void aSharedArrayGoesOnceAndStaysShared() {
    int[] data = new int[LARGE * 2];
    List<Object> list = new ArrayList<>(Arrays.asList(data, "between", data, new int[] {1}));

    EncodedGraph body = serializer.encodeZeroCopy(list, data);

    assertThat(body.arrays()).hasSize(1);
    Object[] roots = decode(body.withArraysCopied());
    List<?> copy = (List<?>) roots[0];
    assertThat(copy.get(0)).isSameAs(copy.get(2)).isSameAs(roots[1]).isNotSameAs(data);
    assertThat((int[]) copy.get(3)).containsExactly(1);
  }

  @Test
  void numbersKeepTheirValuesWhateverTheByteOrderOfTheSender() {
    EncodedGraph body = serializer.encodeZeroCopy(new int[LARGE * 2], new double[LARGE]);
    byte[] foreign = body.bytes().clone();
    foreign[0] ^= 1; // the two byte orders differ in this bit
    int[] ints = new int[LARGE * 2];
    ints[3] = 7;
    double[] doubles = new double[LARGE];
    doubles[5] = 2.5;

    Object[] roots =
        decode(new EncodedGraph(foreign, body.typeIds(), List.of(), List.of(ints, doubles)));

    assertThat(((int[]) roots[0])[3]).isEqualTo(7);
    assertThat(((double[]) roots[1])[5]).isEqualTo(2.5);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    EncodedGraph body =
        serializer.encodeZeroCopy(new double[][] {new double[LARGE]}, new int[LARGE * 2]);

    for (List<Object> arrays :
        List.<List<Object>>of(
            List.of(),
            List.of(new double[LARGE]),
            List.of(new int[LARGE], new int[LARGE]),
            List.of("text", new int[LARGE]),
            List.of(new boolean[LARGE], new int[LARGE]),
            Arrays.asList(null, new int[LARGE]))) {
      assertThatThrownBy(
              () -> decode(new EncodedGraph(body.bytes(), body.typeIds(), body.side(), arrays)))
          .isInstanceOf(SerializationException.class);
    }
  }

  @Test
  void theLimitsCountThem() {
    Serializer small =
        Serializer.builder().limits(new GraphLimits(5000, 10, 10, 20, 50_000)).build();
    Object tooLong = new byte[8192];
    Object tooMany = new double[][] {new double[4000], new double[4000]};

    for (Object value : List.of(tooLong, tooMany)) {
      assertThatThrownBy(() -> small.encodeZeroCopy(value)).hasMessageContaining("limit");
      EncodedGraph body = serializer.encodeZeroCopy(value);
      assertThatThrownBy(() -> small.decode(body, serializer.ownTypes(), token -> token))
          .hasMessageContaining("limit");
    }
  }
}
