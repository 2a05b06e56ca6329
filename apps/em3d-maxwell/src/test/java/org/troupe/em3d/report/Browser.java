package org.troupe.em3d.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real browser without a window, steered by the protocol of its developer tools. */
public final class Browser implements AutoCloseable {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/.*");
  private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"");
  private static final Pattern VALUE = Pattern.compile("\"value\":\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** The functions that expressions of tests may use. */
  private static final String TOOLS =
      """
      const text = id => document.getElementById(id).textContent;
      const colours = id => { const c = document.getElementById(id);
        return new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size; };
      """;

  private final Path folder;
  private final Process process;
  private final String address;
  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private WebSocket socket;

  private Browser(Path folder, String program) throws IOException {
    this.folder = Files.createDirectories(folder).toAbsolutePath();
    process =
        new ProcessBuilder(
                program,
                "--headless",
                "--no-sandbox", // which root may not have
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
                "--user-data-dir=" + this.folder)
            .redirectErrorStream(true)
            .start();
    address = awaitAddress();
  }

  /** Starts a browser, or skips the test with a message if none is installed. */
  public static Browser openOrSkip(Path folder) throws IOException {
    var program =
        Stream.of(System.getenv("PATH").split(":"))
            .flatMap(each -> NAMES.stream().map(Path.of(each)::resolve))
            .filter(Files::isExecutable)
            .findFirst();
    Assumptions.assumeTrue(
        program.isPresent(), "SKIPPED: there is no browser; install Debian's chromium to run this");
    return new Browser(folder, program.get().toString());
  }

  private String awaitAddress() throws IOException {
    var lines = new BufferedReader(new InputStreamReader(process.getInputStream()));
    var said = new StringBuilder();
    for (String line; (line = lines.readLine()) != null; ) {
      var listening = LISTENING.matcher(line);
      if (listening.matches()) {
        Thread.ofVirtual().start(() -> lines.lines().forEach(more -> {})); // or it would block
        return listening.group(1);
      }
      said.append(line).append('\n');
    }
    throw new IOException("the browser ended: " + said);
  }

  /** Opens a page. */
  public void show(String url) throws Exception {
    var made =
        client.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://"
                            + address
                            + "/json/new?"
                            + URLEncoder.encode(url, StandardCharsets.UTF_8)))
                .PUT(BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
    Matcher found = SOCKET.matcher(made.body());
    if (!found.find()) {
      throw new IOException("no page was opened: " + made.body());
    }
    socket =
        client.newWebSocketBuilder().buildAsync(URI.create(found.group(1)), new Answers()).join();
  }

  private final class Answers implements WebSocket.Listener {

    private final StringBuilder begun = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      begun.append(data);
      if (last) {
        answers.add(begun.toString());
        begun.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** Waits in the page until a condition holds; returns what an expression then is, as text. */
  public String await(String condition, String expression) throws Exception {
    var script =
        "new Promise(done => { %s const look = () => { if (document.body && (%s)) done(String(%s)); else setTimeout(look, 20); }; look(); })"
            .formatted(TOOLS, condition, expression);
    var answer = evaluate(script);
    if (answer.contains("context was destroyed")) { // of the empty page that this page replaced
      answer = evaluate(script);
    }
    var value = VALUE.matcher(answer);
    if (!value.find()) {
      throw new AssertionError("the page does not say " + expression + ": " + answer);
    }
    return value.group(1);
  }

  private String evaluate(String script) throws InterruptedException {
    socket
        .sendText(
            "{\"id\": 1, \"method\": \"Runtime.evaluate\", \"params\": {\"awaitPromise\": true, \"expression\": "
                + JsonText.of(script)
                + "}}",
            true)
        .join();
    var answer = answers.poll(60, TimeUnit.SECONDS);
    return answer == null ? "" : answer;
  }

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.sendText("{\"id\": 2, \"method\": \"Browser.close\"}", true);
    } else {
      process.destroy();
    }
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    client.shutdownNow();
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
