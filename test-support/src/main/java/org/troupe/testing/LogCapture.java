package org.troupe.testing;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Passes all log records of this JVM, and the exceptions that end a thread, to the running test
 * class. It replaces the console handler, so that a successful build prints none of them.
 */
final class LogCapture extends Handler {

  private volatile LogRecords records = new LogRecords(LogCapture.class, List.of());

  private LogCapture() {
    setFormatter(new SimpleFormatter());
  }

  static LogCapture install() {
    LogCapture capture = new LogCapture();
    Logger root = Logger.getLogger("");
    for (Handler console : root.getHandlers()) {
      root.removeHandler(console);
    }
    root.addHandler(capture);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) ->
            capture.add(Level.ERROR, "", "an exception ended thread " + thread.getName(), thrown));
    return capture;
  }

  LogRecords records() {
    return records;
  }

  /**
   * Starts the records of a test class. Does nothing if it is the running one, as when one of its
   * nested classes begins.
   */
  void begin(Class<?> testClass) {
    if (records.testClass() != testClass) {
      records = new LogRecords(testClass, records.expected());
    }
  }

  @Override
  public void publish(LogRecord line) {
    add(
        level(line.getLevel().intValue()),
        line.getLoggerName(),
        getFormatter().formatMessage(line),
        line.getThrown());
  }

  private void add(Level level, String logger, String message, @Nullable Throwable thrown) {
    String text = thrown == null ? message : message + System.lineSeparator() + thrown;
    String thread = Thread.currentThread().getName();
    records.add(new LogRecords.Entry(level, logger, thread, text, thrown));
  }

  private static Level level(int value) {
    if (value >= java.util.logging.Level.SEVERE.intValue()) {
      return Level.ERROR;
    } else if (value >= java.util.logging.Level.WARNING.intValue()) {
      return Level.WARNING;
    } else if (value >= java.util.logging.Level.INFO.intValue()) {
      return Level.INFO;
    } else if (value >= java.util.logging.Level.FINE.intValue()) {
      return Level.DEBUG;
    } else {
      return Level.TRACE;
    }
  }

  @Override
  public void flush() {
    // Nothing is buffered.
  }

  @Override
  public void close() {
    // Records stay readable to the end of the JVM.
  }
}
