package ibis.satin.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.satin.SharedObject;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.NodeLostException;

/** The order of writes, message by message. */
class SharedHubTest {

  private final SharedHub hub = new SharedHub();

  @AfterEach
  void disconnect() {
    SharedReplicas.here().disconnect(hub);
  }

  static final class Counter extends SharedObject {
    private static final long serialVersionUID = 1;
    private int sum;

    public void add(int amount) {
      sum += amount;
    }
  }

  /** Keeps what it gets. */
  private final class Host extends SharedHost {
    private final List<String> got = new ArrayList<>();
    private boolean isLost;

    Host(int number) {
      super(hub, number, Map.of());
      hub.join(number, this);
    }

    @Override
    public void install(String id, byte[] state) {
      add("object " + ((Counter) SharedState.read(state)).sum);
    }

    @Override
    public void write(String id, String method, String descriptor, Object[] arguments) {
      add(method + " " + arguments[0]);
    }

    private void add(String message) {
      if (isLost) {
        throw new NodeLostException("the node is lost");
      }
      got.add(message);
    }
  }

  private void write(int from, Counter counter, int amount) {
    hub.write(from, counter.getObjectId(), "add", "(I)V", new Object[] {amount});
  }

  @Test
  void sendsAnObjectThatWasAskedForBeforeItCame() {
    var owner = new Host(1);
    var thief = new Host(2);
    var other = new Host(3);
    var counter = new Counter();

    hub.fetch(2, counter.getObjectId());
    hub.share(1, counter.getObjectId(), SharedState.write(counter), false);
    write(1, counter, 5);

    assertThat(thief.got).containsExactly("object 0", "add 5");
    assertThat(owner.got).isEmpty();
    assertThat(other.got).containsExactly("add 5"); // which has no such object, and drops it
  }

  @Test
  void sendsNoObjectToANodeThatHasGivenItUp() {
    var patient = new Host(2);
    var impatient = new Host(3);
    var counter = new Counter();
    hub.fetch(2, counter.getObjectId());
    hub.fetch(3, counter.getObjectId());

    hub.giveUp(3, counter.getObjectId());
    hub.giveUp(3, counter.getObjectId());
    hub.share(1, counter.getObjectId(), SharedState.write(counter), false);

    assertThat(patient.got).containsExactly("object 0");
    assertThat(impatient.got).isEmpty();
  }

  /** An object as the weaver leaves it. */
  static class Woven extends SharedObject {
    private static final long serialVersionUID = 1;

    @Serial
    protected Object writeReplace() {
      return SharedReplicas.here().replace(this);
    }
  }

  static final class Outer extends Woven {
    private static final long serialVersionUID = 1;
    private final Woven inner = new Woven();
  }

  @Test
  void refusesAStateThatHoldsAnotherSharedObject() {
    new Host(1);

    assertThatThrownBy(() -> SharedState.write(new Outer()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Outer holds shared object ")
        .hasMessageContaining("make them separate parameters of the spawn");
  }

  @Test
  void sendsTheStateBetweenTwoWrites() {
    var thief = new Host(2);
    var counter = new Counter();
    hub.share(1, counter.getObjectId(), SharedState.write(counter), true);
    write(1, counter, 5);
    hub.fetch(2, counter.getObjectId());
    write(1, counter, 6);

    assertThat(thief.got).containsExactly("object 0", "add 5", "object 5", "add 6");
  }

  @Test
  void passesWritesOnAlthoughANodeIsLost() {
    var lost = new Host(1);
    var last = new Host(2);
    var counter = new Counter();
    hub.share(0, counter.getObjectId(), SharedState.write(counter), false);
    lost.isLost = true;

    write(0, counter, 5);
    write(0, counter, 6);
    hub.fetch(2, counter.getObjectId());

    assertThat(last.got).containsExactly("add 5", "add 6", "object 11");
    assertThat(lost.got).isEmpty();
  }
}
