package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Writer;
import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.testing.LogRecords;

/** The answers to a request that is refused, and to one that fails. */
@Timeout(60)
class ControlServerTest {

  private static final String TEMPORARY = "java.io.tmpdir";

  @TempDir private Path folder;
  private final String temporary = System.getProperty(TEMPORARY);
  private ControlServer server;

  @BeforeEach
  void listen() {
    System.setProperty(TEMPORARY, folder.toString());
    server = Objects.requireNonNull(ControlServer.open(answers()));
  }

  @AfterEach
  void close() {
    server.close();
    System.setProperty(TEMPORARY, temporary);
  }

  private static ControlServer.Answers answers() {
    Map<String, Supplier<Object>> answers =
        Map.of(
            "settings", () -> Objects.requireNonNull(null, "the settings"),
            "futures", () -> List.of().getFirst(),
            "stack",
                () -> {
                  throw new RefusedRequestException("there is no node 'a'");
                },
            "pair",
                () -> {
                  throw RefusedRequestException.ofRun("no room\r\non the disk", null);
                },
            "object", () -> RunAction.of(RequestWords.of("object\ta")));
    return (ControlServer.Answers)
        Proxy.newProxyInstance(
            ControlServer.Answers.class.getClassLoader(),
            new Class<?>[] {ControlServer.Answers.class},
            (_, method, arguments) -> {
              if (method.getName().equals("logs")) { // it fails behind the beginning
                ((Writer) arguments[2]).write("ok\nline\n");
                throw new IllegalStateException("no more");
              }
              return answers.get(method.getName()).get();
            });
  }

  private static RunningGrid ours() {
    return RunningGrid.all().getFirst();
  }

  @Test
  void aRefusalHasItsReason() {
    assertThatThrownBy(() -> ours().stack("a"))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("there is no node 'a'");
    assertThatThrownBy(() -> ours().objects("", "", -1))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("'-1' is no whole number of 0 or more");
  }

  @Test
  void whatTheRunCannotDoIsNoMistakeOfTheUser() {
    assertThatThrownBy(() -> ours().pair("a", "b"))
        .isInstanceOfSatisfying(
            RefusedRequestException.class, its -> assertThat(its.isOfRun()).isTrue())
        .hasMessage("no room on the disk");
  }

  @Test
  void aProgramThatDoesNotKnowAVerbHasAnotherVersion() {
    assertThatThrownBy(() -> ours().object("a", 1))
        .isInstanceOf(MissingResultException.class)
        .hasMessageContaining(
            "has another version of Troupe, which does not know 'object'; ask it");
  }

  @Test
  void wordsThatWouldChangeTheRequestAreNotSent() {
    for (var word : List.of("a\tb", "a\nb", "a\rb")) {
      assertThatThrownBy(() -> ours().stack(word))
          .isInstanceOf(RefusedRequestException.class)
          .hasMessage("'a?b' has a control character, such as a tab or a line break; leave it out");
    }
    assertThatThrownBy(() -> ours().stack("a".repeat(1000)))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage(
            "the request 'stack' has 1006 characters, and at most 1000 are possible; shorten its words");
  }

  @Test
  void aFaultSaysThatItIsOneAndWhereItsTraceIs(LogRecords log) throws Exception {
    assertThatThrownBy(() -> ours().settings())
        .isInstanceOf(InternalFaultException.class)
        .hasMessageContaining(
            "could not answer because of an internal fault of Troupe: java.lang.NullPointerException: the settings; its log has the stack trace, with which this is to be reported");
    assertThatThrownBy(() -> ours().futures("")).isInstanceOf(InternalFaultException.class);

    log.expect(
        Level.WARNING,
        "the request 'settings' of the control socket has failed; please report it with this trace",
        "NullPointerException");
    log.expect(Level.WARNING, "the request 'futures'", "NoSuchElementException");
  }

  @Test
  void aFailureIsNoPartOfAnAnswerThatHasBegun(LogRecords log) throws Exception {
    List<String> lines = new ArrayList<>();

    ours().logs("", false, lines::add);

    assertThat(lines).containsExactly("line");
    log.expect(Level.WARNING, "the request 'logs'", "IllegalStateException: no more");
  }
}
