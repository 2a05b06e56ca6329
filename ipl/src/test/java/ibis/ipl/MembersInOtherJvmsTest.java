package ibis.ipl;

import static ibis.ipl.TestPool.ALL;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.server.Server;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.links.Secret;
import org.troupe.testing.LogRecords;
import org.troupe.testing.PlainFiles;

/** Members and servers in JVMs of their own, some of which are killed. */
@Timeout(120)
class MembersInOtherJvmsTest {

  private static final String LINKS = "troupe.links";

  @TempDir private Path folder;
  private TestPool pool;
  private final List<ForkedJvm> jvms = new ArrayList<>();

  /** Members log the end of their server, some of them when a test has ended. */
  @BeforeEach
  void allowNewsOfTheServer(LogRecords records) {
    records.allow(WARNING, "the server", "trying to reconnect");
  }

  @AfterEach
  void end() throws IOException {
    System.clearProperty(LINKS);
    jvms.forEach(ForkedJvm::close);
    if (pool != null) {
      pool.close();
    }
  }

  private ForkedJvm member(String... arguments) throws Exception {
    Path secret = folder.resolve("secret");
    if (!Files.exists(secret)) {
      Secret.parse(pool.properties().getProperty(IbisProperties.SECRET)).write(secret);
    }
    var options = new ArrayList<String>();
    for (String name : pool.properties().stringPropertyNames()) {
      if (!name.equals(IbisProperties.SECRET)) {
        options.add("-D" + name + "=" + pool.properties().getProperty(name));
      }
    }
    options.add("-D" + IbisProperties.SECRET_FILE + "=" + secret);
    return start(MemberProgram.class, options, arguments);
  }

  private ForkedJvm start(Class<?> main, List<String> options, String... arguments)
      throws IOException {
    ForkedJvm jvm = ForkedJvm.start(folder, main, options, arguments);
    jvms.add(jvm);
    return jvm;
  }

  /** Checks 18 and 21. */
  @Test
  void hearAtOnceThatAMemberWasKilled() throws Exception {
    pool = new TestPool();
    var events = new RecordedEvents();
    Ibis here = pool.join(ALL, events);
    here.registry().enableEvents();
    ForkedJvm victim = member();
    victim.await("joined Ibis 1");
    ForkedJvm witness = member();
    witness.await("joined Ibis 2");
    victim.say("elect leader");
    victim.await("done");
    IbisIdentifier dead = here.registry().getElectionResult("leader");
    assertThat(dead.name()).isEqualTo("Ibis 1");

    victim.kill();

    // The default heartbeat is 120 s: it is the broken connection that tells.
    events.await("died Ibis 1");
    events.await("elected leader nobody");
    witness.say("await died Ibis 1");
    witness.await("done await");
    here.registry().signal("to the dead", dead);
    assertThat(here.registry().elect("leader")).isEqualTo(here.identifier());
    assertThat(witness.endInput()).isZero();
    events.await("left Ibis 2");
  }

  /** Check 21: a JVM that is there and does nothing. */
  @Test
  void hearThatAMemberIsFrozen() throws Exception {
    pool = new TestPool(null, "ibis.registry.central.server.connect.timeout", "1");
    pool.with("ibis.registry.central.heartbeat.interval", "1");
    var events = new RecordedEvents();
    Ibis here = pool.join(ALL, events);
    here.registry().enableEvents();
    ForkedJvm frozen = member();
    frozen.await("joined Ibis 1");

    frozen.freeze();

    events.await("died Ibis 1");
  }

  /** Check 28, as far as the registry goes. */
  @Test
  void canBeFoundByAnIdentifierFromAFile() throws Exception {
    pool = new TestPool();
    Ibis here = pool.join(ALL);
    ForkedJvm other = member();
    other.await("joined Ibis 1");
    other.say("keep identifier");
    other.await("done keep");

    IbisIdentifier read;
    try (var in = new ObjectInputStream(Files.newInputStream(folder.resolve("identifier")))) {
      read = (IbisIdentifier) in.readObject();
    }

    assertThat(here.registry().joinedIbises()).containsExactly(here.identifier(), read);
    here.registry().signal("found", read);
    other.say("await signal found of Ibis 0");
    other.await("done await");
  }

  /** Check 28. */
  @Test
  void canBeConnectedToByAnIdentifierFromAFile() throws Exception {
    pool = new TestPool();
    Ibis here = pool.join(ALL, MemberProgram.TYPE);
    ForkedJvm other = member();
    SendPort out = here.createSendPort(MemberProgram.TYPE);

    out.connect(offeredBy(other));

    send(out, 28);
    other.say("receive");
    assertThat(other.await("got ")).isEqualTo("28");
    out.close();
  }

  /** Check 21; how long it takes is printed with -Dibis.test.times=true. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void cutTheConnectionsWithAMemberThatWasKilled(String driver) throws Exception {
    System.setProperty(LINKS, driver);
    pool = new TestPool();
    pool.with(LINKS, driver);
    var events = new RecordedEvents();
    Ibis here = pool.join(ALL, events, MemberProgram.TYPE);
    here.registry().enableEvents();
    ForkedJvm victim = member();
    var lost = new CompletableFuture<ReceivePortIdentifier>();
    SendPort out =
        here.createSendPort(MemberProgram.TYPE, "out", (_, port, _) -> lost.complete(port), null);
    ReceivePortIdentifier in = offeredBy(victim);
    out.connect(in);

    long killed = System.nanoTime();
    victim.kill();

    assertThat(lost.get(40, TimeUnit.SECONDS)).isEqualTo(in);
    assertThat(out.connectedTo()).isEmpty();
    long cut = System.nanoTime();
    events.await("died Ibis 1");
    if (Boolean.getBoolean("ibis.test.times")) {
      System.out.printf(
          "killed member over %s: connection cut after %d ms, handler called after %d ms%n",
          driver,
          TimeUnit.NANOSECONDS.toMillis(cut - killed),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed));
    }
  }

  /** Check 26: ports do not need the server. */
  @Test
  void goOnTalkingWhenTheServerHasEnded(LogRecords records) throws Exception {
    pool = new TestPool();
    Ibis here = pool.join(ALL, MemberProgram.TYPE);
    ForkedJvm other = member();
    SendPort out = here.createSendPort(MemberProgram.TYPE);
    out.connect(offeredBy(other));

    pool.server().end(-1);
    here.registry().waitUntilTerminated();

    send(out, 26);
    other.say("receive");
    assertThat(other.await("got ")).isEqualTo("26");
    out.close();
    records.expect(WARNING, "the server has ended", "ports keep working");
  }

  private ReceivePortIdentifier offeredBy(ForkedJvm other) throws Exception {
    other.say("offer port");
    other.await("done offer");
    try (var in = new ObjectInputStream(Files.newInputStream(folder.resolve("port")))) {
      return (ReceivePortIdentifier) in.readObject();
    }
  }

  private static void send(SendPort out, int number) throws IOException {
    WriteMessage message = out.newMessage();
    message.writeInt(number);
    message.finish();
  }

  /** Check 26, with a server that has no time to say a word. */
  @Test
  void hearThatTheServerWasKilled(LogRecords records) throws Exception {
    Path secret = folder.resolve("secret");
    Secret.random().write(secret);
    ForkedJvm server = startServer(secret, "0");
    pool = new TestPool();
    pool.with(IbisProperties.SERVER_ADDRESS, server.await(""))
        .with(IbisProperties.SECRET, Secret.read(secret).reveal());
    Ibis member = pool.join(ALL);
    assertThat(member.registry().getSequenceNumber("x")).isZero();

    server.kill();

    assertThat(member.registry().waitUntilTerminated()).isNull();
    assertThatThrownBy(() -> member.registry().getSequenceNumber("x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is lost");
    records.expect(WARNING, "the server at", "is lost", "trying to reconnect");
  }

  @Test
  void findAKilledServerAgainThatIsRestarted(LogRecords records) throws Exception {
    Path secret = folder.resolve("secret");
    Secret.random().write(secret);
    ForkedJvm server = startServer(secret, "0");
    String address = server.await("");
    pool = new TestPool();
    pool.with(IbisProperties.SERVER_ADDRESS, address)
        .with(IbisProperties.SECRET, Secret.read(secret).reveal());
    var events = new RecordedEvents();
    Ibis here = pool.join(ALL, events);
    here.registry().enableEvents();
    ForkedJvm other = member();
    other.await("joined Ibis 1");
    other.say("elect leader");
    other.await("done elect leader");
    events.await("elected leader Ibis 1");

    server.kill();
    events.await("server lost");
    ForkedJvm restarted = startServer(secret, address.substring(address.lastIndexOf(':') + 1));
    assertThat(restarted.await("")).isEqualTo(address);

    events.await("server found");
    other.say("await server found");
    other.await("done await server found");
    assertThat(here.registry().elect("leader").name()).isEqualTo("Ibis 1");
    assertThat(other.endInput()).isZero();
    events.await("left Ibis 1");
    records.expect(WARNING, "the server at", "is lost", "trying to reconnect");
    records.expect(WARNING, "the server at", "is there again");
  }

  private ForkedJvm startServer(Path secret, String port) throws IOException {
    return start(
        Server.class,
        List.of(),
        "--port",
        port,
        "--address",
        "127.0.0.1",
        "--secret-file",
        secret.toString());
  }

  /** Without a centre, the members themselves find out. */
  @Test
  void agreeByGossipThatAMemberWasKilled() throws Exception {
    pool = GossipTest.pool();
    var events = new RecordedEvents();
    Ibis here = pool.join(GossipTest.CAPABILITIES, events);
    pool.join(GossipTest.CAPABILITIES);
    here.registry().enableEvents();
    ForkedJvm victim = member("gossip");
    String name = victim.await("joined ");
    events.await("joined " + name);

    victim.kill();

    events.await("died " + name);
  }

  @Test
  void shareTheSecretOfTheirUserWithAServerThatWasGivenNone() throws Exception {
    shareTheSecretOfTheirUser();

    assertThat(Files.getPosixFilePermissions(folder.resolve(".troupe/ibis.secret")))
        .extracting(Enum::name)
        .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE");
  }

  @Test
  void shareTheSecretOfTheirUserWhereFilesHaveNoPermissionsOfPosix() throws Exception {
    shareTheSecretOfTheirUser(PlainFiles.JVM_OPTION);
  }

  private void shareTheSecretOfTheirUser(String... jvmOptions) throws Exception {
    List<String> options = new ArrayList<>(List.of(jvmOptions));
    options.add("-Duser.home=" + folder);
    ForkedJvm server = start(Server.class, options, "--port", "0", "--remote");
    String address = server.await("");
    assertThat(address).startsWith("127.0.0.1:");

    options.addAll(List.of("-Dibis.server.address=" + address, "-Dibis.pool.name=quick"));
    ForkedJvm member = start(MemberProgram.class, options);
    member.await("joined Ibis 0");
    server.say("pools");
    server.await("quick");
    assertThat(member.endInput()).isZero();
    assertThat(server.endInput()).isZero();
  }
}
