package org.troupe.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.WaitCycleException;

/** Members that wait for answers of a group that they are in themselves. */
@Timeout(120)
class SelfWaitTest {

  private static final Reduction<Integer> SUM = Reduction.flat(Integer::sum);

  /** Open once so many workers are about to wait for a number. */
  private static volatile CountDownLatch asking = new CountDownLatch(0);

  /** How a member waits for its group. */
  public enum Way {
    COMBINED {
      @Override
      Object wait(Group<Worker> group) {
        return group.each(Worker::number).combine(SUM).join();
      }
    },
    REDUCED {
      @Override
      Object wait(Group<Worker> group) {
        return group.ask(Worker::number).reduce(Integer::sum).join();
      }
    },
    TOLD {
      @Override
      Object wait(Group<Worker> group) {
        return group.tell(Worker::number).join();
      }
    },
    FIRST_OF_ALL {
      @Override
      Object wait(Group<Worker> group) {
        return group.ask(Worker::number).first(group.size());
      }
    },
    ARRIVED {
      @Override
      Object wait(Group<Worker> group) {
        return group.ask(Worker::number).arrived().toList();
      }
    },
    TYPED {
      @Override
      Object wait(Group<Worker> group) throws IOException {
        group.all().check();
        return null;
      }
    },
    CUT {
      @Override
      Object wait(Group<Worker> group) {
        return group.each(Worker::number).personalised(SUM, (all, rank, size) -> all).join();
      }
    },
    NESTED {
      @Override
      Object wait(Group<Worker> group) {
        var outer = Group.of(Groups.of(Worker.class, List.of(group.all())));
        return outer.each(Worker::number).combine(SUM).join();
      }
    };

    abstract Object wait(Group<Worker> group) throws IOException;
  }

  public static class Worker {

    public int number() {
      return 1;
    }

    public void check() throws IOException {
      // What it declares makes its callers wait.
    }

    public String waits(Way way, Worker all) throws IOException {
      try {
        return "got " + way.wait(Group.of(all));
      } catch (WaitCycleException e) {
        return e.getMessage();
      }
    }

    public int sumOf(Worker all) {
      return Group.of(all).each(Worker::number).combine(SUM).join();
    }

    public int sumOfSums(Worker others, Worker all) {
      return Group.of(others).each(other -> other.sumOf(all)).combine(SUM).join();
    }

    public int any(Worker all) {
      return Group.of(all).ask(Worker::number).first(1).getFirst();
    }

    public int numberOf(Worker other) {
      asking.countDown();
      return other.number();
    }

    public int numberBy(Worker hub, Worker other) {
      asking.countDown();
      return hub.numberOf(other);
    }

    /** Waits for one of those who wait for this. */
    public String anyOf(Worker others, Worker hub, Worker self, boolean isLate) throws Exception {
      var numbers =
          hub == null
              ? Group.of(others).ask(other -> other.numberOf(self))
              : Group.of(others).ask(other -> other.numberBy(hub, self));
      if (isLate) {
        asking.await(); // most likely they wait by then
      }
      try {
        return numbers.first(1).toString();
      } catch (WaitCycleException | GroupCallException e) {
        return e.toString();
      }
    }

    public String inTime(Worker all) {
      try {
        Group.of(all).within(Duration.ofMillis(50)).each(Worker::number).combine(SUM).join();
        return "answered";
      } catch (CompletionException e) {
        return ((GroupCallException) e.getCause()).failures().get(0).getClass().getSimpleName();
      }
    }
  }

  /** May serve numbers beside what waits for them. */
  public static class Wide extends Worker {
    @Override
    @Concurrent("all")
    public int number() {
      return 2;
    }

    @Override
    @Concurrent("all")
    public int sumOf(Worker all) {
      return super.sumOf(all);
    }

    @Concurrent("others")
    public String sumThatCannotBe(Worker all) {
      try {
        return "got " + super.sumOf(all);
      } catch (WaitCycleException e) {
        return e.getMessage();
      }
    }
  }

  private final LocalNodes nodes = LocalNodes.start(2);

  @AfterEach
  void end() {
    nodes.close();
  }

  private <W extends Worker> Group<W> group(Class<W> type) {
    return Group.of(Groups.on(nodes.list()).each(2).create(type));
  }

  private static <W> String said(W member, Ref.Asked<W, String> call) throws Exception {
    return answer(member, call);
  }

  private static <W> int number(W member, Ref.Asked<W, Integer> call) throws Exception {
    return answer(member, call);
  }

  private static <W, V> V answer(W member, Ref.Asked<W, V> call) throws Exception {
    return ActiveObjects.ref(member).ask(call).get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void isAnErrorThatSaysSo(Way way) throws Exception {
    var group = group(Worker.class);
    assertThat(said(group.get(1), worker -> worker.waits(way, group.all())))
        .contains("these waits could never end")
        .contains("a Worker on node 'node-1' waits for Worker.");
  }

  @Test
  void isFoundOverOthersOnOtherNodes() throws Exception {
    var group = group(Worker.class);
    var call =
        ActiveObjects.ref(group.get(0))
            .ask(worker -> worker.sumOfSums(group.select(2, 3).all(), group.all()));
    assertThat(call.handle((sum, failure) -> failure).get(60, TimeUnit.SECONDS))
        .rootCause()
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("these waits could never end");
  }

  @Test
  void isNoneIfOthersAnswer() throws Exception {
    var group = group(Worker.class);
    assertThat(number(group.get(0), worker -> worker.any(group.all()))).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"2,false,false", "3,false,false", "3,false,true", "3,true,false", "3,true,true"})
  void isFoundIfAnyWouldDo(int others, boolean overHub, boolean isLate) throws Exception {
    var group = Group.of(Groups.here().each(others).create(Worker.class));
    var self = ActiveObjects.here().create(Worker.class);
    var hub = overHub ? ActiveObjects.here().create(Worker.class) : null;
    asking = new CountDownLatch(others + (overHub ? 1 : 0)); // over the hub, one at a time goes on
    var call = ActiveObjects.ref(self).ask(worker -> worker.anyOf(group.all(), hub, self, isLate));
    assertThat(call.get(60, TimeUnit.SECONDS)).contains("these waits could never end");
  }

  @Test
  void isNoneIfTheObjectServesTheCallBesideIt() throws Exception {
    var group = group(Wide.class);
    assertThat(number(group.get(0), worker -> worker.sumOf(group.all()))).isEqualTo(8);
    assertThat(said(group.get(0), worker -> worker.sumThatCannotBe(group.all())))
        .contains("a Wide on node 'node-1' waits for Wide.number()");
  }

  @Test
  void endsByItselfIfCallsAreLimited() throws Exception {
    var group = group(Worker.class);
    assertThat(said(group.get(0), worker -> worker.inTime(group.all())))
        .isEqualTo(CallTimeoutException.class.getSimpleName());
  }
}
