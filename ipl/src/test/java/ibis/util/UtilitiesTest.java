package ibis.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UtilitiesTest {

  /** The common pool has one thread on two processors, which the first task to wait would take. */
  private static final Executor WAITERS = task -> Thread.ofVirtual().start(task);

  @Test
  void aTimerAddsUpIntervals() {
    Timer timer = Timer.createTimer();
    timer.start();
    timer.stop();
    timer.start();
    timer.stop();
    Timer sum = new Timer();
    sum.add(timer);

    assertThat(sum.nrTimes()).isEqualTo(2);
    assertThat(sum.totalTimeVal()).isEqualTo(timer.totalTimeVal());
    assertThat(sum.averageTimeVal()).isEqualTo(timer.totalTimeVal() / 2);
    assertThat(timer.maxTimeVal()).isGreaterThanOrEqualTo(timer.minTimeVal());
    assertThatThrownBy(timer::stop).isInstanceOf(IllegalStateException.class);
    assertThat(Timer.format(12.3456)).isEqualTo("12.346 us");
    assertThat(Timer.format(12_345.6)).isEqualTo("12.346 ms");
    assertThat(Timer.format(12_345_600)).isEqualTo("12.346 s");
  }

  @Test
  void typedPropertiesHaveTypes() {
    Properties defaults = new Properties();
    defaults.setProperty("app.size", "64K");
    Properties plain = new Properties(defaults);
    plain.setProperty("app.on", "YES");
    plain.setProperty("app.count", " 7 ");
    plain.setProperty("app.list", "a, b,,c");
    plain.setProperty("other", "x");
    TypedProperties typed = new TypedProperties(plain);

    assertThat(typed.getBooleanProperty("app.on")).isTrue();
    assertThat(typed.getBooleanProperty("missing", true)).isTrue();
    assertThat(typed.getIntProperty("app.count")).isEqualTo(7);
    assertThat(typed.getLongProperty("missing", 8)).isEqualTo(8);
    assertThat(typed.getSizeProperty("app.size")).isEqualTo(65536);
    assertThat(typed.getStringList("app.list")).containsExactly("a", "b", "c");
    assertThat(typed.getStringList("missing")).isEmpty();
    assertThat(typed.filter("app.", true, true)).containsOnlyKeys("on", "count", "list", "size");
    assertThat(typed).containsOnlyKeys("other");
    assertThatThrownBy(() -> typed.getIntProperty("other"))
        .isInstanceOf(NumberFormatException.class)
        .hasMessageContainingAll("'other'", "'x'");
  }

  @Test
  void aTicketGivesWhatIsPutUnderIt() throws Exception {
    Ticket tickets = new Ticket();
    int one = tickets.get();
    int other = tickets.get();
    CompletableFuture<Object> collected =
        CompletableFuture.supplyAsync(() -> tickets.collect(one), WAITERS);
    tickets.put(other, "other");
    assertThat(tickets.peek(other)).isEqualTo("other");
    assertThat(tickets.collect(other, 1)).isEqualTo("other");
    int late = tickets.get();
    CompletableFuture<Object> patient =
        CompletableFuture.supplyAsync(() -> tickets.collect(late, Long.MAX_VALUE), WAITERS);
    tickets.put(late, "late");
    assertThat(patient.join()).isEqualTo("late");

    tickets.put(one, null);

    assertThat(collected.get(30, TimeUnit.SECONDS)).isNull();
    assertThatThrownBy(() -> tickets.put(one, "late")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTicketIsHeldForOneThingAfterTheOther() throws Exception {
    Ticket tickets = new Ticket();
    int ticket = tickets.get();
    CompletableFuture<Void> putting =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 3; i++) {
                tickets.put(ticket, i); // waits until the one before is taken
              }
            },
            WAITERS);

    assertThat(tickets.get(ticket)).isEqualTo(0);
    assertThat(tickets.get(ticket)).isEqualTo(1);
    assertThat(tickets.collect(ticket)).isEqualTo(2);
    putting.get(30, TimeUnit.SECONDS);
  }

  /** Programs keep a ticket and another number in one int. */
  @Test
  void ticketsAreSmallHoweverManyWereGiven() {
    Ticket tickets = new Ticket();
    int held = tickets.get();
    for (int i = 0; i < 100_000; i++) {
      tickets.freeTicket(tickets.get());
    }
    assertThat(tickets.get()).isEqualTo(held + 1);
  }

  @Test
  void aPoolRunsTasksUnderTheirNames() throws Exception {
    var name = new CompletableFuture<String>();

    ThreadPool.createNew(() -> name.complete(Thread.currentThread().getName()), "worker");

    assertThat(name.get(30, TimeUnit.SECONDS)).isEqualTo("worker");
  }

  @Test
  void addressesOfThisHostAreNotLoopback() throws Exception {
    assertThat(IPUtils.getLocalHostAddresses()).allMatch(IPUtils::isExternalAddress);
    assertThat(IPUtils.isExternalAddress(InetAddress.getLoopbackAddress())).isFalse();
    assertThat(IPUtils.isLocalAddress(InetAddress.getByName("10.0.0.1"))).isTrue();
    assertThat(IPUtils.isLocalAddress(InetAddress.getByName("192.0.2.1"))).isFalse();
    assertThat(IPUtils.getLocalHostAddress()).isNotNull();
  }
}
