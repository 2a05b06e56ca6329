package ibis.ipl.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.CapabilitySet;
import ibis.ipl.ConnectionRefusedException;
import ibis.ipl.ConnectionTimedOutException;
import ibis.ipl.ConnectionsFailedException;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.IbisProperties;
import ibis.ipl.Location;
import ibis.ipl.PortType;
import ibis.ipl.TestPool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.serialization.TypeFilter;
import org.troupe.serialization.graph.Serializer;

/** What names instances, places and capabilities. */
@Timeout(60)
class IdentifierFactoryTest {

  private final TestPool pool;

  IdentifierFactoryTest() throws IOException {
    pool = new TestPool().with(IbisProperties.LOCATION, "node@cluster@site");
  }

  @AfterEach
  void end() throws IOException {
    pool.close();
  }

  /** Check 28. */
  @Test
  void surviveJavaSerialization() throws Exception {
    IbisIdentifier identifier = pool.join(TestPool.ALL).identifier();
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(identifier);
    }
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      IbisIdentifier copy = (IbisIdentifier) in.readObject();
      assertThat(copy).isEqualTo(identifier).hasSameHashCodeAs(identifier);
      assertThat((Object) copy.location()).isEqualTo(identifier.location());
    }
  }

  /** Check 28: as in a message. */
  @Test
  void surviveOurSerialization() throws Exception {
    IbisIdentifier identifier = pool.join(TestPool.ALL).identifier();
    Serializer serializer =
        Serializer.builder().allow(TypeFilter.patterns("ibis.ipl.internal.*")).build();

    assertThat(serializer.copy(identifier)).isEqualTo(identifier);
  }

  @Test
  void areSortedAndDistinct() throws Exception {
    IbisIdentifier first = pool.join(TestPool.ALL).identifier();
    IbisIdentifier second = pool.join(TestPool.ALL).identifier();

    assertThat(first).isNotEqualTo(second).isLessThan(second).isEqualByComparingTo(first);
  }

  @Test
  void tellWhereAnInstanceRuns() throws Exception {
    Location location = pool.join(TestPool.ALL).identifier().location();
    Location neighbour =
        pool.with(IbisProperties.LOCATION, "other@cluster@site")
            .join(TestPool.ALL)
            .identifier()
            .location();

    assertThat(location.numberOfLevels()).isEqualTo(3);
    assertThat(location.getLevel(0)).isEqualTo("node");
    assertThat(location.getLevels()).containsExactly("node", "cluster", "site");
    assertThat((Iterable<String>) location).containsExactly("site", "cluster", "node");
    assertThat((Object) location).hasToString("node@cluster@site");
    assertThat(location.compareTo(neighbour)).isNegative();
    assertThat(location.numberOfMatchingLevels(neighbour)).isEqualTo(2);
    assertThat((Object) location.getParent()).isEqualTo(neighbour.getParent());
    assertThat(location.getParent().getParent().getParent().getParent().numberOfLevels()).isZero();
    assertThatThrownBy(() -> location.getLevel(3))
        .isInstanceOf(ArrayIndexOutOfBoundsException.class);
  }

  @Test
  void keepCapabilitiesInLowerCase() throws Exception {
    var set = new CapabilitySet("Signals", "closed.World");
    var larger = new CapabilitySet("signals", "closed.world", "termination");

    assertThat(set.hasCapability("SIGNALS")).isTrue();
    assertThat(set.matchCapabilities(larger)).isTrue();
    assertThat(larger.matchCapabilities(set)).isFalse();
    assertThat(larger.unmatchedCapabilities(set)).isEqualTo(new CapabilitySet("termination"));
    assertThat(larger.getCapabilitiesWithPrefix("CLOSED").getCapabilities())
        .containsExactly("closed.world");
    assertThat(new CapabilitySet(set)).isEqualTo(set).hasSameHashCodeAs(set);
    assertThat(new CapabilitySet(set.toBytes())).isEqualTo(set);
    var type = new PortType(PortType.RECEIVE_POLL, PortType.SERIALIZATION_DATA);
    assertThat(new PortType(new DataInputStream(new ByteArrayInputStream(type.toBytes()))))
        .isEqualTo(type);
  }

  @Test
  void readCapabilitiesFromProperties() throws Exception {
    var text = "signals=on\nclosed.world=no\ntermination\nmalleable=TRUE\n";

    assertThat(
            IbisCapabilities.load(new ByteArrayInputStream(text.getBytes("ISO-8859-1")))
                .getCapabilities())
        .containsExactly("malleable", "signals", "termination");
    assertThatThrownBy(() -> CapabilitySet.load("no/such/resource"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void tellWhatFailedInConnecting() {
    var failures = new ConnectionsFailedException("some failed");
    failures.add(new ConnectionRefusedException("refused", null, "in"));
    failures.add(new ConnectionTimedOutException("too late", null, "out", new IOException()));

    assertThat(failures.getFailures()).hasSize(2);
    assertThat(failures.getObtainedConnections()).isEmpty();
    assertThat(failures.toString()).contains("some failed", "refused", "too late");
    assertThat(failures.getFailures()[0].receivePortName()).isEqualTo("in");
    assertThat(failures.getFailures()[0].receivePortIdentifier()).isNull();
  }

  @Test
  void programsMakeLocationsOfTheirOwn() throws Exception {
    var location = new ibis.ipl.impl.Location("node3@das@vu@nl");
    assertThat(location.getLevels()).containsExactly("node3", "das", "vu", "nl");
    assertThat(location.getParent().equals(new ibis.ipl.impl.Location("das@vu@nl"))).isTrue();
    assertThat(new ibis.ipl.impl.Location("das@vu@nl").equals(location.getParent())).isTrue();
    assertThat(new ibis.ipl.impl.Location(location.toBytes()).equals(location)).isTrue();
    assertThat(location.numberOfMatchingLevels(new ibis.ipl.impl.Location("x@vu@nl"))).isEqualTo(2);
  }
}
