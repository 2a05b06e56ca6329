package org.troupe.pages;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;

/**
 * The body of an answer whose head is sent with the first byte, so that a failure before it can
 * still have a status. Used by one thread at a time.
 */
final class LateStream extends OutputStream {

  private static final int OK = 200;
  private static final int CHUNKED = 0;

  private final HttpExchange exchange;
  private final LongAdder count; // of bytes
  private boolean hasBegun;

  LateStream(HttpExchange exchange, LongAdder count) {
    this.exchange = exchange;
    this.count = count;
  }

  boolean hasBegun() {
    return hasBegun;
  }

  /** Sends the head, if it was not sent. */
  void begin() throws IOException {
    if (!hasBegun) {
      hasBegun = true;
      exchange.sendResponseHeaders(OK, CHUNKED);
    }
  }

  @Override
  public void write(int value) throws IOException {
    begin();
    exchange.getResponseBody().write(value);
    count.increment();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    begin();
    exchange.getResponseBody().write(bytes, offset, length);
    count.add(length);
  }

  @Override
  public void flush() throws IOException {
    exchange.getResponseBody().flush();
  }
}
