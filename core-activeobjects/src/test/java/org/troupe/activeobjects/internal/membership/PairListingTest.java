package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.hosting.PairDetail.CalledMethod;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** A node lists the calls that it has sent to another one, and what that has not acknowledged. */
@Timeout(60)
class PairListingTest {

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    TierSwitch.set(ObservationTier.COUNTS);
    grid = InProcessGrid.start(2);
  }

  @AfterEach
  void end() {
    grid.close();
    TierSwitch.set(ObservationTier.COUNTS);
  }

  /** Counts. */
  public static class Counter {

    private int count;

    public void step() {
      count++;
    }

    public int add(int[] numbers, String why) {
      return count + numbers.length + why.length();
    }

    public int addTo(Counter other, int times) {
      for (var i = 0; i < times; i++) {
        other.step();
      }
      return other.add(new int[100_000], "");
    }
  }

  private Counter counter(int node) {
    return ActiveObjects.on(grid.get(node)).create(Counter.class);
  }

  private Optional<PairDetail> pair(int from, String to) {
    return valueOf(grid.member(0).pair(grid.get(from), to), "the pair");
  }

  private List<CalledMethod> methods(int from, int to) {
    return pair(from, grid.get(to).name()).orElseThrow().methods();
  }

  @Test
  void listsTheCallsOfTheProgramByMethod() {
    var other = counter(1);
    counter(0).addTo(other, 40);

    var type = Counter.class.getName();
    assertThat(methods(0, 1))
        .containsExactly(
            new CalledMethod(type, "step()", 40), new CalledMethod(type, "add(int[], String)", 1));
    assertThat(methods(1, 0)).isEmpty();
  }

  @Test
  void countsNothingWhileTheTierIsOff() {
    var other = counter(1);
    var here = counter(0);
    TierSwitch.set(ObservationTier.OFF);
    here.addTo(other, 40);
    assertThat(methods(0, 1)).isEmpty();

    TierSwitch.set(ObservationTier.COUNTS);
    here.addTo(other, 2);
    assertThat(methods(0, 1)).extracting(CalledMethod::calls).containsExactly(2L, 1L);
  }

  @Test
  void isEmptyWithoutALink() {
    assertThat(pair(0, "nowhere")).isEmpty();
  }

  @Test
  void tellsWhatTheOtherNodeHasNotAcknowledged() {
    var transport = new FaultyTransport();
    ActiveObjects.onFailure(_ -> {}); // what is lost at the end is of no interest
    try (var cut = InProcessGrid.start(1, transport)) {
      var cell = ActiveObjects.on(cut.get(0)).create(Cell.class);
      transport.cut(0, 1);
      for (var i = 0; i < 3; i++) {
        cell.take(new byte[1 << 20]);
      }
      var program = cut.coordinator();
      var other = cut.get(0).name();
      Supplier<PairDetail> pair =
          () -> valueOf(program.pair(program.self(), other), "the pair").orElseThrow();

      // The first one may have arrived. They may be sent after some time, behind other messages.
      Waits.until(() -> pair.get().slices() >= 2, "the calls");

      var sent = pair.get();
      assertThat(sent.messages()).isGreaterThanOrEqualTo(sent.slices());
      assertThat(sent.bytes()).isGreaterThan((long) sent.slices() << 20);
      program.ended(other, "it was decided");
    } finally {
      ActiveObjects.onFailure(null);
    }
  }

  @Test
  void forgetsWhatIsAcknowledged() {
    counter(0).addTo(counter(1), 40);

    Waits.until(
        () -> pair(0, grid.get(1).name()).orElseThrow().messages() == 0, "the acknowledgements");
    var sent = pair(0, grid.get(1).name()).orElseThrow();
    assertThat(sent.slices()).isZero();
    assertThat(sent.bytes()).isZero();
  }
}
