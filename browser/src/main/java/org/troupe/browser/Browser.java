package org.troupe.browser;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real browser without a window, steered by the protocol of its developer tools. It has one page
 * at a time and belongs to one thread.
 */
public final class Browser implements AutoCloseable {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://.*)");
  private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"");
  private static final String VALUE = "\"value\":\"";
  private static final Pattern CONTEXT = Pattern.compile("\"browserContextId\": *\"([^\"]+)\"");
  private static final Pattern TARGET = Pattern.compile("\"targetId\": *\"([^\"]+)\"");
  private static final Pattern HEAP =
      Pattern.compile("\"(?:usedSize|embedderHeapUsedSize|backingStorageSize)\":([0-9.e+]+)");
  private static final Pattern DATA = Pattern.compile("\"data\":\"([^\"]+)\"");

  /** While this page replaces the empty one, or is loaded again. */
  private static final Pattern NO_CONTEXT =
      Pattern.compile(
          "context was destroyed|Cannot find default execution context|Inspected target navigated");

  private static final int MOST_TRIALS = 1000;

  /** The functions that expressions may use. */
  private static final String TOOLS =
      """
      const text = id => document.getElementById(id).textContent;
      const colours = id => { const c = document.getElementById(id);
        return new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size; };
      """;

  /** The codes of keys that have no character. */
  private static final Map<String, Integer> CODES =
      Map.of(
          "Tab",
          9,
          "Enter",
          13,
          "Escape",
          27,
          "End",
          35,
          "Home",
          36,
          "ArrowLeft",
          37,
          "ArrowUp",
          38,
          "ArrowRight",
          39,
          "ArrowDown",
          40);

  private final Path folder;
  private final Process process;
  private final URI address;
  private final HttpClient client;
  private final @Nullable Browser owner; // of the process; null if it is this one
  private final String context; // the name of its storage within the process of the owner
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();
  private final Thread atExit = new Thread(this::endProcesses, "browser");
  private @Nullable DevToolsSession ownTools; // of the browser itself
  private @Nullable DevToolsSession page;

  private Browser(Path folder, String program) throws IOException {
    this.folder = Files.createDirectories(folder).toAbsolutePath();
    client = HttpClient.newHttpClient();
    owner = null;
    context = "";
    process =
        new ProcessBuilder(
                program,
                "--headless",
                "--no-sandbox", // which root may not have
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + this.folder)
            .redirectErrorStream(true)
            .start();
    Runtime.getRuntime().addShutdownHook(atExit);
    address = URI.create(awaitAddress());
  }

  private Browser(Browser owner, String context) {
    this.owner = owner;
    this.context = context;
    folder = owner.folder;
    process = owner.process;
    address = owner.address;
    client = owner.client;
  }

  /** Returns the program of a browser on the {@code PATH}; empty if none is installed. */
  public static Optional<Path> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(each -> NAMES.stream().map(Path.of(each)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts a browser.
   *
   * @param folder receives its files, and is deleted at the end
   */
  public static Browser open(Path program, Path folder) throws IOException {
    return new Browser(folder, program.toString());
  }

  /**
   * Opens a browser with a page and storage of its own in the process of this one, which saves the
   * seconds of a start. It is used by the same thread, and is closed before this one.
   */
  public Browser separate() throws IOException, InterruptedException {
    return new Browser(this, found(CONTEXT, tools().command("Target.createBrowserContext", "{}")));
  }

  private DevToolsSession tools() {
    if (ownTools == null) {
      ownTools = new DevToolsSession(client, address, problems);
    }
    return ownTools;
  }

  private static String found(Pattern pattern, String answer) throws IOException {
    var found = pattern.matcher(answer);
    if (!found.find()) {
      throw new IOException("the browser opened no page: " + answer);
    }
    return found.group(1);
  }

  private String awaitAddress() throws IOException {
    var lines = new BufferedReader(new InputStreamReader(process.getInputStream()));
    var said = new StringBuilder();
    for (String line; (line = lines.readLine()) != null; ) {
      var listening = LISTENING.matcher(line);
      if (listening.matches()) {
        Thread.ofVirtual().start(() -> readAll(lines)); // or it would block
        return listening.group(1);
      }
      said.append(line).append('\n');
    }
    throw new IOException("the browser ended: " + said);
  }

  private static void readAll(BufferedReader lines) {
    try {
      while (lines.readLine() != null) {
        // of no interest
      }
    } catch (IOException e) {
      // The browser has ended.
    }
  }

  /** Opens a page, and waits until its text and scripts are loaded. */
  public void show(String url) throws IOException, InterruptedException {
    page = new DevToolsSession(client, owner == null ? opened(url) : opened(url, owner), problems);
    command("Runtime.enable", "{}");
    command("Log.enable", "{}");
    await("location.href !== 'about:blank' && document.readyState === 'complete'", "0");
  }

  /** Opens a page; returns the address of its developer tools. */
  private URI opened(String url) throws IOException, InterruptedException {
    var made =
        client.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://"
                            + address.getAuthority()
                            + "/json/new?"
                            + URLEncoder.encode(url, StandardCharsets.UTF_8)))
                .PUT(BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
    return URI.create(found(SOCKET, made.body()));
  }

  private URI opened(String url, Browser owner) throws IOException, InterruptedException {
    var parameters = "{\"url\": %s, \"browserContextId\": \"%s\"}".formatted(quoted(url), context);
    var target = found(TARGET, owner.tools().command("Target.createTarget", parameters));
    return address.resolve("/devtools/page/" + target);
  }

  /**
   * Waits in the page until a condition holds; returns what an expression then is, as text.
   *
   * @throws IOException if the page does not answer in a minute, or one of the two is wrong
   */
  public String await(String condition, String expression)
      throws IOException, InterruptedException {
    var script =
        "new Promise(done => { %s const look = () => { if (document.body && (%s)) done(String(%s)); else setTimeout(look, 20); }; look(); })"
            .formatted(TOOLS, condition, expression);
    var answer = evaluate(script);
    for (var i = 0; i < MOST_TRIALS && NO_CONTEXT.matcher(answer).find(); i++) {
      answer = evaluate(script);
    }
    var begin = answer.indexOf(VALUE);
    if (begin < 0) {
      throw new IOException(
          "the page does not say " + expression + " when " + condition + ": " + answer + problems);
    }
    return plain(answer, begin + VALUE.length());
  }

  /**
   * Returns the text of JSON that begins at a position and ends before a quote, without escapes.
   */
  private static String plain(String json, int begin) {
    var text = new StringBuilder();
    for (var i = begin; i < json.length() && json.charAt(i) != '"'; i++) {
      if (json.charAt(i) != '\\') {
        text.append(json.charAt(i));
        continue;
      }
      var escaped = json.charAt(++i);
      switch (escaped) {
        case 'u' -> {
          text.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
          i += 4;
        }
        case 'n' -> text.append('\n');
        case 't' -> text.append('\t');
        case 'r' -> text.append('\r');
        default -> text.append(escaped);
      }
    }
    return text.toString();
  }

  private String evaluate(String script) throws InterruptedException {
    return command(
        "Runtime.evaluate", "{\"awaitPromise\": true, \"expression\": " + quoted(script) + "}");
  }

  private String command(String method, String parameters) throws InterruptedException {
    return Objects.requireNonNull(page, "no page is shown").command(method, parameters);
  }

  /** Gives the page a size, in CSS pixels, and a colour scheme. */
  public void look(int width, int height, boolean isDark) throws InterruptedException {
    command(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\": %d, \"height\": %d, \"deviceScaleFactor\": 1, \"mobile\": false}"
            .formatted(width, height));
    command(
        "Emulation.setEmulatedMedia",
        "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"%s\"}]}"
            .formatted(isDark ? "dark" : "light"));
  }

  /** Presses and releases a key: a character, or a name such as {@code ArrowDown}. */
  public void press(String key) throws InterruptedException {
    var isCharacter = key.length() == 1;
    var text = isCharacter ? key : key.equals("Enter") ? "\r" : "";
    var code = isCharacter ? Character.toUpperCase(key.charAt(0)) : CODES.getOrDefault(key, 0);
    var fields = "\"key\": %s, \"windowsVirtualKeyCode\": %d".formatted(quoted(key), code);
    command(
        "Input.dispatchKeyEvent",
        text.isEmpty()
            ? "{\"type\": \"rawKeyDown\", %s}".formatted(fields)
            : "{\"type\": \"keyDown\", \"text\": %s, %s}".formatted(quoted(text), fields));
    command("Input.dispatchKeyEvent", "{\"type\": \"keyUp\", %s}".formatted(fields));
  }

  /** Writes a picture of the content of the window, as PNG. */
  public void picture(Path file) throws IOException, InterruptedException {
    var data = DATA.matcher(command("Page.captureScreenshot", "{\"format\": \"png\"}"));
    if (!data.find()) {
      throw new IOException("the browser made no picture for " + file);
    }
    var parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.write(file, Base64.getDecoder().decode(data.group(1)));
  }

  /**
   * Collects the garbage of the page; returns the bytes of its script that are left: objects,
   * elements, and the content of arrays of numbers.
   */
  public long heapBytes() throws IOException, InterruptedException {
    command("HeapProfiler.collectGarbage", "{}");
    var answer = command("Runtime.getHeapUsage", "{}");
    var parts = HEAP.matcher(answer).results().toList();
    if (parts.isEmpty()) {
      throw new IOException("the browser does not say how much memory the page uses: " + answer);
    }
    return parts.stream().mapToLong(each -> (long) Double.parseDouble(each.group(1))).sum();
  }

  /** Returns the processes of the browser. */
  public Stream<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  /**
   * Returns the errors that the page has reported: uncaught exceptions, requests that failed, and
   * loads that its content policy has refused.
   */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (var i = 0; i < text.length(); i++) {
      var next = text.charAt(i);
      if (next == '"' || next == '\\') {
        quoted.append('\\').append(next);
      } else if (next < ' ') {
        quoted.append("\\u%04x".formatted((int) next));
      } else {
        quoted.append(next);
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public void close() throws IOException {
    if (owner != null) {
      dispose(owner);
      return;
    }
    if (page != null) {
      page.endBrowser();
    } else {
      process.destroy();
    }
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        endProcesses();
        process.waitFor();
      }
    } catch (InterruptedException e) {
      endProcesses();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // this JVM ends, and the hook with it
    }
    client.shutdownNow();
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private void dispose(Browser owner) {
    if (page != null) {
      page.close();
    }
    try {
      owner
          .tools()
          .command("Target.disposeBrowserContext", "{\"browserContextId\": \"" + context + "\"}");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the pages end with the process
    }
  }

  private void endProcesses() {
    processes().toList().forEach(ProcessHandle::destroyForcibly);
  }
}
