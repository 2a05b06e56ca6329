package org.troupe.activeobjects.internal.keeping;

import java.lang.System.Logger.Level;
import java.lang.System.LoggerFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Logs warnings while the process ends. */
final class ExitLog {

  /*
   * Design: handlers that outlive their loggers
   *
   * The shutdown hooks of a process run side by side. One of them is that of java.util.logging, which closes the handlers
   * of all loggers and removes them. The handlers that were there before are therefore remembered while the process
   * runs. The one that writes to the console publishes after it was closed, too. If another library implements
   * System.Logger, that is used as ever.
   */
  private static final String NAME = "org.troupe.activeobjects";

  private final Sink sink;

  /** Receives warnings. */
  private interface Sink {
    void warning(String message);
  }

  /** Remembers how this process logs. */
  ExitLog() {
    sink = isOfJdk() ? new JdkSink() : new SystemSink();
  }

  private static boolean isOfJdk() {
    return "java.logging".equals(LoggerFinder.getLoggerFinder().getClass().getModule().getName());
  }

  void warning(String message) {
    sink.warning(message);
  }

  /** The logger of another library, or that of a JDK without java.logging. */
  private static final class SystemSink implements Sink {
    private static final System.Logger LOG = System.getLogger(NAME);

    @Override
    public void warning(String message) {
      LOG.log(Level.WARNING, message);
    }
  }

  /** The handlers of java.util.logging. */
  private static final class JdkSink implements Sink {
    private final Logger logger = Logger.getLogger(NAME);
    private final List<Handler> before = handlers();

    private List<Handler> handlers() {
      List<Handler> all = new ArrayList<>();
      for (var each = logger; each != null; each = each.getParent()) {
        all.addAll(List.of(each.getHandlers()));
        if (!each.getUseParentHandlers()) {
          break;
        }
      }
      return all;
    }

    @Override
    public void warning(String message) {
      var record = new LogRecord(java.util.logging.Level.WARNING, message);
      record.setLoggerName(NAME);
      record.setSourceClassName(null); // else that of this class
      var now = handlers();
      for (var each : now.isEmpty() ? before : now) {
        each.publish(record);
        each.flush();
      }
    }
  }
}
