package org.troupe.groups.spmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.groups.spmd.Part.all;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;

@Timeout(120)
class CollectivesTest {

  private static final int[] LENGTHS = {0, 1, 2, 7, 64, 1001};
  private static final List<Class<?>> TYPES =
      List.of(double.class, float.class, int.class, long.class, byte.class);

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "2,2", "3,2", "4,3", "5,3", "6,2", "7,3", "8,2", "9,3"})
  void workOnSlicesOfAllTypesAndLengthsByAllAlgorithms(int size, int nodeCount) {
    try (var nodes = LocalNodes.start(nodeCount)) {
      for (var isMixed : List.of(false, true)) {
        var members = Part.group(Part.class, nodes, size, isMixed);
        all(
            members,
            spmd -> {
              for (var algorithm : CollectiveAlgorithm.values()) {
                for (var type : TYPES) {
                  for (var length : LENGTHS) {
                    new Check(spmd.by(algorithm), type, length).all();
                  }
                }
              }
              return null;
            });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void workOnLargeArrays(int size) {
    try (var nodes = LocalNodes.start(2)) {
      all(
          Part.group(nodes, size),
          spmd -> {
            for (var algorithm : CollectiveAlgorithm.values()) {
              new Check(spmd.by(algorithm), double.class, 70_003).all();
            }
            return null;
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "3,2", "4,3", "5,3", "6,2", "7,3", "8,2", "9,3"})
  void workOnObjectsInTheOrderOfRanks(int size, int nodeCount) {
    try (var nodes = LocalNodes.start(nodeCount)) {
      for (var isMixed : List.of(false, true)) {
        all(
            Part.group(Part.class, nodes, size, isMixed),
            spmd -> {
              checkObjects(spmd, size);
              return null;
            });
      }
    }
  }

  static void checkObjects(Spmd<Part> spmd, int size) {
    var rank = spmd.rank();
    var everybody = String.join("", texts(size));
    var soFar = String.join("", texts(rank + 1));
    assertThat(spmd.allReduce("<" + rank + ">", String::concat)).isEqualTo(everybody);
    assertThat(spmd.scan("<" + rank + ">", String::concat)).isEqualTo(soFar);
    assertThat(spmd.<String>allGather("<" + rank + ">")).isEqualTo(texts(size));
    assertThat(spmd.allReduce(rank, Operation.SUM)).isEqualTo(size * (size - 1) / 2);
    assertThat(spmd.allReduce(rank + 0.5, Operation.MAX)).isEqualTo(size - 0.5);
    assertThat(spmd.allReduce(rank + 1L, Operation.MIN)).isEqualTo(1);
    assertThat(spmd.scan(1L, Operation.SUM)).isEqualTo(rank + 1);
    for (var root = 0; root < size; root++) {
      var isRoot = rank == root;
      assertThat(spmd.broadcast(root, isRoot ? List.of("a", root) : null))
          .isEqualTo(List.of("a", root));
      assertThat(spmd.reduce(root, "<" + rank + ">", String::concat))
          .isEqualTo(isRoot ? everybody : null);
      assertThat(spmd.<String>gather(root, "<" + rank + ">"))
          .isEqualTo(isRoot ? texts(size) : List.of());
      assertThat(spmd.<String>scatter(root, isRoot ? texts(size) : null))
          .isEqualTo("<" + rank + ">");
      assertThat(spmd.reduce(root, 2, Operation.PRODUCT)).isEqualTo(isRoot ? 1 << size : 2);
    }
    var parts = IntStream.range(0, size).mapToObj(to -> rank + " to " + to).toList();
    assertThat(spmd.<String>allToAll(parts))
        .isEqualTo(IntStream.range(0, size).mapToObj(from -> from + " to " + rank).toList());
  }

  private static List<String> texts(int size) {
    return IntStream.range(0, size).mapToObj(each -> "<" + each + ">").toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void neverMixWhateverTheirOrderAndPace(long seed) {
    try (var nodes = LocalNodes.start(3)) {
      var members = Part.group(nodes, 7);
      var kinds = new ArrayList<>(Collections.nCopies(40, 0));
      Collections.shuffle(kinds, new Random(seed));
      all(
          members,
          spmd -> {
            var what = new Random(seed); // the same for all
            var pace = new Random(seed * 31 + spmd.rank());
            for (var i = 0; i < 150; i++) {
              for (var yields = pace.nextInt(20); yields > 0; yields--) {
                Thread.yield();
              }
              var algorithm =
                  CollectiveAlgorithm.values()[what.nextInt(CollectiveAlgorithm.values().length)];
              var type = TYPES.get(what.nextInt(TYPES.size()));
              // Large arrays are used again, so what one collective leaves must not show in another
              var length = what.nextInt(40) * (i % 3 == 0 ? 500 : 1);
              new Check(spmd.by(algorithm), type, length).one(what.nextInt(8), i % 7);
            }
            return null;
          });
    }
  }

  /** Collectives of one member, with numbers whose result is known. */
  record Check(Spmd<Part> spmd, Class<?> type, int length) {

    void all() {
      for (var kind = 0; kind < 8; kind++) {
        one(kind, kind % spmd.size());
      }
    }

    void one(int kind, int root) {
      var size = spmd.size();
      var rank = spmd.rank();
      var isRoot = rank == root;
      switch (kind) {
        case 0 -> {
          var slice = slice(isRoot ? 3 : 0, length);
          spmd.broadcast(root, slice);
          expect(slice, 3, "broadcast");
        }
        case 1 -> {
          var slice = slice(rank + 1, length);
          spmd.reduce(root, slice, Operation.SUM);
          expect(slice, isRoot ? size * (size + 1) / 2 : rank + 1, "reduce");
        }
        case 2 -> {
          var slice = slice(rank + 1, length);
          spmd.allReduce(slice, Operation.SUM);
          expect(slice, size * (size + 1) / 2, "allReduce");
        }
        case 3 -> {
          var slice = slice(rank + 1, length);
          spmd.scan(slice, Operation.SUM);
          expect(slice, (rank + 1) * (rank + 2) / 2, "scan");
        }
        case 4 -> {
          var part = slice(rank + 1, Slice.length(rank, size, length));
          var whole = slice(0, length);
          spmd.gather(root, part, whole);
          for (var i = 0; i < size; i++) {
            expect(whole.block(i, size), isRoot ? i + 1 : 0, "gather");
          }
        }
        case 5 -> {
          var part = slice(rank + 1, Slice.length(rank, size, length));
          var whole = slice(0, length);
          spmd.allGather(part, whole);
          for (var i = 0; i < size; i++) {
            expect(whole.block(i, size), i + 1, "allGather");
          }
        }
        case 6 -> {
          var whole = slice(0, isRoot ? length : 0);
          for (var i = 0; isRoot && i < size; i++) {
            set(whole.block(i, size), i + 1);
          }
          var part = slice(0, Slice.length(rank, size, length));
          spmd.scatter(root, whole, part);
          expect(part, rank + 1, "scatter");
        }
        default -> {
          var parts = slice(0, length * size);
          for (var i = 0; i < size; i++) {
            set(parts.block(i, size), rank + 2 * i);
          }
          var received = slice(0, length * size);
          spmd.allToAll(parts, received);
          for (var i = 0; i < size; i++) {
            expect(received.block(i, size), i + 2 * rank, "allToAll");
          }
        }
      }
    }

    /** A slice inside a larger array, plus the index, which shows where a number has gone. */
    @SuppressWarnings("unchecked") // the type is of no matter here
    Slice<Object> slice(int value, int count) {
      var array = Array.newInstance(type, count + 3);
      var slice =
          (Slice<Object>)
              (Slice<?>)
                  switch (array) {
                    case double[] all -> Slice.of(all);
                    case float[] all -> Slice.of(all);
                    case int[] all -> Slice.of(all);
                    case long[] all -> Slice.of(all);
                    case byte[] all -> Slice.of(all);
                    default -> throw new AssertionError(type);
                  };
      set(slice, 99);
      var inside = slice.from(2, count);
      set(inside, value);
      return inside;
    }

    static void set(Slice<?> slice, int value) {
      var from = slice.offset();
      var to = from + slice.length();
      switch (slice.array()) {
        case double[] all -> Arrays.fill(all, from, to, value);
        case float[] all -> Arrays.fill(all, from, to, value);
        case int[] all -> Arrays.fill(all, from, to, value);
        case long[] all -> Arrays.fill(all, from, to, value);
        case byte[] all -> Arrays.fill(all, from, to, (byte) value);
        default -> throw new AssertionError(slice);
      }
    }

    void expect(Slice<?> slice, int value, String what) {
      var stride = slice.length() > 2000 ? 89 : 1; // one by one would take its time
      for (var i = 0; i < slice.length(); i += stride) {
        var found = ((Number) Array.get(slice.array(), slice.offset() + i)).intValue();
        if (found != value) {
          throw new AssertionError(
              "%s of %s[%d] at %s: number %d is %d, not %d"
                  .formatted(what, type, length, spmd, i, found, value));
        }
      }
      assertThat(((Number) Array.get(slice.array(), 0)).intValue()).isEqualTo(99);
    }
  }
}
