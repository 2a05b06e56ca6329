package org.troupe.deployment.runs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.ObjectQuery;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A running grid of another program of this user on this machine. Its methods block until that
 * program answers, and throw a {@link SilentProgramException} if it is stopped or hangs.
 */
public final class RunningGrid {

  /** Long enough for batch systems to end jobs. */
  private static final Duration LONGEST_END = Duration.ofSeconds(60);

  /** How long a program may be silent before it is asked whether it lives, and then again. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration FULL_QUEUE_PAUSE = Duration.ofMillis(20);

  /** How many objects a grid describes one by one at most. */
  public static final int MOST_OBJECTS = ObjectQuery.MOST;

  private final Path socket;
  private final Duration patience;

  private RunningGrid(Path socket) {
    this(socket, PATIENCE);
  }

  /** Creates one with another patience, for a test. */
  RunningGrid(Path socket, Duration patience) {
    this.socket = socket;
    this.patience = patience;
  }

  /** Returns all running grids; removes the sockets of killed programs. */
  public static List<RunningGrid> all() {
    var all = new ArrayList<RunningGrid>();
    for (var socket : ControlFolder.sockets()) {
      try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        probe.configureBlocking(false); // the queue of a stopped program may be full
        probe.connect(UnixDomainSocketAddress.of(socket));
        all.add(new RunningGrid(socket));
      } catch (IOException e) {
        if (ControlFolder.isLeftBehind(socket)) {
          remove(socket);
        } else if (!(e instanceof ConnectException) && Files.exists(socket)) {
          all.add(new RunningGrid(socket)); // its queue is full; others are about to listen or end
        }
      }
    }
    return all;
  }

  /**
   * Returns a grid that this program has deployed, as other processes see it; empty if it has no
   * control socket.
   *
   * @param run its {@code Grid.run()}
   * @throws IOException if it has ended meanwhile
   */
  public static Optional<RunningGrid> ofThisProgram(String run) throws IOException {
    var pid = Long.toString(ProcessHandle.current().pid());
    for (var each : all()) {
      var isOfThisProgram = each.id().equals(pid) || each.id().startsWith(pid + "-");
      if (isOfThisProgram && each.status().run().equals(run)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private static void remove(Path socket) {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      // Another process removes it.
    }
  }

  /** Returns statuses, or the objects of grids, as a JSON array. */
  public static String toJson(List<?> grids) {
    return ControlJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(grids);
  }

  /**
   * Returns its id, which is the process id of its program; with a number, if the program has
   * several.
   */
  public String id() {
    return ControlFolder.id(socket);
  }

  /**
   * Returns its status.
   *
   * @throws IOException if it has ended meanwhile
   */
  public GridStatus status() throws IOException {
    return read(ControlServer.STATUS, text(ControlServer.STATUS), GridStatus.class);
  }

  /**
   * Returns the stacks of a node's threads, and the calls for which its active objects wait.
   *
   * @param node the name of the node; empty for all nodes and the program itself
   * @throws RefusedRequestException if there is no such node; the message lists the existing ones
   * @throws IOException if the grid has ended meanwhile
   */
  public String stack(String node) throws IOException {
    var stack = text(ControlServer.STACK, node);
    if (stack.isBlank()) {
      throw missing(ControlServer.STACK, null);
    }
    return stack;
  }

  /**
   * Returns its active objects.
   *
   * @param node the name of the node; empty for all nodes and the program itself
   * @param type the simple or full name of the class of interest; empty for all
   * @param most how many objects to describe one by one, of {@value #MOST_OBJECTS} at most
   * @throws RefusedRequestException if there is no such node; the message lists the existing ones
   * @throws IOException if the grid has ended meanwhile
   */
  public GridObjects objects(String node, String type, int most) throws IOException {
    return read(
        ControlServer.OBJECTS,
        text(ControlServer.OBJECTS, node, type, Integer.toString(most)),
        GridObjects.class);
  }

  /**
   * Returns its futures that have not arrived.
   *
   * @param node the name of the node; empty for all nodes and the program itself
   * @throws RefusedRequestException if there is no such node; the message lists the existing ones
   * @throws IOException if the grid has ended meanwhile
   */
  public GridFutures futures(String node) throws IOException {
    return read(ControlServer.FUTURES, text(ControlServer.FUTURES, node), GridFutures.class);
  }

  /**
   * Returns what one of its nodes has sent to another one.
   *
   * @throws RefusedRequestException if there is no such node, or it has no link to the other one
   * @throws IOException if the grid has ended meanwhile
   */
  public GridPair pair(String node, String peer) throws IOException {
    return read(ControlServer.PAIR, text(ControlServer.PAIR, node, peer), GridPair.class);
  }

  /**
   * Returns what one of its objects does.
   *
   * @param birth the name of the node on which it was created
   * @param number its number there
   * @throws RefusedRequestException if no node has it
   * @throws IOException if the grid has ended meanwhile
   */
  public GridObject object(String birth, long number) throws IOException {
    return read(
        ControlServer.OBJECT,
        text(ControlServer.OBJECT, birth, Long.toString(number)),
        GridObject.class);
  }

  /**
   * Passes on the last lines of nodes' output.
   *
   * @param node the name of the node; empty for all
   * @param follow whether to wait for more, until the grid ends
   * @throws RefusedRequestException if there is no such node; the message lists the existing ones
   * @throws IOException if the grid has ended meanwhile
   */
  public void logs(String node, boolean follow, Consumer<String> lines) throws IOException {
    if (follow) {
      Predicate<String> receiver =
          line -> {
            lines.accept(line);
            return true;
          };
      askWhile(ControlServer.FOLLOW, List.of(node), receiver, untilItsLastLine());
    } else {
      ask(ControlServer.LOGS, List.of(node), lines);
    }
  }

  /**
   * Passes on the stream of the grid's activity, until the grid ends or the receiver has enough.
   *
   * @param interval the wanted time between two rounds
   * @param scopes the kinds of rows, as {@link org.troupe.deployment.watch.WatchScope} names them;
   *     empty for all
   * @param cursor the cursor of the last round that the caller has; empty for all rows
   * @param receiver takes a line of JSON, as {@link org.troupe.deployment.watch.WatchCodec} reads
   *     it, and returns whether it wants more
   * @throws RefusedRequestException if there is no such kind of rows
   * @throws IOException if the grid has ended before
   */
  public void watch(
      Duration interval, String scopes, String cursor, Predicate<? super String> receiver)
      throws IOException {
    var words = List.of(Long.toString(interval.toMillis()), scopes, cursor);
    askWhile(ControlServer.WATCH, words, receiver);
  }

  /**
   * Records a trace of its calls, and passes it on.
   *
   * @param within for how long
   * @param most how many calls and waits to record
   * @param receiver takes a line of JSON, as {@link org.troupe.deployment.trace.RecordCodec} reads
   *     it, and returns whether it wants more
   * @throws IOException if the grid has ended before
   */
  public void trace(Duration within, int most, Predicate<? super String> receiver)
      throws IOException {
    askWhile(
        ControlServer.TRACE,
        List.of(Long.toString(within.toMillis()), Integer.toString(most)),
        receiver);
  }

  /**
   * Records its program and all nodes by the JDK Flight Recorder, and passes the files on.
   *
   * @param within for how long
   * @param settings {@code default} or {@code profile}
   * @param most how many MiB to keep of each node
   * @param receiver takes a line of JSON, as {@link org.troupe.deployment.trace.RecordCodec} reads
   *     it, and returns whether it wants more
   * @throws IOException if the grid has ended before
   */
  public void flight(Duration within, String settings, int most, Predicate<? super String> receiver)
      throws IOException {
    var words = List.of(Long.toString(within.toSeconds()), settings, Integer.toString(most));
    askWhile(ControlServer.FLIGHT, words, receiver);
  }

  /**
   * Returns which deployment it is, without asking its nodes.
   *
   * @throws IOException if it has ended meanwhile
   */
  public GridIdentity identity() throws IOException {
    return read(ControlServer.IDENTITY, text(ControlServer.IDENTITY), GridIdentity.class);
  }

  /**
   * Returns its settings, as the JSON of {@link GridSettings}.
   *
   * @throws IOException if it has ended meanwhile
   */
  public String settings() throws IOException {
    return json(ControlServer.SETTINGS);
  }

  /**
   * Passes on the last lines of nodes' output, as the JSON of a {@link LogLine} each.
   *
   * @param node the name of the node; empty for all
   * @param follow whether to wait for more, until the grid ends
   * @param receiver returns whether it wants more
   * @throws RefusedRequestException if there is no such node; the message lists the existing ones
   * @throws IOException if the grid has ended meanwhile
   */
  public void lines(String node, boolean follow, Predicate<? super String> receiver)
      throws IOException {
    if (follow) {
      askWhile(ControlServer.FOLLOW_LINES, List.of(node), receiver, untilItsLastLine());
    } else {
      askWhile(ControlServer.LINES, List.of(node), receiver);
    }
  }

  /**
   * Returns the lines of a recording, as {@link RunSnapshot#lines} has them.
   *
   * @throws IOException if the grid has ended meanwhile
   */
  public List<String> recording() throws IOException {
    List<String> lines = new ArrayList<>();
    ask(ControlServer.RECORDING, List.of(), lines::add);
    if (lines.isEmpty()) {
      throw missing(ControlServer.RECORDING, null);
    }
    return lines;
  }

  /**
   * Does an action on it; {@link RunAction.Cancel} does not wait for its end.
   *
   * @throws RefusedRequestException if that is not possible; the message says why
   * @throws MissingResultException if the answer does not say what was done
   * @throws IOException if the grid has ended meanwhile
   */
  public ActionResult act(RunAction action) throws IOException {
    var verb = action.words().getFirst();
    var answer = answered(action);
    var result = read(verb, answer, ActionResult.class);
    if (result.done().isEmpty() && result.silent().isEmpty()) {
      throw missing(verb, null);
    }
    return result;
  }

  private String answered(RunAction action) throws IOException {
    var words = action.words();
    List<String> answer = new ArrayList<>();
    askWhile(
        words.getFirst(),
        words.subList(1, words.size()),
        line -> {
          answer.add(line);
          return false; // a program that ends may stay connected for some time
        });
    return String.join("", answer);
  }

  private MissingResultException missing(String verb, @Nullable Throwable cause) {
    return MissingResultException.of(id(), verb, cause);
  }

  /** Reads an answer, which may be that of a program with another version of Troupe. */
  private <T> T read(String verb, String json, Class<T> type) throws IOException {
    try {
      return Objects.requireNonNull(ControlJson.MAPPER.readValue(json, type), "no result");
    } catch (JacksonException | NullPointerException e) {
      throw missing(verb, e);
    }
  }

  /** Returns an answer that is JSON, after a check that it is whole. */
  private String json(String verb, String... words) throws IOException {
    var text = text(verb, words).strip();
    if (!read(verb, text, JsonNode.class).isObject()) {
      throw missing(verb, null);
    }
    return text;
  }

  /** Returns the exception for a grid that has ended. */
  IOException ended() {
    return new EndedGridException("the deployment " + id() + " has ended");
  }

  /** There is no program, or it does not listen any more, since the grid ends. */
  private static final class EndedGridException extends IOException {

    private static final long serialVersionUID = 1;

    EndedGridException(String message) {
      super(message);
    }
  }

  /**
   * Ends its program as Ctrl-C would, and waits for its end for up to a minute.
   *
   * @return whether its process has ended
   * @throws IOException if the grid had ended before
   */
  public boolean cancel() throws IOException {
    var program = ProcessHandle.of(status().pid()).orElseThrow(this::ended);
    answered(new RunAction.Cancel()); // whatever it answers, its end tells
    return hasEnded(program, LONGEST_END);
  }

  static boolean hasEnded(ProcessHandle program, Duration within) {
    try {
      program.onExit().get(within.toSeconds(), TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String text(String verb, String... words) throws IOException {
    var text = new StringBuilder();
    ask(verb, List.of(words), line -> text.append(line).append('\n'));
    return text.toString();
  }

  private void ask(String verb, List<String> words, Consumer<String> lines) throws IOException {
    askWhile(
        verb,
        words,
        line -> {
          lines.accept(line);
          return true;
        });
  }

  private void askWhile(String verb, List<String> words, Predicate<? super String> receiver)
      throws IOException {
    askWhile(verb, words, receiver, this::checkThatItLives);
  }

  private void askWhile(
      String verb,
      List<String> words,
      Predicate<? super String> receiver,
      AnswerStream.LifeCheck check)
      throws IOException {
    try (var answer = asked(verb, words, check)) {
      for (String line; (line = answer.readLine()) != null && receiver.test(line); ) {
        // The receiver has taken it.
      }
    }
  }

  /**
   * Returns the line of a request.
   *
   * @throws RefusedRequestException if a word would end or change it, or it is too long
   */
  private static String request(String verb, List<String> words) {
    for (var word : words) {
      if (word.chars().anyMatch(Character::isISOControl)) {
        throw new RefusedRequestException(
            "'%s' has a control character, such as a tab or a line break; leave it out"
                .formatted(word.replaceAll("\\p{Cc}", "?")));
      }
    }
    var request = verb + "\t" + String.join("\t", words);
    if (request.length() > ControlServer.LONGEST_REQUEST) {
      throw new RefusedRequestException(
          "the request '%s' has %d characters, and at most %d are possible; shorten its words"
              .formatted(verb, request.length(), ControlServer.LONGEST_REQUEST));
    }
    return request + "\n";
  }

  /** Sends a request; returns the answer behind its first line. */
  private BufferedReader asked(String verb, List<String> words, AnswerStream.LifeCheck check)
      throws IOException {
    var request = request(verb, words);
    var stream = new AnswerStream(connected(), patience, check);
    var answer = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    try {
      stream.send(request.getBytes(StandardCharsets.UTF_8));
      var first = answer.readLine();
      if (first == null) {
        throw ended();
      }
      if (!first.equals(ControlServer.OK)) {
        throw refusal(verb, first);
      }
      return answer;
    } catch (IOException | RuntimeException e) {
      answer.close();
      throw e;
    }
  }

  /** Returns the exception for an answer whose first line says that there is none. */
  private RuntimeException refusal(String verb, String first) throws MissingResultException {
    var kind = first.split(" ", 2)[0];
    var why = first.substring(kind.length()).strip();
    return switch (kind) {
      case ControlServer.NO -> {
        if (why.equals(RunAction.unknown(verb))) {
          throw MissingResultException.ofUnknownVerb(id(), verb);
        }
        yield new RefusedRequestException(why);
      }
      case ControlServer.FAILED -> RefusedRequestException.ofRun(why, null);
      case ControlServer.FAULT -> new InternalFaultException(id(), why);
      default -> throw missing(verb, null);
    };
  }

  /** Fails if the program does not even answer which deployment it has. */
  private void checkThatItLives() throws IOException {
    try {
      asked(ControlServer.IDENTITY, List.of(), this::giveUp).close();
    } catch (RefusedRequestException | InternalFaultException | MissingResultException e) {
      // It lives; it may be of a version without this request.
    } catch (SilentProgramException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (e instanceof ConnectException || !Files.exists(socket)) { // it has closed it meanwhile
        throw (IOException) ended().initCause(e);
      }
      throw e; // of this process, as a lack of file descriptors
    }
  }

  /**
   * Returns a check for the output of nodes. A program that does not listen any more ends its
   * nodes, which may still print: it has the patience once more.
   */
  private AnswerStream.LifeCheck untilItsLastLine() {
    var isEnding = new AtomicBoolean();
    return () -> {
      try {
        checkThatItLives();
      } catch (EndedGridException e) {
        if (isEnding.getAndSet(true)) {
          throw e;
        }
      }
    };
  }

  private void giveUp() throws IOException {
    throw silent();
  }

  private SilentProgramException silent() {
    return new SilentProgramException(id(), id().split("-", -1)[0]);
  }

  /**
   * Connects without blocking in the system, where neither an interrupt nor a time limit ends the
   * wait for the queue of a program that is stopped. The channel is not in blocking mode.
   */
  private SocketChannel connected() throws IOException {
    var deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.configureBlocking(false);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return channel;
      } catch (IOException e) {
        channel.close();
        if (e instanceof ConnectException || !Files.exists(socket)) {
          throw (IOException) ended().initCause(e);
        }
        if (System.nanoTime() - deadline > 0) {
          throw (IOException) silent().initCause(e); // its queue is full of other requests
        }
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(FULL_QUEUE_PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted while connecting").initCause(e);
    }
  }
}
