package ibis.ipl.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.internal.base.InstanceIdentifier;
import ibis.ipl.internal.base.LocationImpl;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A pool that is put together again from what its members know. */
class ServerPoolTest {

  private static final ServerPool.Rules RULES = new ServerPool.Rules("troupe", -1, 1_000);

  private final ServerPool pool = new ServerPool("pool", RULES, (_, _) -> {}, _ -> {});

  private static InstanceIdentifier member(int number, String port) {
    return new InstanceIdentifier("pool", "Ibis " + number, LocationImpl.parse("here"), null, port);
  }

  private static PoolHistory history(int joined, InstanceIdentifier... members) {
    return new PoolHistory(joined, List.of(members), Map.of(), Map.of(), null);
  }

  private ServerPool.Member rejoin(InstanceIdentifier self, PoolHistory history)
      throws JoinRefusedException {
    return pool.rejoin(RULES, self, history, _ -> {});
  }

  private List<String> names() {
    return pool.members().stream().map(each -> each.identifier.name()).toList();
  }

  @Test
  void hasThoseWhoHaveNotComeBackYet() throws Exception {
    InstanceIdentifier first = member(0, "h:1");
    InstanceIdentifier third = member(2, "h:3");

    rejoin(third, history(4, first, third));

    assertThat(names()).containsExactly("Ibis 2", "Ibis 0");
    ServerPool.Member newcomer = pool.join(RULES, LocationImpl.parse("here"), "h:5", null, _ -> {});
    assertThat(newcomer.identifier.name()).isEqualTo("Ibis 4");
  }

  /** The link of a member may break before the member has received its first event. */
  @Test
  void givesNoNameTwiceAfterAMemberWithoutAHistory() throws Exception {
    rejoin(member(0, "h:1"), history(0));

    ServerPool.Member newcomer = pool.join(RULES, LocationImpl.parse("here"), "h:5", null, _ -> {});

    assertThat(newcomer.identifier.name()).isEqualTo("Ibis 1");
  }

  @Test
  void refusesAMemberWhoseNameIsGivenAnew() throws Exception {
    pool.join(RULES, LocationImpl.parse("here"), "h:9", null, _ -> {});
    InstanceIdentifier former = member(0, "h:1");
    InstanceIdentifier friend = member(1, "h:2");

    assertThatThrownBy(() -> rejoin(former, history(2, former, friend)))
        .isInstanceOf(JoinRefusedException.class)
        .hasMessageContaining("has begun anew");
    assertThatThrownBy(() -> rejoin(friend, history(2, former, friend)))
        .isInstanceOf(JoinRefusedException.class);
    assertThat(names()).containsExactly("Ibis 0");
  }

  @Test
  void refusesAMemberThatWasDeclaredDeadMeanwhile() throws Exception {
    InstanceIdentifier first = member(0, "h:1");
    InstanceIdentifier late = member(1, "h:2");
    rejoin(first, history(2, first, late));
    assertThat(pool.remove(pool.find("Ibis 1"), true, "it did not come back")).isTrue();

    assertThatThrownBy(() -> rejoin(late, history(2, first, late)))
        .isInstanceOf(JoinRefusedException.class)
        .hasMessageContaining("declared dead");
  }

  @Test
  void takesAMemberInAgainWhoseAnswerWasLost() throws Exception {
    InstanceIdentifier first = member(0, "h:1");
    ServerPool.Member before = rejoin(first, history(1, first));

    ServerPool.Member after = rejoin(first, history(1, first));

    assertThat(pool.find("Ibis 0")).isSameAs(after).isNotSameAs(before);
  }

  @Test
  void keepsAWinnerThatIsThereAndNoOther() throws Exception {
    InstanceIdentifier first = member(0, "h:1");
    InstanceIdentifier second = member(1, "h:2");
    var history =
        new PoolHistory(
            3,
            List.of(first, second),
            Map.of("led", second, "orphaned", member(2, "h:3")),
            Map.of("tickets", 7L),
            null);
    ServerPool.Member me = rejoin(first, history);
    rejoin(second, history);

    assertThat(pool.elect(me, "led")).isEqualTo(second);
    assertThat(pool.elect(me, "orphaned")).isEqualTo(first);
    assertThat(pool.nextNumber(me, "tickets")).isEqualTo(7);
  }

  /** Though their names do not meet: "Ibis 0" had left before the restart. */
  @Test
  void refusesFormerMembersWhenOthersHaveBegunThePoolAnew() throws Exception {
    ServerPool.Member newcomer = pool.join(RULES, LocationImpl.parse("here"), "h:9", null, _ -> {});
    assertThat(pool.elect(newcomer, "led")).isEqualTo(newcomer.identifier);
    InstanceIdentifier former = member(3, "h:4");

    assertThatThrownBy(
            () ->
                rejoin(
                    former,
                    new PoolHistory(4, List.of(former), Map.of("led", former), Map.of(), null)))
        .isInstanceOf(JoinRefusedException.class)
        .hasMessageContaining("has begun anew");
    assertThat(names()).containsExactly("Ibis 0");
  }

  @Test
  void givesNoNumberAndNoVictoryUntilThoseWhoMayKnowMoreAreBack() throws Exception {
    InstanceIdentifier first = member(0, "h:1");
    InstanceIdentifier second = member(1, "h:2");
    ServerPool.Member me =
        rejoin(
            first,
            new PoolHistory(2, List.of(first, second), Map.of(), Map.of("tickets", 5L), null));
    var number = CompletableFuture.supplyAsync(() -> pool.nextNumber(me, "tickets"));
    var winner = CompletableFuture.supplyAsync(() -> pool.elect(me, "led"));
    assertThatThrownBy(() -> number.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(winner).isNotDone();

    rejoin(
        second,
        new PoolHistory(
            2, List.of(first, second), Map.of("led", second), Map.of("tickets", 8L), null));

    assertThat(number.get(10, TimeUnit.SECONDS)).isEqualTo(8);
    assertThat(winner.get(10, TimeUnit.SECONDS)).isEqualTo(second);
  }

  @Test
  void waitsForNobodyWhoIsDead() throws Exception {
    InstanceIdentifier first = member(0, "h:1");
    ServerPool.Member me = rejoin(first, history(2, first, member(1, "h:2")));
    var number = CompletableFuture.supplyAsync(() -> pool.nextNumber(me, "tickets"));

    assertThat(pool.remove(pool.find("Ibis 1"), true, "it did not come back")).isTrue();

    assertThat(number.get(10, TimeUnit.SECONDS)).isZero();
  }
}
