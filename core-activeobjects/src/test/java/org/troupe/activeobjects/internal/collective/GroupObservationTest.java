package org.troupe.activeobjects.internal.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.futures.Outcome;

/** The observation of a call of a group. */
@Timeout(60)
class GroupObservationTest {

  private final List<String> ends = new ArrayList<>();
  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(1);
    ObserverBinding.bind(new EndRecorder());
  }

  @AfterEach
  void end() {
    ObserverBinding.bind(null);
    grid.close();
  }

  /** An object of a group. */
  public static class Worker {
    public int count() {
      return 1;
    }
  }

  @Test
  void endsOnceIfSendingFailsWhenTheResultIsKnown() {
    var ref = (Reference<?>) ActiveObjects.ref(ActiveObjects.here().create(Worker.class));
    var call = (RecordedCall) Collectives.current().record(Worker.class, Worker::count, true);
    var result = new CallResult(ref.runtime(), ref, call.called(), true, null);

    assertThatThrownBy(
            () ->
                GroupObservation.observed(
                    call,
                    List.of(ref),
                    new CallResult[] {result},
                    () -> {
                      result.settle(new Outcome.Success<>(1));
                      throw new IllegalStateException("the rest was not sent");
                    }))
        .hasMessage("the rest was not sent");

    assertThat(ends).containsExactly("end of count");
  }

  /** Records the ends of calls. */
  private final class EndRecorder implements Observer {

    @Override
    public CallObservation called(Call call) {
      return new CallObservation() {
        @Override
        public byte[] context() {
          return new byte[0];
        }

        @Override
        public void ended(@Nullable Failure failure) {
          ends.add("end of " + call.method().getName());
        }
      };
    }

    @Override
    public @Nullable Observation serves(Service service) {
      return null;
    }

    @Override
    public @Nullable Observation takesPart(Collective collective) {
      return null;
    }

    @Override
    public void waited(Wait wait) {}

    @Override
    public void failed(UnobservedFailure failure) {}

    @Override
    public UnaryOperator<Runnable> captured() {
      return UnaryOperator.identity();
    }
  }
}
