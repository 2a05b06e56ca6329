package ibis.ipl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The lines that a logger prints, instead of the console. */
public final class RecordedLog extends Handler implements AutoCloseable {

  private final List<String> lines = new ArrayList<>();
  private final Logger logger;

  public RecordedLog(String name) {
    logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
    setFormatter(new SimpleFormatter());
  }

  @Override
  public synchronized void publish(LogRecord line) {
    lines.add(line.getLevel() + " " + getFormatter().formatMessage(line));
    notifyAll();
  }

  public synchronized List<String> all() {
    return List.copyOf(lines);
  }

  /** Waits for a line with a text, and returns it. */
  public synchronized String await(String text) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      for (String line : lines) {
        if (line.contains(text)) {
          return line;
        }
      }
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      assertThat(left).as("milliseconds left for '%s' after %s", text, lines).isPositive();
      wait(left);
    }
  }

  @Override
  public void flush() {
    // Nothing is buffered.
  }

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
