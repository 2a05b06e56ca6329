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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/** Answers other processes of the same user about one deployment, and ends it for them. */
public final class ControlServer implements Closeable {

  /*
   * A Unix domain socket in a folder that only its owner can enter: who can connect may do all that the owner can,
   * and nobody else can connect. A request is a line of words with tabs between; the answer begins with a line "ok" or
   * "no" and the reason, and ends with the connection.
   */
  static final String STATUS = "status";
  static final String LOGS = "logs";
  static final String FOLLOW = "follow";
  static final String STACK = "stack";
  static final String CANCEL = "cancel";
  static final String OK = "ok";
  static final String NO = "no";

  public static final JsonMapper JSON = new JsonMapper();

  /** Who asks says so at once and in few words; who does not is mistaken, and holds nothing. */
  private static final int LONGEST_QUESTION = 1000;

  private static final long PATIENCE_SECONDS = 10;

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  private final Answers answers;
  private final Path file;
  private final ServerSocketChannel server;

  /** What is asked; each answers on a thread of its own, which may wait. */
  interface Answers {

    GridStatus status(String id);

    /** Writes what nodes have printed; with the empty name, of all. */
    void logs(String node, boolean follow, Writer out) throws IOException;

    /**
     * Returns the threads of a node, or of all with the empty name.
     *
     * @throws IllegalArgumentException if there is no such node
     */
    String stack(String node);

    void cancel();
  }

  private ControlServer(Answers answers, Path file, ServerSocketChannel server) {
    this.answers = answers;
    this.file = file;
    this.server = server;
  }

  /** Begins to answer; without a word if that is not possible here, since nothing else needs it. */
  public static ControlServer open(Answers answers) {
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
            new BufferedWriter(
                new OutputStreamWriter(Channels.newOutputStream(client), StandardCharsets.UTF_8))) {
      var words = question(client, in).split("\t", -1);
      var node = words.length > 1 ? words[1] : "";
      try {
        answer(words[0], node, out);
      } catch (IllegalArgumentException e) {
        out.write(NO + " " + e.getMessage() + "\n");
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "a process that asked for news has left", e);
    }
  }

  private static String question(SocketChannel client, Reader in) throws IOException {
    var asked = new CompletableFuture<Void>();
    asked.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).exceptionally(late -> close(client));
    try {
      var question = new StringBuilder();
      for (int c; (c = in.read()) != '\n'; question.append((char) c)) {
        if (c < 0 || question.length() == LONGEST_QUESTION) {
          throw new IOException("it asked nothing");
        }
      }
      return question.toString();
    } finally {
      asked.complete(null);
    }
  }

  private static Void close(SocketChannel client) {
    try {
      client.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a silent process keeps its connection", e);
    }
    return null;
  }

  private void answer(String verb, String node, Writer out) throws IOException {
    switch (verb) {
      case STATUS -> out.write(OK + "\n" + JSON.writeValueAsString(answers.status(id())));
      case STACK -> {
        var stack = answers.stack(node);
        out.write(OK + "\n" + stack);
      }
      case LOGS, FOLLOW -> answers.logs(node, verb.equals(FOLLOW), out);
      case CANCEL -> {
        out.write(OK + "\n");
        out.flush();
        answers.cancel();
      }
      default -> throw new IllegalArgumentException("'" + verb + "' is unknown here");
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
      LOG.log(Level.DEBUG, "the socket is left behind; 'troupe status' will remove it", e);
    }
  }
}
