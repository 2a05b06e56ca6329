package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.deployment.journal.RunJournal;

/**
 * Programs whose control socket sends nothing: stopped ones, for which the system accepts
 * connections, and those that have nothing to say for some time.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class SilentProgramTest {

  private static final String TEMPORARY = "java.io.tmpdir";
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(10); // for a program that must be in time
  private static final int MORE_THAN_A_QUEUE = 200;

  @TempDir private Path folder;
  private final String temporary = System.getProperty(TEMPORARY);
  private final List<AutoCloseable> open = new ArrayList<>();
  private Path socket;
  private ServerSocketChannel program;

  @BeforeEach
  void listen() throws IOException {
    socket = folder.resolve("4711-2.sock");
    program = listener(socket);
  }

  @AfterEach
  void close() throws Exception {
    System.setProperty(TEMPORARY, temporary);
    for (var each : open) {
      each.close();
    }
  }

  private ServerSocketChannel listener(Path file) throws IOException {
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    open.add(server);
    return server.bind(UnixDomainSocketAddress.of(file));
  }

  private void fillQueue(Path file) throws IOException {
    for (var i = 0; i < MORE_THAN_A_QUEUE; i++) {
      var client = SocketChannel.open(StandardProtocolFamily.UNIX);
      open.add(client);
      client.configureBlocking(false);
      try {
        client.connect(UnixDomainSocketAddress.of(file));
      } catch (IOException e) {
        return;
      }
    }
    throw new AssertionError("the system accepts more connections than that");
  }

  /** What a program does at its socket, on a thread of its own. */
  private interface Service {
    void serve() throws IOException;
  }

  private static CompletableFuture<Void> serving(Service service) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            service.serve();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> Thread.ofPlatform().daemon().start(task));
  }

  private SocketChannel accepted(String request) throws IOException {
    var client = program.accept();
    open.add(client);
    var reader = Channels.newReader(client, StandardCharsets.UTF_8);
    for (var i = 0; i < request.length(); i++) {
      assertThat((char) reader.read()).isEqualTo(request.charAt(i));
    }
    return client;
  }

  private static void say(SocketChannel client, String text) throws IOException {
    client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void isGivenUpWithTheRemedy() {
    var grid = new RunningGrid(socket, SHORT);

    for (var request :
        List.<Service>of(
            grid::status,
            () -> grid.stack(""),
            () -> grid.logs("", true, _ -> {}),
            () -> grid.watch(Duration.ofSeconds(1), "", "", _ -> true),
            grid::cancel)) {
      assertThatThrownBy(request::serve)
          .isInstanceOf(SilentProgramException.class)
          .hasMessageStartingWith("the program of deployment 4711-2 does not answer: it is stopped")
          .hasMessageContaining("'kill -CONT 4711' continues a stopped program")
          .hasMessageContaining("'kill -KILL 4711' ends it");
    }
  }

  @Test
  void isGivenUpWhenItsQueueIsFull() throws IOException {
    fillQueue(socket);

    assertThatThrownBy(() -> new RunningGrid(socket, SHORT).status())
        .isInstanceOf(SilentProgramException.class);
  }

  @Test
  void isWaitedForAsLongAsItLives() throws Exception {
    var service =
        serving(
            () -> {
              var follower = accepted("follow\t\n");
              say(follower, "ok\n");
              try (var question = accepted("identity\t\n")) {
                say(question, "ok\n{}");
              }
              say(follower, "after a pause\n");
              follower.close();
            });
    List<String> lines = new ArrayList<>();

    new RunningGrid(socket, LONG).logs("", true, lines::add);

    service.get(30, TimeUnit.SECONDS);
    assertThat(lines).containsExactly("after a pause");
  }

  @Test
  void isHeardToTheLastLineWhenItDoesNotListenAnyMore() throws Exception {
    var service =
        serving(
            () -> {
              var follower = accepted("follow\t\n");
              say(follower, "ok\n");
              accepted("identity\t\n").close();
              program.close();
              Files.delete(socket);
              say(follower, "the last line\n");
              follower.close();
            });
    List<String> lines = new ArrayList<>();

    new RunningGrid(socket, LONG).logs("", true, lines::add);

    service.get(30, TimeUnit.SECONDS);
    assertThat(lines).containsExactly("the last line");
  }

  @Test
  void isAskedAgainAfterEachPauseOfAnAnswer() throws IOException {
    var client = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    client.configureBlocking(false);
    var server = program.accept();
    open.add(server);
    var questions = new AtomicInteger();

    try (var answer =
        new AnswerStream(
            client,
            SHORT,
            () -> {
              switch (questions.incrementAndGet()) {
                case 3 -> say(server, "x");
                case 5 -> throw new IOException("given up");
                default -> {}
              }
            })) {
      assertThat(answer.read()).isEqualTo('x');
      assertThat(questions).hasValue(3);
      assertThatThrownBy(answer::read).hasMessage("given up");
    }

    assertThat(client.isOpen()).isFalse();
    assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(-1); // also for the system
  }

  @Test
  void hasEndedIfItsSocketIsGone() throws Exception {
    var service =
        serving(
            () -> {
              accepted("status\t\n");
              program.close();
              Files.delete(socket);
            });

    assertThatThrownBy(() -> new RunningGrid(socket, LONG).status())
        .isNotInstanceOf(SilentProgramException.class)
        .hasMessage("the deployment 4711-2 has ended");
    service.get(30, TimeUnit.SECONDS);
  }

  @Test
  void anInterruptEndsTheWait() {
    var grid = new RunningGrid(socket, Duration.ofMinutes(10));

    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(grid::status).isInstanceOf(InterruptedIOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void cancellingDoesNotWaitForItsEnd() throws Exception {
    var service =
        serving(
            () ->
                say(accepted("cancel\t\n"), "ok\n{\"done\":\"yes\",\"silent\":[]}\n")); // and stays

    new RunningGrid(socket, Duration.ofMinutes(10)).act(new RunAction.Cancel());

    service.get(30, TimeUnit.SECONDS);
  }

  @Test
  void isNamedAmongTheRecordedRuns() throws IOException {
    System.setProperty(TEMPORARY, folder.toString());
    var sockets =
        Files.createDirectory(
            folder.resolve("troupe-control-" + System.getProperty("user.name")),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    var pid = ProcessHandle.current().pid();
    var stopped = sockets.resolve(pid + "-9999.sock");
    listener(stopped);
    fillQueue(stopped); // so half the time is enough to give it up
    var records = Files.createDirectory(folder.resolve("records"));
    RunJournal.create(records).begin(List.of(), "");

    var seen = RecordedRun.all(records).getFirst().look();

    assertThat(seen.state()).isEqualTo("running");
    assertThat(seen.things())
        .singleElement()
        .satisfies(
            thing -> {
              assertThat(thing.name()).isEqualTo("" + pid);
              assertThat(thing.isLeft()).isTrue();
              assertThat(thing.state()).contains("does not answer", "'kill -CONT " + pid + "'");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "local-1, local-2\n",
        "{}\n",
        "{\"silent\":[\"a1\"]}\n",
        "{\"done\":\"\",\"silent\":[]}\n",
        "null\n"
      })
  void anActionWithoutAResultIsNoSuccess(String rest) throws Exception {
    var answered = answering("observe\ttimes\t0\n", "ok\n" + rest);

    assertThatThrownBy(() -> new RunningGrid(socket, LONG).act(new RunAction.Observe("times", 0)))
        .isInstanceOf(MissingResultException.class)
        .hasMessageStartingWith(
            "the program of deployment 4711-2 has answered 'observe' without a result, so it is not known what it has done");
    answered.get(10, TimeUnit.SECONDS);
  }

  /** An action of each kind. */
  private static Stream<RunAction> actions() {
    return Stream.of(
        new RunAction.Cancel(),
        new RunAction.Observe("times", 0),
        new RunAction.Release("a"),
        new RunAction.Press("p", "b"),
        new RunAction.Request("", 1),
        new RunAction.CollectGarbage("a"),
        new RunAction.SetLogLevel("", "", "DEBUG", 1),
        new RunAction.DumpHeap("a"));
  }

  @ParameterizedTest
  @MethodSource("actions")
  void whatAnActionWithoutAResultHasDoneIsNotKnown(RunAction action) throws Exception {
    var words = action.words();
    var rest = String.join("\t", words.subList(1, words.size()));
    var answered = answering(words.getFirst() + "\t" + rest + "\n", "?\n");

    assertThatThrownBy(() -> new RunningGrid(socket, LONG).act(action))
        .isInstanceOf(MissingResultException.class)
        .hasMessageContaining("it is not known what it has done");
    answered.get(10, TimeUnit.SECONDS);
  }

  private CompletableFuture<Void> answering(String request, String answer) {
    return serving(
        () -> {
          try (var client = accepted(request)) {
            say(client, answer);
          }
        });
  }

  /** Requests whose answers are not empty. */
  private enum Asked {
    STATUS("status\t\n", RunningGrid::status),
    IDENTITY("identity\t\n", RunningGrid::identity),
    SETTINGS("settings\t\n", RunningGrid::settings),
    FUTURES("futures\t\n", its -> its.futures("")),
    PAIR("pair\ta\tb\n", its -> its.pair("a", "b")),
    OBJECT("object\ta\t1\n", its -> its.object("a", 1)),
    OBJECTS("objects\t\t\t5\n", its -> its.objects("", "", 5)),
    STACK("stack\t\n", its -> its.stack("")),
    RECORDING("recording\t\n", RunningGrid::recording);

    private final String request;
    private final Question question;

    /** Asks a grid. */
    private interface Question {
      Object ask(RunningGrid grid) throws IOException;
    }

    Asked(String request, Question question) {
      this.request = request;
      this.question = question;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aVerbWithoutAResultIsNoSuccess(Asked asked) throws Exception {
    var answered = answering(asked.request, "ok\n");

    assertThatThrownBy(() -> asked.question.ask(new RunningGrid(socket, LONG)))
        .isInstanceOf(MissingResultException.class)
        .hasMessage(
            "the program of deployment 4711-2 has answered '%s' with nothing that this troupe can read: it has ended meanwhile, or has another version of Troupe; ask it with the troupe of its own version",
            asked.request.split("\t", 2)[0]);
    answered.get(10, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "nothing"})
  void anotherProtocolIsNoRefusal(String first) throws Exception {
    var answered = answering("stack\t\n", first + "\n");

    assertThatThrownBy(() -> new RunningGrid(socket, LONG).stack(""))
        .isInstanceOf(MissingResultException.class);
    answered.get(10, TimeUnit.SECONDS);
  }
}
