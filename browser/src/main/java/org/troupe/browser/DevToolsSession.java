package org.troupe.browser;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection to the developer tools of a page, or of the browser itself. */
final class DevToolsSession {

  private static final Pattern ANSWER = Pattern.compile("^\\{\"id\":(\\d+),");
  private static final Pattern PROBLEM =
      Pattern.compile(
          "^\\{\"method\":\"(?:Runtime\\.exceptionThrown\"|Log\\.entryAdded\".*\"level\":\"error\").*");

  private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
  private final Queue<String> problems;
  private final WebSocket socket;
  private int commands;

  /**
   * Connects.
   *
   * @param problems receives the errors that a page reports
   */
  DevToolsSession(HttpClient client, URI address, Queue<String> problems) {
    this.problems = problems;
    socket = client.newWebSocketBuilder().buildAsync(address, new Answers()).join();
  }

  private final class Answers implements WebSocket.Listener {

    private final StringBuilder begun = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      begun.append(data);
      if (last) {
        take(begun.toString());
        begun.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void take(String message) {
    var answer = ANSWER.matcher(message);
    if (answer.find()) {
      var waiting = answers.remove(Integer.valueOf(answer.group(1)));
      if (waiting != null) {
        waiting.complete(message);
      }
    } else if (PROBLEM.matcher(message).matches()) {
      problems.add(message);
    }
  }

  /** Sends a command; returns its answer, or an empty text if there was none in a minute. */
  String command(String method, String parameters) throws InterruptedException {
    var answer = new CompletableFuture<String>();
    var id = ++commands;
    answers.put(id, answer);
    socket
        .sendText(
            "{\"id\": %d, \"method\": \"%s\", \"params\": %s}".formatted(id, method, parameters),
            true)
        .join();
    try {
      return answer.get(60, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return "";
    }
  }

  /** Tells the browser to end, without waiting for its answer. */
  void endBrowser() {
    socket.sendText("{\"id\": 0, \"method\": \"Browser.close\"}", true);
  }

  /** Leaves the page as it is. */
  void close() {
    socket.abort();
  }
}
