package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;
import org.troupe.links.Driver;

/** Point-to-point messages over links that are polled while an array is received. */
@Timeout(120)
class LettersOverLinksTest {

  private static final int LETTERS = 2_000;
  private static final int NUMBERS = 2_000; // enough to travel apart from other bytes
  private static final int EXCHANGES = 200;

  /** Lengths that travel in the body, apart in one write, and in several writes of a full link. */
  private static final int[] LENGTHS = {10, 500, 30_000, 70_000, 200_000};

  /** A member of the group. */
  public static class Correspondent {

    private int wrong;

    public Correspondent() {}

    /** The first member sends, the second receives each message into one array. */
    public void correspond() {
      var spmd = Spmd.here(Correspondent.class);
      var array = new double[NUMBERS];
      for (var i = 0; i < LETTERS; i++) {
        var number = (double) i;
        if (spmd.rank() == 0) {
          Arrays.fill(array, number);
          spmd.send(1, Slice.of(array));
        } else {
          spmd.receive(0, Slice.of(array));
          wrong += Arrays.stream(array).anyMatch(each -> each != number) ? 1 : 0;
        }
      }
    }

    /** Both send parts of one array and receive into parts of another, at the same time. */
    public void exchange() {
      var spmd = Spmd.here(Correspondent.class);
      var other = 1 - spmd.rank();
      for (var i = 0; i < EXCHANGES; i++) {
        var length = LENGTHS[i % LENGTHS.length];
        var sent = new double[length + 2];
        var came = new double[length + 3];
        Arrays.fill(sent, 1, 1 + length, i + 0.25 * spmd.rank());
        spmd.send(other, Slice.of(sent).from(1, length));
        Arrays.fill(sent, Double.NaN);
        spmd.receive(other, Slice.of(came).from(2, length));
        check(came, 2, length, i + 0.25 * other);
      }
    }

    /** Collective operations that send from and receive into one array. */
    public void exchangeAll() {
      var spmd = Spmd.here(Correspondent.class);
      for (var i = 0; i < EXCHANGES; i++) {
        var length = LENGTHS[i % LENGTHS.length];
        var all = new double[2 * length + 3];
        var came = i % 2 == 0 ? new double[2 * length + 3] : all;
        Arrays.fill(all, 2, 2 + 2 * length, i + 0.25 * spmd.rank());
        spmd.allToAll(Slice.of(all).from(2, 2 * length), Slice.of(came).from(2, 2 * length));
        for (var from = 0; from < 2; from++) {
          var block = Arrays.copyOfRange(came, 2 + from * length, 2 + (from + 1) * length);
          wrong += Arrays.stream(block).allMatch(each -> each == block[0]) ? 0 : 1;
          wrong += block[0] == i + 0.25 * from ? 0 : 1;
        }
        var summed = new double[length + 3];
        Arrays.fill(summed, 2, 2 + length, 1 + spmd.rank());
        spmd.allReduce(Slice.of(summed).from(2, length), Operation.SUM);
        check(summed, 2, length, 3);
        if (spmd.rank() == 0) {
          Arrays.fill(summed, 2, 2 + length, i);
        }
        spmd.broadcast(0, Slice.of(summed).from(2, length));
        check(summed, 2, length, i);
      }
    }

    private void check(double[] array, int from, int length, double expected) {
      for (var i = 0; i < array.length; i++) {
        wrong += array[i] == (i >= from && i < from + length ? expected : 0) ? 0 : 1;
      }
    }

    public int wrong() {
      return wrong;
    }
  }

  @AfterEach
  void chooseNoMore() {
    Drivers.any();
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "UDS", "TCP"})
  void arePartsOfArraysThatChangeAtOnce(Driver driver) {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var members = Group.of(Groups.on(nodes.nodes()).spmd(Correspondent.class));

      members.tell(Correspondent::exchange).join();
      members.tell(Correspondent::exchangeAll).join();

      assertThat(members.ask(Correspondent::wrong).toList()).containsExactly(0, 0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "UDS", "TCP"})
  void comeOneAfterTheOtherIntoOneArray(Driver driver) {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var members = Group.of(Groups.on(nodes.nodes()).spmd(Correspondent.class));

      members.tell(Correspondent::correspond).join();

      assertThat(members.ask(Correspondent::wrong).toList()).containsExactly(0, 0);
    }
  }
}
