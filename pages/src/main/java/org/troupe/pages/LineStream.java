package org.troupe.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Writes lines to a browser, and an empty line when there was none for a while. */
final class LineStream implements PageAnswer.LineSink, AutoCloseable {

  /*
   * Design: a stream that stalls
   *
   * The thread of the exchange produces the lines. A second thread writes an empty line after a pause, since proxies end
   * connections that are silent, and since a write is the only way to learn that a browser has gone. Both write under the lock.
   * A write that makes no progress within the limit is interrupted, which closes the connection. When a write has failed, the
   * producer is told by the result of send, or interrupted if it waits for its next line. Once the stream is closed, the producer is not interrupted, since it
   * still writes the end of the answer.
   */
  private static final int BUFFER = 32 * 1024;
  private static final Duration PAUSE = Duration.ofSeconds(8); // less than the promised 10 s

  private final OutputStream out;
  private final Duration limit;
  private final Thread producer = Thread.currentThread();
  private final Thread writer;
  private final ReentrantLock lock = new ReentrantLock();

  // guarded by lock
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(BUFFER);
  private long written = System.nanoTime();
  private boolean hasBegun;
  private boolean isOver; // no line can be written any more
  private boolean isClosed;

  /**
   * Creates a stream whose producer is this thread.
   *
   * @param limit how long a write may make no progress
   */
  LineStream(OutputStream out, Duration limit) {
    this(out, limit, PAUSE);
  }

  LineStream(OutputStream out, Duration limit, Duration pause) {
    this.out = out;
    this.limit = limit;
    this.writer = Thread.startVirtualThread(() -> fillPauses(pause));
  }

  @Override
  public boolean send(String line) {
    lock.lock();
    try {
      if (!isOver) {
        buffer.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        buffer.write('\n');
        if (buffer.size() >= BUFFER) {
          drain();
        }
      }
      return !isOver;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean flush() {
    lock.lock();
    try {
      if (!isOver && buffer.size() > 0) {
        drain();
      }
      return !isOver;
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    hasBegun = true;
    try (var _ = new TimeLimit(limit)) {
      buffer.writeTo(out);
      out.flush();
      written = System.nanoTime();
    } catch (IOException e) {
      isOver = true; // the browser has gone, or does not read
    }
    buffer.reset();
  }

  private void fillPauses(Duration pause) {
    try {
      for (var left = pause.toNanos(); ; ) {
        Thread.sleep(Duration.ofNanos(left));
        lock.lock();
        try {
          if (isClosed) {
            return;
          }
          left = written + pause.toNanos() - System.nanoTime();
          if (left <= 0 && !isOver) {
            buffer.write('\n');
            drain();
            left = pause.toNanos();
          }
          if (isOver) {
            producer.interrupt();
            return;
          }
        } finally {
          lock.unlock();
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /**
   * Stops writing. Lines that were sent are written before, unless none was: then the answer can
   * still become another one.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (hasBegun) {
        flush();
      }
      isOver = true;
      isClosed = true;
      writer.interrupt(); // under the lock, so that it is not within a write
    } finally {
      lock.unlock();
    }
  }
}
