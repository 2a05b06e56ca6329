package org.troupe.pages;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The answer to a request. */
public sealed interface PageAnswer {

  /** An answer as a whole. The bytes are not copied. */
  record Body(int status, String type, byte[] bytes) implements PageAnswer {}

  /** An answer that is written line by line while it arises. */
  record Lines(LineSource source) implements PageAnswer {}

  /** Writes the lines of an answer. */
  interface LineSource {

    /**
     * Writes until there is nothing more, or the browser has gone. It is interrupted when the
     * browser has gone while it waits.
     *
     * @throws IOException if the origin of the lines fails; the answer then ends
     */
    void writeTo(LineSink sink) throws IOException;
  }

  /** Takes the lines of an answer. Used by one thread. */
  interface LineSink {

    /**
     * Sends a line, soon. Blocks while the browser does not read, for a limited time.
     *
     * @param line without its end; it must not contain another one
     * @return whether the browser is still there
     */
    boolean send(String line);

    /** Sends now what was given; returns whether the browser is still there. */
    boolean flush();
  }

  /** Returns an answer of JSON. */
  static Body json(String text) {
    return json(200, text);
  }

  /** Returns an answer of JSON with a status. */
  static Body json(int status, String text) {
    return new Body(status, "application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns an answer of plain text. */
  static Body text(int status, String text) {
    return new Body(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns an answer that is written line by line. */
  static Lines lines(LineSource source) {
    return new Lines(source);
  }
}
