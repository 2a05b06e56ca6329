package org.troupe.tasks.engine;

/**
 * How the workers of an engine run.
 *
 * @param workers the number of threads; 0 for an engine whose jobs others execute
 * @param stackBytes the size of each thread's stack
 */
public record EngineSettings(int workers, long stackBytes) {

  private static final int DEFAULT_STACK = 64 << 20;
  private static final int LEAST_STACK = 1 << 18;

  /** Checks the numbers. */
  public EngineSettings {
    if (workers < 0) {
      throw new IllegalArgumentException(workers + " workers; give at least 1");
    }
  }

  /**
   * Returns the settings of the properties {@code troupe.tasks.workers} (default: the processors of
   * this JVM) and {@code troupe.tasks.stack} (bytes; default: 64 MiB).
   */
  public static EngineSettings ofProperties() {
    return new EngineSettings(
        number("troupe.tasks.workers", Runtime.getRuntime().availableProcessors(), 1),
        number("troupe.tasks.stack", DEFAULT_STACK, LEAST_STACK));
  }

  /**
   * Returns the number that a property has.
   *
   * @param otherwise its value if it is not set
   * @param least the least valid number
   */
  public static int number(String property, int otherwise, int least) {
    var text = System.getProperty(property);
    if (text == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text.strip());
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message below tells it.
    }
    throw new IllegalArgumentException(
        "-D" + property + "=" + text + " is no valid value; give a number from " + least + " on");
  }

  /** Returns these settings with another number of workers. */
  public EngineSettings withWorkers(int number) {
    return new EngineSettings(number, stackBytes);
  }
}
