package org.troupe.classics.webserver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What a browser gets for an address. */
final class WebPage {

  /** A page cannot be smaller. */
  static final int LEAST_BYTES = 128;

  // Not final: what is read into a page again, as a call's result that is reused, sets them
  private String path;
  private String type;
  private byte[] body;

  private WebPage(String path, String type, byte[] body) {
    this.path = path;
    this.type = type;
    this.body = body;
  }

  /** Makes so many pages, of one length and all different, the same ones everywhere. */
  static List<WebPage> some(int count, int bytes) {
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

  /** Returns a number by which one of several servers has the page. */
  int key() {
    return key(path);
  }

  static int key(String path) {
    return path.hashCode();
  }

  boolean isSameAs(WebPage other) {
    return path.equals(other.path) && type.equals(other.type) && Arrays.equals(body, other.body);
  }
}
