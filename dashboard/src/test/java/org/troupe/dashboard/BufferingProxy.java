package org.troupe.dashboard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A proxy between a browser and a page, which passes answers on by pieces of some size, and the
 * rest at their end. It shortens the silence of a stream that the page bears from 25 s to 1 s.
 */
final class BufferingProxy implements AutoCloseable {

  private static final Pattern CONNECTION = Pattern.compile("(?im)^connection:.*\r\n");
  private static final String PATIENCE = "SILENCE_MILLIS = 25_000;";
  private static final String SHORT_PATIENCE = "SILENCE_MILLIS =  1_000;"; // as long a text

  private final URI page;
  private final Predicate<String> isHeld;
  private final int pieceBytes;
  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * Opens a proxy.
   *
   * @param address of the page
   * @param isHeld whether the answer to a request, given by its first line, goes by pieces
   */
  BufferingProxy(String address, int pieceBytes, Predicate<String> isHeld) throws IOException {
    this.page = URI.create(address);
    this.isHeld = isHeld;
    this.pieceBytes = pieceBytes;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  /** Returns the address of the page behind the proxy. */
  String address() {
    return page.toString().replace(":" + page.getPort(), ":" + server.getLocalPort());
  }

  private void serve() {
    try {
      while (true) {
        var browser = server.accept();
        open.add(browser);
        Thread.ofVirtual().start(() -> pass(browser));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void pass(Socket browser) {
    try (browser;
        var behind = new Socket(page.getHost(), page.getPort())) {
      open.add(behind);
      var head = head(browser.getInputStream());
      var asked =
          CONNECTION.matcher(head).replaceAll("").replaceFirst("\r\n", "\r\nConnection: close\r\n");
      behind.getOutputStream().write(asked.getBytes(ISO_8859_1));
      var first = head.lines().findFirst().orElse("");
      if (first.contains("stream.js")) {
        var whole = new String(behind.getInputStream().readAllBytes(), ISO_8859_1);
        browser
            .getOutputStream()
            .write(whole.replace(PATIENCE, SHORT_PATIENCE).getBytes(ISO_8859_1));
      } else {
        copy(
            behind.getInputStream(),
            browser.getOutputStream(),
            isHeld.test(first) ? pieceBytes : 1);
      }
    } catch (IOException e) {
      // One of the two has gone.
    } finally {
      open.remove(browser);
    }
  }

  /** Returns the head of a request. */
  private static String head(InputStream from) throws IOException {
    var head = new StringBuilder();
    for (int next; head.indexOf("\r\n\r\n") < 0 && (next = from.read()) >= 0; ) {
      head.append((char) next);
    }
    return head.toString();
  }

  private static void copy(InputStream from, OutputStream to, int pieceBytes) throws IOException {
    var held = new ByteArrayOutputStream();
    var part = new byte[4096];
    for (int read; (read = from.read(part)) >= 0; ) {
      held.write(part, 0, read);
      if (held.size() >= pieceBytes) {
        held.writeTo(to);
        held.reset();
      }
    }
    held.writeTo(to);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (var each : open) {
      each.close();
    }
  }
}
