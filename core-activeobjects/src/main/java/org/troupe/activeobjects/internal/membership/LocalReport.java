package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.NodeReport;

/** The report of this node, which is there at once. */
record LocalReport(NodeReport report, long arrivedNanos) implements AwaitedReport {

  @Override
  public NodeReport get(long nanos) {
    return report;
  }
}
