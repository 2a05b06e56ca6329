package org.troupe.deployment.runs;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchScope;

/** The control socket of a deployment: answers requests of other processes of the same user. */
public final class ControlServer implements Closeable {

  /*
   * The server listens on a Unix domain socket in a folder that only its owner can enter, so every client has the
   * owner's rights anyway. A request is a line of words separated by tabs. The answer begins with a line "ok"; with "no"
   * and the reason of a refusal; with "failed" and the reason if the run could not do what a right request asks for; or with "fault" and an exception that no refusal is. It ends with the connection.
   */
  static final String STATUS = "status";
  static final String LOGS = "logs";
  static final String FOLLOW = "follow";
  static final String STACK = "stack";
  static final String OBJECT = "object";
  static final String OBJECTS = "objects";
  static final String FUTURES = "futures";

  static final String PAIR = "pair";
  static final String WATCH = "watch";
  static final String TRACE = "trace";
  static final String FLIGHT = "flight";
  static final String IDENTITY = "identity";
  static final String SETTINGS = "settings";
  static final String LINES = "lines";
  static final String FOLLOW_LINES = "follow-lines";
  static final String RECORDING = "recording";
  static final String OK = "ok";
  static final String NO = "no";
  static final String FAILED = "failed";
  static final String FAULT = "fault";

  /**
   * The longest request; a client that sends more, or nothing within the time limit, is
   * disconnected.
   */
  static final int LONGEST_REQUEST = 1000;

  private static final long PATIENCE_SECONDS = 10;

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final Answers answers;
  private final Path file;
  private final ServerSocketChannel server;

  /** Answers requests, each on a thread of its own, which may block. */
  interface Answers {

    GridStatus status(String id);

    /** Writes the output of a node, or of all with the empty name. */
    void logs(String node, boolean follow, Writer out) throws IOException;

    /**
     * Returns the stacks of a node's threads, or of all nodes with the empty name.
     *
     * @throws RefusedRequestException if there is no such node
     */
    String stack(String node);

    /**
     * Returns the active objects of a node, or of all nodes and the program with the empty name.
     *
     * @param type the name of the class of interest; empty for all
     * @param most how many objects to describe one by one
     * @throws RefusedRequestException if there is no such node
     */
    GridObjects objects(String id, String node, String type, int most);

    /**
     * Returns the futures of a node that have not arrived, or of all nodes and the program with the
     * empty name.
     *
     * @throws RefusedRequestException if there is no such node
     */
    GridFutures futures(String node);

    /**
     * Returns what an object does.
     *
     * @param birth the name of the node on which it was created
     * @param number its number there
     * @throws RefusedRequestException if no node has it
     */
    GridObject object(String birth, long number);

    /**
     * Returns what a node has sent to another one.
     *
     * @throws RefusedRequestException if there is no such node, or it has no link to the other one
     */
    GridPair pair(String node, String peer);

    /**
     * Writes what the grid does, a record of {@link WatchRecord} per line, until the grid ends or
     * the client goes.
     *
     * @param interval the wanted time between two rounds
     * @param cursor the cursor of the last round that the client has; empty for all rows
     */
    void watch(String id, Duration interval, Set<WatchScope> scopes, String cursor, Writer out)
        throws IOException;

    /**
     * Records a trace of the calls, and writes it, a record of {@link
     * org.troupe.deployment.trace.TraceRecord} per line, until it ends or the client goes.
     *
     * @param within for how long
     * @param most how many calls and waits to record
     */
    void trace(String id, Duration within, long most, Writer out) throws IOException;

    /**
     * Records the program and all nodes by the JDK Flight Recorder, and writes the files, a record
     * of {@link org.troupe.deployment.trace.FlightRecord} per line, until it ends or the client
     * goes.
     *
     * @param within for how long
     * @param settings the name of the recorder's settings
     * @param mostBytes how much to keep of each node
     */
    void flight(String id, Duration within, String settings, long mostBytes, Writer out)
        throws IOException;

    GridIdentity identity(String id);

    GridSettings settings();

    /** Writes the output of a node, or of all with the empty name, a {@link LogLine} per line. */
    void lines(String node, boolean follow, Writer out) throws IOException;

    /**
     * Returns what is known of the run now.
     *
     * @throws RefusedRequestException if the grid is ending
     */
    RunSnapshot snapshot(String id, boolean withStacks);

    /**
     * Does what a user has asked for, and writes the {@link ActionResult}.
     *
     * @throws RefusedRequestException if that is not possible; the message says why
     */
    void act(RunAction action, Writer out) throws IOException;
  }

  private ControlServer(Answers answers, Path file, ServerSocketChannel server) {
    this.answers = answers;
    this.file = file;
    this.server = server;
  }

  /**
   * Starts the server; returns {@code null} without a warning if that is not possible here, since
   * the deployment does not need it.
   */
  public static @Nullable ControlServer open(Answers answers) {
    try {
      var file = ControlFolder.newSocket();
      var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        server.bind(UnixDomainSocketAddress.of(file));
      } catch (IOException e) {
        server.close();
        throw e;
      }
      var control = new ControlServer(answers, file, server);
      Thread.ofPlatform().daemon().name("troupe-control").start(control::serveAll);
      return control;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.log(Level.DEBUG, "'troupe status' will not see this deployment: {0}", e.toString());
      return null;
    }
  }

  private void serveAll() {
    try {
      while (true) {
        var client = server.accept();
        Thread.ofPlatform().daemon().name("troupe-control-of").start(() -> serve(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(SocketChannel client) {
    try (client;
        var in =
            new BufferedReader(
                new InputStreamReader(Channels.newInputStream(client), StandardCharsets.UTF_8));
        var out =
            new AnswerWriter(
                new OutputStreamWriter(Channels.newOutputStream(client), StandardCharsets.UTF_8))) {
      var words = RequestWords.of(request(client, in));
      try {
        answer(words, out);
      } catch (RefusedRequestException e) {
        out.fail(e.isOfRun() ? FAILED : NO, String.valueOf(e.getMessage()));
      } catch (RuntimeException | Error e) {
        LOG.log(
            Level.WARNING,
            "an internal fault of Troupe: the request '"
                + words.verb()
                + "' of the control socket has failed; please report it with this trace",
            e);
        out.fail(FAULT, e.toString());
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "a client has disconnected", e);
    }
  }

  /** The answer to a request; a failure is no part of one that has begun. */
  private static final class AnswerWriter extends BufferedWriter {
    private boolean hasBegun;

    AnswerWriter(Writer out) {
      super(out);
    }

    @Override
    public void write(int c) throws IOException {
      hasBegun = true;
      super.write(c);
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      hasBegun = true;
      super.write(text, from, length);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      hasBegun = true;
      super.write(text, from, length);
    }

    void fail(String kind, String why) throws IOException {
      if (!hasBegun) {
        write(kind + " " + why.replaceAll("\\R", " ") + "\n");
      }
    }
  }

  private static String request(SocketChannel client, Reader in) throws IOException {
    var asked = new CompletableFuture<Void>();
    asked.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).exceptionally(late -> close(client));
    try {
      var request = new StringBuilder();
      for (int c; (c = in.read()) != '\n'; request.append((char) c)) {
        if (c < 0 || request.length() == LONGEST_REQUEST) {
          throw new IOException("the request is empty or too long");
        }
      }
      return request.toString();
    } finally {
      asked.complete(null);
    }
  }

  private static @Nullable Void close(SocketChannel client) {
    try {
      client.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the connection of a silent client was not closed in order", e);
    }
    return null;
  }

  private void answer(RequestWords words, Writer out) throws IOException {
    var verb = words.verb();
    var node = words.word(1);
    switch (verb) {
      case STATUS ->
          out.write(OK + "\n" + ControlJson.MAPPER.writeValueAsString(answers.status(id())));
      case STACK -> {
        var stack = answers.stack(node);
        out.write(OK + "\n" + stack);
      }
      case OBJECTS -> {
        var objects = answers.objects(id(), node, words.word(2), words.number(3));
        out.write(OK + "\n" + ControlJson.MAPPER.writeValueAsString(objects));
      }
      case FUTURES ->
          out.write(OK + "\n" + ControlJson.MAPPER.writeValueAsString(answers.futures(node)));
      case OBJECT -> {
        var object = answers.object(node, words.longNumber(2));
        out.write(OK + "\n" + ControlJson.MAPPER.writeValueAsString(object));
      }
      case PAIR -> {
        var pair = answers.pair(node, words.word(2));
        out.write(OK + "\n" + ControlJson.MAPPER.writeValueAsString(pair));
      }
      case LOGS, FOLLOW -> answers.logs(node, verb.equals(FOLLOW), out);
      case WATCH ->
          answers.watch(
              id(),
              Duration.ofMillis(words.number(1)),
              RefusedRequestException.unlessWrong(() -> WatchScope.named(words.word(2))),
              words.word(3),
              out);
      case TRACE -> {
        var within = Duration.ofMillis(words.number(1));
        answers.trace(id(), within, words.number(2), out);
      }
      case FLIGHT -> {
        var within = Duration.ofSeconds(words.number(1));
        answers.flight(id(), within, words.word(2), (long) words.number(3) << 20, out);
      }
      case IDENTITY ->
          out.write(OK + "\n" + ControlJson.MAPPER.writeValueAsString(answers.identity(id())));
      case SETTINGS ->
          out.write(OK + "\n" + ControlJson.MAPPER.writeValueAsString(answers.settings()));
      case LINES, FOLLOW_LINES -> answers.lines(node, verb.equals(FOLLOW_LINES), out);
      case RECORDING -> {
        var lines = answers.snapshot(id(), true).lines("asked for while the program ran");
        out.write(OK + "\n");
        for (var line : lines) {
          out.write(line + "\n");
        }
      }
      default -> answers.act(RunAction.of(words), out);
    }
  }

  private String id() {
    return ControlFolder.id(file);
  }

  @Override
  public void close() {
    try {
      server.close();
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the socket file remains; 'troupe status' will remove it", e);
    }
  }
}
