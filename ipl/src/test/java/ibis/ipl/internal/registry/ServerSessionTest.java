package ibis.ipl.internal.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ibis.ipl.internal.base.FramedLink;
import ibis.ipl.internal.base.WorkerThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.Link;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;

/** Two sessions that talk to each other over links that break. */
@Timeout(60)
class ServerSessionTest {

  private final Port port;
  private final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> got = new LinkedBlockingQueue<>();
  private final ServerSession here = new ServerSession(WorkerThreads.POOL, _ -> {});
  private final ServerSession there =
      new ServerSession(WorkerThreads.POOL, message -> got.add(new String(message, UTF_8)));

  ServerSessionTest() throws IOException {
    port = Port.open(Secret.random());
    port.serve("session", accepted::add);
  }

  @AfterEach
  void end() {
    port.close();
  }

  /** Connects both over a new link; returns the end that is here. */
  private FramedLink connect() throws Exception {
    long thereHas = there.suspend();
    long hereHas = here.suspend();
    var one = new FramedLink(port.connect(port.address(), "session", Duration.ofSeconds(10)));
    var other = new FramedLink(accepted.poll(30, SECONDS));
    assertThat(there.attach(other, hereHas)).isTrue();
    assertThat(here.attach(one, thereHas)).isTrue();
    read(here, one);
    read(there, other);
    return one;
  }

  private static void read(ServerSession session, FramedLink link) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                session.read(link);
              } catch (IOException _) {
                // as each of them ends
              }
            });
  }

  @Test
  void losesAndDoublesNothingWhenLinksBreak() throws Exception {
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      FramedLink link = connect();
      for (int i = 0; i < 500; i++) {
        String message = round + "." + i;
        expected.add(message);
        assertThat(here.send(message.getBytes(UTF_8))).isTrue();
      }
      assertThat(got.poll(30, SECONDS)).isNotNull();
      expected.removeFirst();
      link.close();
    }
    connect();

    List<String> all = new ArrayList<>();
    while (all.size() < expected.size()) {
      String message = got.poll(30, SECONDS);
      assertThat(message).as("the message after %s", all.size()).isNotNull();
      all.add(message);
    }
    assertThat(all).hasSameElementsAs(expected).doesNotHaveDuplicates();
    assertThat(all).isEqualTo(expected);
  }

  @Test
  void keepsWhatIsSentWithoutALink() throws Exception {
    here.send("before".getBytes(UTF_8));
    connect();

    assertThat(got.poll(30, SECONDS)).isEqualTo("before");
  }

  @Test
  void saysWhenThePeerDoesNotKeepUp() {
    byte[] large = new byte[1 << 20];

    List<Boolean> keepsUp = IntStream.range(0, 65).mapToObj(_ -> here.send(large)).toList();

    assertThat(keepsUp.subList(0, 64)).containsOnly(true);
    assertThat(keepsUp.get(64)).isFalse();
  }

  @Test
  void sendsWhatIsQueuedBeforeItFinishes() throws Exception {
    connect();
    for (int i = 0; i < 1000; i++) {
      here.send(Integer.toString(i).getBytes(UTF_8));
    }

    here.finish().get(30, SECONDS);

    for (int i = 0; i < 1000; i++) {
      assertThat(got.poll(30, SECONDS)).isEqualTo(Integer.toString(i));
    }
  }

  @Test
  void refusesAPeerThatHasMoreThanWasSent() throws Exception {
    var link = new FramedLink(port.connect(port.address(), "session", Duration.ofSeconds(10)));

    assertThat(here.attach(link, 1)).isFalse();
  }
}
