package org.troupe.groups.spmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;

@Timeout(60)
class PointToPointTest {

  private static final int LARGE = 140_003; // as doubles, lent to those on other nodes

  private final LocalNodes nodes = LocalNodes.start(2);

  @AfterEach
  void end() {
    nodes.close();
  }

  private List<Part> group(int size) {
    return Part.group(nodes, size);
  }

  /** Two members on one node, and a third one on another. */
  @Test
  void arriveInOrderForEachTwoMembersApartFromCollectives() {
    assertThat(
            Part.<String>all(
                group(3),
                spmd -> {
                  for (var to = 0; to < spmd.size(); to++) {
                    for (var i = 0; i < 3; i++) {
                      spmd.send(to, spmd.rank() + ":" + i);
                    }
                  }
                  var sum = spmd.allReduce(1, Operation.SUM);
                  List<String> came = new ArrayList<>();
                  for (var from = spmd.size() - 1; from >= 0; from--) {
                    for (var i = 0; i < 3; i++) {
                      came.add(spmd.receive(from));
                    }
                  }
                  return sum + " " + String.join(" ", came);
                }))
        .containsOnly("3 2:0 2:1 2:2 1:0 1:1 1:2 0:0 0:1 0:2");
  }

  @Test
  void areAwaitedWhileOthersMakeCollectives() {
    assertThat(
            Part.<String>all(
                group(3),
                spmd -> {
                  var others = spmd.split(spmd.rank() == 0 ? 0 : 1);
                  if (spmd.rank() == 0) {
                    return spmd.receive(2);
                  }
                  var sum = others.allReduce(spmd.rank(), Operation.SUM);
                  if (spmd.rank() == 2) {
                    spmd.send(0, "sum " + sum);
                  }
                  return "";
                }))
        .containsExactly("sum 3", "", "");
  }

  @Test
  void areCopies() {
    Part.all(
        group(3),
        spmd -> {
          var list = new ArrayList<>(List.of("a"));
          var numbers = new double[] {1, 2, 3, 4};
          var many = new double[LARGE];
          many[LARGE - 1] = 5;
          for (var to = 0; to < spmd.size(); to++) {
            spmd.send(to, list);
            spmd.send(to, null);
            spmd.send(to, numbers);
            spmd.send(to, Slice.of(numbers).from(1, 2));
            spmd.send(to, Slice.of(many));
          }
          list.add("b");
          Arrays.fill(numbers, 0);
          Arrays.fill(many, 6);
          for (var from = 0; from < spmd.size(); from++) {
            assertThat(spmd.<List<String>>receive(from)).containsExactly("a");
            assertThat(spmd.<Object>receive(from)).isNull();
            assertThat(spmd.<double[]>receive(from)).containsExactly(1, 2, 3, 4);
            var into = new double[] {7, 7, 7, 7};
            spmd.receive(from, Slice.of(into).from(2, 2));
            assertThat(into).containsExactly(7, 7, 2, 3);
            spmd.receive(from, Slice.of(many));
            assertThat(many[0] + many[LARGE - 1]).isEqualTo(5);
          }
          return null;
        });
  }

  @Test
  void fillSlicesOfEachTypeAndAnyLength() {
    var doubles = IntStream.range(0, LARGE).asDoubleStream().toArray();
    var slices =
        List.<Slice<?>>of(
            Slice.of(doubles),
            Slice.of(doubles).from(1, 70_000),
            Slice.of(new double[0]),
            Slice.of(1F, 2F),
            Slice.of(IntStream.range(0, LARGE).toArray()),
            Slice.of(3L),
            Slice.of((byte) 4));
    Part.all(
        group(3),
        spmd -> {
          var right = (spmd.rank() + 1) % 3;
          var left = (spmd.rank() + 2) % 3;
          slices.forEach(each -> spmd.send(right, each));
          for (var each : slices) {
            var into = SliceArrays.wrap(each, SliceArrays.newArray(each, each.length()));
            spmd.receive(left, into);
            assertThat(into.array()).isEqualTo(SliceArrays.copyOf(each));
          }
          return null;
        });
  }

  /** Two members on one node, and a third one on another; small slices and such as are lent. */
  @Test
  void areExchangedAroundARingWithoutDisturbingWhatWasSentBefore() {
    for (var length : List.of(3, LARGE)) {
      assertThat(
              Part.<String>all(
                  group(3),
                  spmd -> {
                    var next = (spmd.rank() + 1) % 3;
                    var before = (spmd.rank() + 2) % 3;
                    var numbers = new double[2 * length];
                    Arrays.fill(numbers, 0, length, spmd.rank());
                    var own = Slice.of(numbers).from(0, length);
                    var others = Slice.of(numbers).from(length, length);
                    spmd.send(next, own); // comes first
                    Arrays.fill(numbers, 0, length, 10 + spmd.rank());
                    spmd.exchange(next, own, before, others);
                    var first = numbers[2 * length - 1];
                    spmd.receive(before, others);
                    var second = numbers[2 * length - 1];
                    spmd.exchange(next, own, before, own); // the very same place
                    spmd.exchange(spmd.rank(), own, spmd.rank(), others); // to itself
                    return first + " " + second + " " + numbers[0] + " " + numbers[length];
                  }))
          .containsExactly("2.0 12.0 12.0 12.0", "0.0 10.0 10.0 10.0", "1.0 11.0 11.0 11.0");
    }
  }

  @Test
  void ofTheWrongLengthAreNamedByBothThatExchange() {
    assertThat(
            Part.<String>all(
                group(3),
                spmd -> {
                  if (spmd.rank() == 1) {
                    return "";
                  }
                  var other = 2 - spmd.rank();
                  var into = Slice.of(new double[spmd.rank() + 3]);
                  try {
                    spmd.exchange(other, Slice.of(1.0, 2, 3), other, into);
                    return "right";
                  } catch (CollectiveException wrong) {
                    return wrong.getMessage();
                  }
                }))
        .satisfiesExactly(
            one -> assertThat(one).isEqualTo("right"),
            one -> assertThat(one).isEmpty(),
            one -> assertThat(one).contains("slice of 3 double", "slice of 5 double"));
  }

  @Test
  void thatAreNotWhatIsReceivedAreNamedWithBothAndDropped() {
    Part.all(
        group(2),
        spmd -> {
          if (spmd.rank() == 0) {
            spmd.send(1, Slice.of(new double[LARGE]));
            spmd.send(1, Slice.of(new int[2]));
            spmd.send(1, Slice.of(1.0));
            spmd.send(1, "x");
            spmd.send(1, "y");
            return null;
          }
          var one = Slice.of(0.0);
          assertThatThrownBy(() -> spmd.receive(0, one))
              .isInstanceOf(CollectiveException.class)
              .hasMessageContaining("member 0 on node 'node-1' sent a slice of 140003 doubles")
              .hasMessageContaining("member 1 on node 'node-2' receives a slice of 1 doubles");
          assertThatThrownBy(() -> spmd.receive(0, one))
              .hasMessageContaining("sent a slice of 2 ints where");
          assertThatThrownBy(() -> spmd.receive(0))
              .hasMessageContaining("sent a slice of 1 doubles where")
              .hasMessageContaining("receives an object");
          assertThatThrownBy(() -> spmd.receive(0, one)).hasMessageContaining("sent an object");
          assertThat(spmd.<String>receive(0)).isEqualTo("y");
          return null;
        });
  }

  @Test
  void areOfMembersOnly() {
    Part.all(
        group(2),
        spmd -> {
          assertThatThrownBy(() -> spmd.send(2, "x"))
              .hasMessageContaining("no member 2 for a send");
          assertThatThrownBy(() -> spmd.receive(-1)).hasMessageContaining("no member -1");
          return null;
        });
  }

  @Test
  void thatDoNotComeInTimeAreNamed() {
    Part.all(
        group(2),
        spmd -> {
          var hasty = spmd.within(Duration.ofMillis(1));
          assertThatThrownBy(() -> hasty.receive(1 - spmd.rank()))
              .isInstanceOf(CollectiveException.class)
              .hasMessageContaining(
                  "waited 0.001 s to receive a message from member " + (1 - spmd.rank()));
          return null;
        });
  }

  @Test
  void ofMembersThatAreLostDoNotComeButForThoseThatHave() {
    var members = group(2);
    Part.all(
        members,
        spmd -> {
          if (spmd.rank() == 1) {
            spmd.send(0, "before");
          }
          spmd.barrier().join();
          return null;
        });
    var waiting =
        Part.begun(
            members.subList(0, 1),
            spmd -> {
              assertThat(spmd.<String>receive(1)).isEqualTo("before");
              return spmd.receive(1);
            });
    nodes.kill(1);
    assertThat(Part.failureOf(waiting.getFirst()))
        .isInstanceOf(MemberLostException.class)
        .hasMessageContaining("member 1 on node 'node-2' of 2 is lost")
        .hasMessageContaining("so receive from member 1 cannot end")
        .hasMessageContaining("survivors()");
    Part.all(
        members.subList(0, 1),
        spmd -> {
          assertThatThrownBy(() -> spmd.send(1, "x")).isInstanceOf(MemberLostException.class);
          return null;
        });
  }

  @Test
  void areNotReceivedInTheNextGroup() {
    assertThat(
            Part.<String>all(
                group(2),
                spmd -> {
                  var other = 1 - spmd.rank();
                  spmd.send(other, "to the former");
                  var next = spmd.survivors();
                  next.send(other, "to the next");
                  return next.receive(other);
                }))
        .containsOnly("to the next");
  }

  @Test
  void aMemberThatWaitsForOneSaysSoToThoseThatWaitForIt() {
    var members = group(2);
    var receives =
        Part.begun(
            members.subList(1, 2),
            spmd -> {
              String heard = spmd.receive(0);
              return heard + spmd.allReduce(1, Operation.SUM);
            });
    Part.all(
        members.subList(0, 1),
        spmd -> {
          var limit = Duration.ofMillis(10);
          for (var told = false; !told; limit = limit.multipliedBy(2)) { // until asked in time
            var hasty = spmd.within(limit);
            try {
              hasty.receive(1);
            } catch (CollectiveException late) {
              told =
                  late.getMessage()
                      .contains(
                          "(which waits to receive from member 0, and has been in 0 of the group)");
            }
          }
          spmd.send(1, "sum ");
          return spmd.allReduce(1, Operation.SUM);
        });
    assertThat(Part.valueOf(receives.getFirst())).isEqualTo("sum 2");
  }

  @Test
  void areReadIntoTheArrayOfWhoWaitsForThem() {
    Part.all(
        group(2).subList(0, 1),
        spmd -> {
          var pointToPoint = pointToPoint(spmd);
          var numbers = new double[] {0, 0};
          var tag = PointToPoint.tag(Slice.of(numbers));
          assertThat(pointToPoint.receiveBuffer(1, tag, double.class, 2)).isNull();
          var reader =
              Thread.startVirtualThread(
                  () -> {
                    var buffer = buffer(pointToPoint, tag);
                    if (pointToPoint.receiveBuffer(1, tag, double.class, 2)
                        == null) { // it has been acquired
                      numbers[1] = 2;
                    }
                    pointToPoint.received(1, tag, buffer::array);
                    buffer.release().run();
                  });
          pointToPoint.receive(1, Slice.of(numbers), null);
          reader.join();
          assertThat(numbers).containsExactly(0, 2);

          var object =
              Thread.startVirtualThread(
                  () -> {
                    Part.until(() -> pointToPoint.awaited() == 1);
                    var buffer = pointToPoint.receiveBuffer(1, 0, double.class, 2);
                    pointToPoint.received(1, 0, () -> buffer);
                  });
          assertThat(pointToPoint.receive(1, null)).isNull();
          object.join();
          return null;
        });
  }

  @Test
  void keepTheirReceiverWhileItsArrayIsFilled() {
    Part.all(
        group(2).subList(0, 1),
        spmd -> {
          var pointToPoint = pointToPoint(spmd);
          var numbers = new double[] {0, 0};
          var tag = PointToPoint.tag(Slice.of(numbers));
          var hasLeft = new AtomicBoolean();
          var reader =
              Thread.startVirtualThread(
                  () -> {
                    var buffer = buffer(pointToPoint, tag);
                    pointToPoint.received(
                        1, tag, () -> new double[] {3, 4}); // the frame again, over another link
                    numbers[0] = 5;
                    hasLeft.set(true);
                    buffer.release().run();
                  });
          pointToPoint.receive(1, Slice.of(numbers), null);
          assertThat(hasLeft).isTrue();
          reader.join();
          assertThat(numbers).containsExactly(3, 4);
          return null;
        });
  }

  /** Those of another group of the member's, which nobody else knows. */
  private static PointToPoint pointToPoint(Spmd<Part> spmd) {
    var alone =
        new CommunicatorExtension(
            Collectives.current().newKey(),
            spmd.members().toArray(),
            ClustersTest.onOneHost(2),
            false);
    Collectives.current().attachToCurrent(alone);
    return alone.communicator().pointToPoint();
  }

  private static ReceiveBuffer buffer(PointToPoint pointToPoint, long tag) {
    var buffer = new ReceiveBuffer[1];
    Part.until(() -> (buffer[0] = pointToPoint.receiveBuffer(1, tag, double.class, 2)) != null);
    return buffer[0];
  }
}
