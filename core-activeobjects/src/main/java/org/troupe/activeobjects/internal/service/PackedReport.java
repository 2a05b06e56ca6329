package org.troupe.activeobjects.internal.service;

import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.serialization.SerializationException;

/**
 * The report of a node as it travels: in few types, as a node generates code for each.
 *
 * @param numbers the numbers of the report, in the order of its components
 * @param activity the activity, as {@link ActivityCodec} encodes it
 */
public record PackedReport(long[] numbers, String trouble, byte[] activity) {

  private static final int NUMBERS = 12;

  public static PackedReport of(NodeReport report) {
    return new PackedReport(
        new long[] {
          report.heapUsedBytes(),
          report.heapMostBytes(),
          report.heapKeptBytes(),
          report.residentBytes(),
          report.threads(),
          report.cpuNanos(),
          report.collectionNanos(),
          report.upNanos(),
          report.objects(),
          report.queued(),
          report.waiting(),
          report.pending()
        },
        report.trouble(),
        ActivityCodec.encode(report.activity()));
  }

  /**
   * Returns the report.
   *
   * @throws SerializationException if it is damaged
   */
  NodeReport unpacked() {
    if (numbers.length != NUMBERS) {
      throw new SerializationException("the report of a node has " + numbers.length + " numbers");
    }
    return new NodeReport(
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        (int) numbers[4],
        numbers[5],
        numbers[6],
        numbers[7],
        (int) numbers[8],
        (int) numbers[9],
        (int) numbers[10],
        (int) numbers[11],
        trouble,
        ActivityCodec.decode(activity));
  }
}
