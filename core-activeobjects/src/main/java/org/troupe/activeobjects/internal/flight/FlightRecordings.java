package org.troupe.activeobjects.internal.flight;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.RecordingStart;

/** Recordings of this JVM that another process has asked for: one at a time. Thread-safe. */
public final class FlightRecordings {

  /*
   * Design: a recording that leaves nothing behind
   *
   * The client starts a recording, which ends by itself, reads it in parts, and discards it. It may be lost or give up at any step, so each
   * recording has a lease: a thread discards it when nothing has been asked for LEASE_SECONDS after the end of the wanted time, or
   * after the last part. The data lie in the recorder's own repository, from which they are read without a copy; to close the
   * recording deletes them, and the recorder itself deletes its repository when the JVM ends in an orderly way.
   *
   * Size: the recorder drops the oldest chunks of a recording beyond its limit, and the start fails if the disk has not
   * room for twice the limit, since chunks of 12 MB are dropped as a whole.
   */
  private static final long LEASE_SECONDS = 60;

  private static final int PART_BYTES = 1 << 18;
  private static final long LEAST_BYTES = 1 << 20;
  private static final String NAME = "troupe";
  private static final List<String> SETTINGS = List.of("default", "profile");

  private static @Nullable FlightRecordings current; // guarded by the class

  private final long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  private final Recording recording;
  private @Nullable InputStream data; // null before it is read; guarded by the class
  private @Nullable ScheduledFuture<?> lease; // guarded by the class

  private static final ScheduledThreadPoolExecutor LEASES = leases();

  private FlightRecordings(Recording recording) {
    this.recording = recording;
  }

  private static ScheduledThreadPoolExecutor leases() {
    ThreadFactory daemons =
        work -> Thread.ofPlatform().daemon().name("troupe-recordings").unstarted(work);
    var leases = new ScheduledThreadPoolExecutor(1, daemons);
    leases.setKeepAliveTime(1, TimeUnit.SECONDS);
    leases.allowCoreThreadTimeOut(true);
    leases.setRemoveOnCancelPolicy(true);
    return leases;
  }

  /**
   * Starts a recording.
   *
   * @param settings the name of a configuration of the JDK, {@code default} or {@code profile}
   * @param seconds for how long
   * @param mostBytes the size beyond which its oldest part is dropped
   * @throws IOException whose message says why there can be none now
   */
  public static synchronized RecordingStart start(String settings, long seconds, long mostBytes)
      throws IOException {
    if (current != null) {
      throw new IOException(
          "this JVM is being recorded for another client; try again when that has ended");
    }
    requireSpace(mostBytes);
    var recording = new Recording(configuration(settings));
    try {
      recording.setName(NAME);
      recording.setToDisk(true);
      recording.setMaxSize(Math.max(LEAST_BYTES, mostBytes));
      recording.setDuration(Duration.ofSeconds(Math.max(1, seconds)));
      FlightSwitch.register();
      recording.start();
    } catch (RuntimeException e) {
      recording.close();
      throw new IOException("the recorder of this JVM cannot start: " + e.getMessage(), e);
    }
    var made = new FlightRecordings(recording);
    current = made;
    made.renew(seconds + LEASE_SECONDS);
    var now = Instant.now();
    return new RecordingStart(
        made.id, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano(), System.nanoTime());
  }

  private static Configuration configuration(String settings) throws IOException {
    if (!SETTINGS.contains(settings)) {
      throw new IOException(
          "there are no settings '%s'; choose from %s"
              .formatted(settings, String.join(", ", SETTINGS)));
    }
    try {
      return Configuration.getConfiguration(settings);
    } catch (ParseException e) {
      throw new IOException("the settings '" + settings + "' of this JDK cannot be read", e);
    }
  }

  private static void requireSpace(long mostBytes) throws IOException {
    var folder = Path.of(System.getProperty("java.io.tmpdir"));
    var usable = Files.getFileStore(folder).getUsableSpace();
    if (usable / 2 < mostBytes) {
      throw new IOException(
          "a recording of up to %d MiB needs twice as much in %s, which has %d MiB left; record less, or free some"
              .formatted(mostBytes >> 20, folder, usable >> 20));
    }
  }

  private void renew(long seconds) {
    if (lease != null) {
      lease.cancel(false);
    }
    lease = LEASES.schedule(() -> discard(id), seconds, TimeUnit.SECONDS);
  }

  private static FlightRecordings known(long id) throws IOException {
    var known = current;
    if (known == null || known.id != id) {
      throw new IOException(
          "the recording was discarded, since its client was silent for too long");
    }
    return known;
  }

  /**
   * Returns the next part of a recording, which ends with the first one; empty after the last one.
   */
  public static synchronized byte[] next(long id) throws IOException {
    var known = known(id);
    known.renew(LEASE_SECONDS);
    if (known.data == null) {
      if (known.recording.getState() == RecordingState.RUNNING) {
        known.recording.stop();
      }
      known.data = known.recording.getStream(null, null);
    }
    return known.data == null ? new byte[0] : known.data.readNBytes(PART_BYTES);
  }

  /** Ends and deletes a recording, if it is still there. */
  public static synchronized void discard(long id) {
    var known = current;
    if (known == null || known.id != id) {
      return;
    }
    current = null;
    if (known.lease != null) {
      known.lease.cancel(false);
    }
    try {
      if (known.data != null) {
        known.data.close();
      }
    } catch (IOException e) {
      // Only the reader's own file is not closed in order.
    } finally {
      known.recording.close();
    }
  }
}
