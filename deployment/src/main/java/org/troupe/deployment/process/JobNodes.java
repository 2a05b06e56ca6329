package org.troupe.deployment.process;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The nodes of a job: their processes, and the steps that depend on all of them. The job is
 * submitted when all have their settings, and finished when all have ended. Thread-safe.
 */
public final class JobNodes {

  private final List<JobProcess> processes;

  // guarded by this
  private final byte[][] settings;
  private final boolean[] isUnneeded;
  private final boolean[] hasEnded;
  private boolean isSubmitting;

  public JobNodes(JobProcess.Job job, int count) {
    processes = IntStream.range(0, count).mapToObj(rank -> new JobProcess(job, rank)).toList();
    settings = new byte[count][];
    isUnneeded = new boolean[count];
    hasEnded = new boolean[count];
  }

  public int count() {
    return processes.size();
  }

  public JobProcess get(int rank) {
    return processes.get(rank);
  }

  /** Returns the processes by rank. */
  public List<JobProcess> all() {
    return processes;
  }

  /**
   * Takes the settings of a node.
   *
   * @return whether the job is to be submitted now: all nodes have their settings, and not all have
   *     ended
   */
  public synchronized boolean takeSettings(int rank, byte[] its) {
    settings[rank] = its;
    if (isSubmitting || haveAllEnded() || !Arrays.stream(settings).allMatch(Objects::nonNull)) {
      return false;
    }
    isSubmitting = true;
    return true;
  }

  /** Returns whether the job was to be submitted. */
  public synchronized boolean isSubmitting() {
    return isSubmitting;
  }

  /** Returns the settings by rank, when all nodes have theirs. */
  public synchronized List<byte[]> settings() {
    return List.of(settings);
  }

  /** Returns the content of the file from which each node of a job reads its settings. */
  public static byte[] settingsFile(List<byte[]> settings) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeInt(settings.size());
    for (var each : settings) {
      out.writeInt(each.length);
      out.write(each);
    }
    return bytes.toByteArray();
  }

  /**
   * Records that a node is not needed any more.
   *
   * @return whether none of those that have not ended is
   */
  public synchronized boolean isLastNeeded(int rank) {
    isUnneeded[rank] = true;
    return IntStream.range(0, count()).allMatch(each -> isUnneeded[each] || hasEnded[each]);
  }

  /** Returns whether a node has ended. */
  public synchronized boolean hasEnded(int rank) {
    return hasEnded[rank];
  }

  /**
   * Ends a node, unless it has ended.
   *
   * @return whether it was the last one, so that the job is to be finished
   */
  public boolean end(int rank, int code, String why, String account) {
    boolean isLast;
    synchronized (this) {
      if (hasEnded[rank]) {
        return false;
      }
      hasEnded[rank] = true;
      isLast = haveAllEnded();
    }
    get(rank).ended(code, why, account);
    return isLast;
  }

  private boolean haveAllEnded() {
    return IntStream.range(0, count()).allMatch(rank -> hasEnded[rank]);
  }
}
