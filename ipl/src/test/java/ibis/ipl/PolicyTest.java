package ibis.ipl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.registry.ControlPolicy;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server with a policy, and what members show to it. */
@Timeout(60)
class PolicyTest {

  private static final AtomicInteger READ = new AtomicInteger();

  record Ticket(String word, int number) implements Credentials {}

  /** Counts how often it is read. */
  static final class Gadget implements Credentials {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      READ.incrementAndGet();
      in.defaultReadObject();
    }
  }

  private static final ControlPolicy POLICY =
      new ControlPolicy() {
        @Override
        public void onJoin(Credentials credentials) {
          if (!(credentials instanceof Ticket ticket) || !ticket.word().equals("sesame")) {
            throw new IllegalArgumentException("wrong word");
          }
        }

        @Override
        public Set<Class<?>> credentialTypes() {
          return Set.of(Ticket.class);
        }
      };

  private static Ibis join(TestPool pool, Credentials credentials)
      throws IbisCreationFailedException {
    return IbisFactory.createIbis(TestPool.ALL, pool.properties(), true, null, credentials);
  }

  @Test
  void letsInWhomItAccepts() throws Exception {
    try (var pool = new TestPool(POLICY)) {
      Ibis member = join(pool, new Ticket("sesame", 1));
      assertThat(member.identifier().name()).isEqualTo("Ibis 0");
      member.end();
    }
  }

  @Test
  void tellsWhomItRefusesWhy() throws Exception {
    try (var pool = new TestPool(POLICY)) {
      assertThatThrownBy(() -> join(pool, new Ticket("open", 1)))
          .isInstanceOf(IbisConfigurationException.class)
          .hasMessageContaining("wrong word");
      assertThatThrownBy(() -> join(pool, null))
          .isInstanceOf(IbisConfigurationException.class)
          .hasMessageContaining("wrong word");
    }
  }

  @Test
  void doesNotEvenReadWhatItDoesNotName() throws Exception {
    try (var pool = new TestPool(POLICY)) {
      assertThatThrownBy(() -> join(pool, new Gadget()))
          .isInstanceOf(IbisConfigurationException.class)
          .hasMessageContaining("Gadget");
      assertThat(READ).hasValue(0);
    }
  }

  /** As policies do that were written for the original. */
  @Test
  void readsAllClassesOfTheProgramIfItNamesNone() throws Exception {
    ControlPolicy naming =
        credentials -> {
          if (!new Ticket("sesame", 1).equals(credentials)) {
            throw new IllegalArgumentException("wrong word");
          }
        };
    try (var pool = new TestPool(naming)) {
      Ibis member = join(pool, new Ticket("sesame", 1));
      assertThat(member.identifier().name()).isEqualTo("Ibis 0");
      member.end();
      assertThatThrownBy(() -> join(pool, new Ticket("open", 1)))
          .hasMessageContaining("wrong word");
    }
  }

  @Test
  void isNotReadWithoutAPolicy() throws Exception {
    try (var pool = new TestPool()) {
      join(pool, new Gadget()).end();
      assertThat(READ).hasValue(0);
    }
  }
}
