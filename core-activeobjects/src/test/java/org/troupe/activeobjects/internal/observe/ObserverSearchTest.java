package org.troupe.activeobjects.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.testing.LogRecords;

/** The search for the observer of a JVM. */
@Timeout(60)
class ObserverSearchTest {

  private static final Observer.Wait WAIT = new Observer.Wait("a test", null, 1);

  private final Counter first = new Counter();
  private final Counter second = new Counter();

  @AfterEach
  void unbind() {
    ObserverBinding.bind(null);
  }

  @Test
  void keepsTheFirstIfAnotherOneCannotBeLoaded(LogRecords log) throws InterruptedException {
    Supplier<Observer> broken =
        () -> {
          throw new ServiceConfigurationError(
              "Provider example.Second could not be instantiated",
              new NoClassDefFoundError("example/Missing"));
        };

    ObserverBinding.bindFirst(found(List.of(() -> first, broken)));
    ObserverBinding.waited(WAIT);

    assertThat(first.waits).isEqualTo(1);
    log.expect(
        Level.WARNING,
        "calls are observed by " + Counter.class.getName(),
        "Provider example.Second could not be instantiated",
        "NoClassDefFoundError: example/Missing",
        "take it from the class path");
    assertThat(log.texts(Level.WARNING)).noneMatch(each -> each.contains("not observed"));
  }

  @Test
  void bindsTheNextIfOneCannotBeLoaded(LogRecords log) throws InterruptedException {
    Supplier<Observer> broken =
        () -> {
          throw new NoClassDefFoundError("example/Parent");
        };

    ObserverBinding.bindFirst(found(List.of(broken, () -> second)));
    ObserverBinding.waited(WAIT);

    assertThat(second.waits).isEqualTo(1);
    log.expect(Level.WARNING, "cannot be loaded", "example/Parent", "add what it needs");
  }

  @Test
  void bindsOneOnly(LogRecords log) throws InterruptedException {
    ObserverBinding.bindFirst(found(List.of(() -> first, () -> second)));
    ObserverBinding.waited(WAIT);

    assertThat(first.waits).isEqualTo(1);
    assertThat(second.waits).isZero();
    log.expect(Level.WARNING, "since a JVM has one observer");
  }

  @Test
  void endsIfTheListCannotBeRead(LogRecords log) throws InterruptedException {
    ObserverBinding.bindFirst(
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            throw new ServiceConfigurationError("the list of the test is unreadable");
          }

          @Override
          public Observer next() {
            throw new AssertionError("there is none");
          }
        });

    assertThat(ObserverBinding.isBound()).isFalse();
    log.expect(Level.WARNING, "the list of the test is unreadable");
  }

  private static Iterator<Observer> found(List<Supplier<Observer>> providers) {
    var each = providers.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return each.hasNext();
      }

      @Override
      public Observer next() {
        return each.next().get();
      }
    };
  }

  /** Counts waits. */
  private static final class Counter implements Observer {

    private int waits;

    @Override
    public @Nullable CallObservation called(Call call) {
      return null;
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
    public void waited(Wait wait) {
      waits++;
    }

    @Override
    public void failed(UnobservedFailure failure) {}

    @Override
    public UnaryOperator<Runnable> captured() {
      return UnaryOperator.identity();
    }
  }
}
