package ibis.ipl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.server.Server;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.links.Secret;

/** How instances are made. */
@Timeout(60)
class FactoryTest {

  private static final PortType TYPE =
      new PortType(
          PortType.CONNECTION_ONE_TO_ONE, PortType.SERIALIZATION_BYTE, PortType.RECEIVE_EXPLICIT);

  private static final IbisCapabilities NONE = new IbisCapabilities();

  private final Properties alone = new Properties();
  private final List<Ibis> made = new ArrayList<>();

  FactoryTest() {
    alone.setProperty(IbisProperties.SECRET, Secret.random().reveal());
    alone.setProperty(Server.LISTEN_ADDRESS, "127.0.0.1");
    alone.setProperty(IbisProperties.REGISTRY_IMPLEMENTATION, "null");
  }

  @AfterEach
  void end() throws IOException {
    for (Ibis ibis : made) {
      ibis.end();
    }
  }

  private Ibis keep(Ibis ibis) {
    made.add(ibis);
    return ibis;
  }

  /** Check 25. */
  @Test
  void makesInstancesInEachOfItsWays() throws Exception {
    byte[] bytes = {1, 2};
    Ibis plain = keep(IbisFactory.createIbis(NONE, alone, true, null, TYPE));
    Ibis withoutDefaults = keep(IbisFactory.createIbis(NONE, alone, false, null, TYPE));
    Ibis withCredentials =
        keep(IbisFactory.createIbis(NONE, alone, true, null, (Credentials) null, TYPE));
    Ibis withText = keep(IbisFactory.createIbis(NONE, alone, true, null, null, "täg", TYPE));
    Ibis withBytes = keep(IbisFactory.createIbis(NONE, alone, true, null, null, bytes, TYPE));

    assertThat(plain.identifier().tag()).isNull();
    assertThat(plain.identifier().tagAsString()).isNull();
    assertThat(withoutDefaults.properties()).doesNotContainKey("java.home");
    assertThat(plain.properties()).containsKey("java.home");
    assertThat(withCredentials.identifier().tag()).isNull();
    assertThat(withText.identifier().tag()).isEqualTo("täg".getBytes(UTF_8));
    assertThat(withText.identifier().tagAsString()).isEqualTo("täg");
    assertThat(withBytes.identifier().tag()).isEqualTo(bytes);
  }

  /** Check 25. */
  @Test
  void keepsAnEmptyTagEmpty() throws Exception {
    Ibis empty = keep(IbisFactory.createIbis(NONE, alone, true, null, null, ""));

    assertThat(empty.identifier().tag()).isEmpty();
    assertThat(empty.identifier().tagAsString()).isEmpty();
  }

  @Test
  void refusesWhatMakesNoSense() {
    PortType none = new PortType(PortType.SERIALIZATION_BYTE);
    PortType two =
        new PortType(
            PortType.CONNECTION_ONE_TO_ONE,
            PortType.CONNECTION_ONE_TO_MANY,
            PortType.SERIALIZATION_BYTE);
    PortType mute = new PortType(PortType.CONNECTION_ONE_TO_ONE);

    assertRefused("no capabilities", null, null);
    assertRefused("no port types", NONE, null, (PortType[]) null);
    assertRefused("says nothing about how many", NONE, null, none);
    assertRefused("onetomany and connection.onetoone", NONE, null, two);
    assertRefused("says nothing about what messages hold", NONE, null, mute);
    assertRefused("without a membership capability", NONE, new RecordedEvents());
  }

  private void assertRefused(
      String why, IbisCapabilities capabilities, RegistryEventHandler handler, PortType... types) {
    assertThatThrownBy(() -> IbisFactory.createIbis(capabilities, alone, true, handler, types))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining(why);
  }

  @Test
  void refusesAClosedWorldWithoutSizeAndAPoolWithoutName() {
    Properties properties = new Properties();
    properties.setProperty(IbisProperties.SERVER_ADDRESS, "127.0.0.1");
    assertThatThrownBy(() -> IbisFactory.createIbis(NONE, properties, true, null))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("ibis.pool.name");

    properties.setProperty(IbisProperties.POOL_NAME, "pool");
    properties.setProperty(IbisProperties.POOL_SIZE, "many");
    assertThatThrownBy(() -> IbisFactory.createIbis(TestPool.CLOSED, properties, true, null))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("'many'");
  }

  @Test
  void takesTheNamesThatOldScriptsUse() throws Exception {
    for (String name : List.of("tcp", "nio", "smartsockets", "troupe")) {
      alone.setProperty(IbisProperties.IMPLEMENTATION, name);
      assertThat(keep(IbisFactory.createIbis(NONE, alone, true, null)).getVersion())
          .startsWith("troupe");
    }
  }

  @Test
  void saysWhichImplementationsThereAre() {
    alone.setProperty(IbisProperties.IMPLEMENTATION, "mpi");

    assertThatThrownBy(() -> IbisFactory.createIbis(NONE, alone, true, null))
        .isInstanceOf(IbisCreationFailedException.class)
        .hasMessageContainingAll("'mpi'", "troupe");
  }

  @Test
  void saysWhatNoImplementationHas() {
    var unknown = new IbisCapabilities("teleportation");
    var unreliable =
        new PortType(
            PortType.CONNECTION_ONE_TO_ONE,
            PortType.SERIALIZATION_BYTE,
            PortType.COMMUNICATION_UNRELIABLE);

    assertThatThrownBy(() -> IbisFactory.createIbis(unknown, alone, true, null, unreliable))
        .isInstanceOf(IbisCreationFailedException.class)
        .hasMessageContainingAll("teleportation", "communication.unreliable");
    alone.setProperty(IbisProperties.IMPLEMENTATION, "troupe");
    assertThatThrownBy(() -> IbisFactory.createIbis(unknown, alone, true, null, unreliable))
        .isInstanceOf(IbisCreationFailedException.class)
        .hasMessageContainingAll("teleportation", "communication.unreliable");
  }

  @Test
  void refusesToStandOnAnotherImplementation() {
    alone.setProperty(IbisProperties.IMPLEMENTATION, "troupe,mpi");

    assertThatThrownBy(() -> IbisFactory.createIbis(NONE, alone, true, null))
        .isInstanceOf(IbisCreationFailedException.class)
        .hasMessageContaining("'mpi'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "troupe",
        "tcp",
        "ibis.ipl.impl.tcp.TcpIbisStarter",
        "ibis.ipl.impl.smartsockets.SmartSocketsIbis",
        "ibis.ipl.internal.TroupeStarter",
        "smartsockets,tcp",
        "nio;"
      })
  void takesNamesClassesAndStacksOfTheOriginal(String implementation) throws Exception {
    alone.setProperty(IbisProperties.IMPLEMENTATION, implementation);

    Ibis ibis = IbisFactory.createIbis(NONE, alone, true, null);
    assertThat(ibis.getVersion()).contains("troupe");
    ibis.end();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NULL", "ibis.ipl.registry.NullRegistry"})
  void takesTheOriginalsRegistryClasses(String registry) throws Exception {
    alone.setProperty(IbisProperties.REGISTRY_IMPLEMENTATION, registry);

    Ibis ibis = IbisFactory.createIbis(NONE, alone, true, null);
    assertThat(ibis.getVersion()).contains("troupe");
    ibis.end();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ibis.ipl.registry.central.client.Registry",
        "ibis.ipl.registry.gossip.Registry",
        "Gossip"
      })
  void takesClassesOfRegistriesThatNeedAServer(String registry) {
    alone.setProperty(IbisProperties.POOL_NAME, "p");
    alone.setProperty(IbisProperties.REGISTRY_IMPLEMENTATION, registry);

    assertThatThrownBy(() -> IbisFactory.createIbis(NONE, alone, true, null))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining(IbisProperties.SERVER_ADDRESS);
  }

  @Test
  void staysOnLoopbackWithoutASecret() {
    alone.remove(IbisProperties.SECRET);
    alone.setProperty(Server.LISTEN_ADDRESS, "192.0.2.1");

    assertThatThrownBy(() -> IbisFactory.createIbis(NONE, alone, true, null))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContainingAll("loopback", IbisProperties.SECRET_FILE);
  }

  @Test
  void saysWhichSecretIsMissing(@TempDir Path folder) {
    alone.remove(IbisProperties.SECRET);
    alone.setProperty(IbisProperties.SECRET_FILE, folder.resolve("none").toString());

    assertThatThrownBy(() -> IbisFactory.createIbis(NONE, alone, true, null))
        .isInstanceOf(IbisCreationFailedException.class)
        .hasMessageContainingAll(folder.resolve("none").toString(), "--new-secret");
  }

  @Test
  void doesNotTakePortTypesThatWereNotAnnounced() throws Exception {
    Ibis ibis = keep(IbisFactory.createIbis(NONE, alone, true, null));

    assertThatThrownBy(() -> ibis.createSendPort(TYPE))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("not announced");
    assertThatThrownBy(() -> ibis.createReceivePort(TYPE, "in"))
        .isInstanceOf(IbisConfigurationException.class);
  }

  @Test
  void makesNoPortsAfterTheEnd() throws Exception {
    Ibis ibis = keep(IbisFactory.createIbis(NONE, alone, true, null, TYPE));
    ibis.end();

    assertThatThrownBy(() -> ibis.createSendPort(TYPE)).isInstanceOf(IOException.class);
  }

  /** Check 24, the instance's half. */
  @Test
  void countsForReadingOnlyAndAfterTheEndToo() throws Exception {
    Ibis ibis = keep(IbisFactory.createIbis(NONE, alone, true, null));

    assertThat(ibis.managementProperties())
        .containsOnlyKeys(
            "outgoingMessageCount",
            "incomingMessageCount",
            "bytesWritten",
            "bytesSent",
            "bytesReceived",
            "bytesRead");
    assertThat(ibis.getManagementProperty("bytesSent")).isEqualTo("0");
    assertThatThrownBy(() -> ibis.getManagementProperty("luck"))
        .isInstanceOf(NoSuchPropertyException.class)
        .hasMessageContaining("luck");
    assertThatThrownBy(() -> ibis.setManagementProperty("bytesSent", "1"))
        .isInstanceOf(NoSuchPropertyException.class);
    assertThatThrownBy(() -> ibis.setManagementProperties(Map.of("bytesSent", "1")))
        .isInstanceOf(NoSuchPropertyException.class);

    ibis.end();
    var text = new ByteArrayOutputStream();
    ibis.printManagementProperties(new PrintStream(text, true, UTF_8));
    assertThat(text.toString(UTF_8)).contains("bytesRead 0");
  }

  @Test
  void tellsWhatTheReleaseIsMadeOf() {
    assertThat(IbisFactory.getManifestProperty("support.version")).isEqualTo("2.3");
    assertThat(IbisFactory.getManifestProperty("moon")).isNull();
  }

  /** The null registry. */
  @Test
  void makesInstancesWithoutARegistry() throws Exception {
    Registry registry = keep(IbisFactory.createIbis(TestPool.ALL, alone, true, null)).registry();

    assertThatThrownBy(() -> registry.elect("x")).isInstanceOf(IbisConfigurationException.class);
    assertThatThrownBy(registry::joinedIbises).isInstanceOf(IbisConfigurationException.class);
    assertThatThrownBy(() -> registry.signal("x")).isInstanceOf(IbisConfigurationException.class);
    assertThatThrownBy(() -> registry.getSequenceNumber("x"))
        .isInstanceOf(IbisConfigurationException.class);
  }

  @Test
  void takesARegistryByTheNameOfItsClass() throws Exception {
    alone.setProperty(IbisProperties.REGISTRY_IMPLEMENTATION, OwnRegistry.class.getName());
    Ibis ibis = keep(IbisFactory.createIbis(NONE, alone, true, null, null, "tag"));

    assertThat(ibis.identifier().name()).isEqualTo("own");
    assertThat(ibis.identifier().tagAsString()).isEqualTo("tag");
    assertThat(ibis.registry()).isInstanceOf(OwnRegistry.class);
  }

  @Test
  void saysWhatIsNoRegistry() {
    alone.setProperty(IbisProperties.REGISTRY_IMPLEMENTATION, "java.lang.String");

    assertThatThrownBy(() -> IbisFactory.createIbis(NONE, alone, true, null))
        .isInstanceOf(IbisCreationFailedException.class)
        .hasMessageContainingAll("'java.lang.String'", "central, gossip, null");
  }

  /** Check 25. */
  @Test
  void weighsWhereAPropertyComesFrom(@TempDir Path folder) throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    write(classes.resolve("ibis.properties"), "test.a=class path", 5);
    write(folder.resolve("ibis.properties"), "test.a=working directory", 4);
    write(folder.resolve("named"), "test.a=named file", 3);
    String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
    try (ForkedJvm jvm =
        ForkedJvm.start(
            folder,
            classPath,
            PropertiesProgram.class,
            List.of("-Dibis.properties.file=named", "-Dtest.d=JVM", "-Dtest.e=JVM"))) {
      assertThat(jvm.await("a=")).isEqualTo("class path");
      assertThat(jvm.await("b=")).isEqualTo("working directory");
      assertThat(jvm.await("c=")).isEqualTo("named file");
      assertThat(jvm.await("d=")).isEqualTo("JVM");
      assertThat(jvm.await("e=")).isEqualTo("argument");
      assertThat(jvm.await("ibis.registry.implementation=")).isEqualTo("central");
    }
  }

  /** Gives all keys up to a number the value of the first. */
  private static void write(Path file, String first, int keys) throws IOException {
    String value = first.substring(first.indexOf('=') + 1);
    var text = new StringBuilder();
    for (char key = (char) ('a' + 5 - keys); key <= 'e'; key++) {
      text.append("test.").append(key).append('=').append(value).append('\n');
    }
    Files.writeString(file, text);
  }
}
