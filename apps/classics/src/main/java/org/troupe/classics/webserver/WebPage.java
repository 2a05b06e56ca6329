package org.troupe.classics.webserver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The content that a browser gets for an address. */
final class WebPage {

  /** The smallest size of a page. */
  static final int LEAST_BYTES = 128;

  // Not final: a reused call result is decoded into an existing page.
  private String path;
  private String type;
  private byte[] body;

  private WebPage(String path, String type, byte[] body) {
    this.path = path;
    this.type = type;
    this.body = body;
  }

  /** Generates pages of equal size and different content, which are the same on every node. */
  static List<WebPage> generate(int count, int bytes) {
    return IntStream.range(0, count).mapToObj(number -> numbered(number, bytes)).toList();
  }

  private static WebPage numbered(int number, int bytes) {
    var text = "<!doctype html>\n<title>Page %d</title>\n<p>".formatted(number);
    var body = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), bytes);
    for (var i = text.length(); i < bytes; i++) {
      body[i] = (byte) ('a' + Math.floorMod(number * 31 + i * i, 26));
    }
    return new WebPage("/" + number + ".html", "text/html; charset=utf-8", body);
  }

  String path() {
    return path;
  }

  String type() {
    return type;
  }

  byte[] body() {
    return body;
  }

  /** Returns the number that selects the server of the page. */
  int key() {
    return key(path);
  }

  static int key(String path) {
    return path.hashCode();
  }

  boolean hasSameContent(@Nullable WebPage other) {
    return other != null
        && path.equals(other.path)
        && type.equals(other.type)
        && Arrays.equals(body, other.body);
  }
}
