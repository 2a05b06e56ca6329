package org.troupe.activeobjects.internal.membership;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.object.NodeObjects;

/** The report of a node on its own state. */
final class SelfReport {

  private SelfReport() {}

  /**
   * Makes a report.
   *
   * @param pending how many results of calls to other nodes have not arrived
   * @param trouble what prevents the node from serving; empty if nothing does
   */
  static NodeReport of(ActivityReporter.Report report, int pending, String trouble) {
    var process = ProcessUse.ofThisJvm();
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return new NodeReport(
        heap.getUsed(),
        heap.getMax(),
        HeapAfterCollection.bytes(),
        process.residentBytes(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        process.processorNanos(),
        TimeUnit.MILLISECONDS.toNanos(
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(each -> Math.max(0, each.getCollectionTime()))
                .sum()),
        TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getRuntimeMXBean().getUptime()),
        report.objects(),
        report.queued(),
        report.waiting(),
        pending,
        trouble,
        report.activity());
  }

  private static boolean isUsers(Body body) {
    return !NodeObjects.isService(body.identity()) && !body.hasLeft();
  }

  /**
   * Returns the call or future that an object waits for without a time limit; else an empty text.
   */
  private static String waitingFor(Body body) {
    var awaited = body.waitingFor;
    return awaited == null || !awaited.isAwaited() ? "" : awaited.describe();
  }

  /**
   * Returns a line for each active object, and the stack traces of all threads, virtual ones too.
   */
  static String stack(Collection<Body> bodies) throws IOException {
    var text = new StringBuilder();
    for (var each : bodies) {
      if (isUsers(each)) {
        var waitingFor = waitingFor(each);
        text.append(each.type().name())
            .append(" (number ")
            .append(each.number())
            .append("): ")
            .append(each.queued())
            .append(" queued")
            .append(waitingFor.isEmpty() ? "" : ", waits for " + waitingFor)
            .append('\n');
        if (each.hasExtensions()) {
          each.extensions().waits().forEach(line -> text.append("  ").append(line).append('\n'));
        }
      }
    }
    var folder = Files.createTempDirectory("troupe-stack");
    var file = folder.resolve("threads.txt"); // dumpThreads requires that it does not exist
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
      return text.append('\n').append(Files.readString(file)).toString();
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }
}
