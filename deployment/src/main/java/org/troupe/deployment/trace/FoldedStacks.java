package org.troupe.deployment.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * The samples of the profiler in the recordings of all nodes as folded stacks, the input of flame
 * graphs: a line for each stack with the number of its samples, whose outermost frames are the node
 * and the class of the active object. Used by one thread.
 */
public final class FoldedStacks extends FlightWriter {

  /*
   * A stack is that of a service if it contains the call by which a stub invokes a method of an object. The frames above it are
   * those of the program, and the first of them has the class of the object, or one that it extends. The frames below are the
   * middleware's, and left out. Other stacks are those of threads, and keep all of their frames.
   *
   * Each file lies in a temporary file until it has been read, since the recorder's files cannot be read as a stream.
   */
  private static final String STUBS = "$$TroupeStub$";

  private static final String INVOKE = "troupe$invoke";
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String THREADS = "threads";

  private final OutputStream out;
  private final Map<String, Long> stacks = new TreeMap<>();
  private @Nullable Path file; // of the node whose parts come
  private long samples;

  /** Creates stacks that are written to a stream at the end. */
  public FoldedStacks(OutputStream out) {
    this.out = out;
  }

  @Override
  void begins(FlightRecord.Node node) throws IOException {
    file = Files.createTempFile("troupe-", ".jfr");
  }

  @Override
  void append(FlightRecord.Part part) throws IOException {
    if (file != null) {
      Files.write(file, part.data(), StandardOpenOption.APPEND);
    }
  }

  @Override
  void ends(String node, boolean isWhole) throws IOException {
    var known = file;
    file = null;
    if (known == null) {
      return;
    }
    try {
      if (isWhole) {
        read(node, known);
      }
    } finally {
      Files.deleteIfExists(known);
    }
  }

  private void read(String node, Path recording) throws IOException {
    try (var events = new RecordingFile(recording)) {
      while (events.hasMoreEvents()) {
        var event = events.readEvent();
        var stack = event.getStackTrace();
        if (stack != null && event.getEventType().getName().equals(SAMPLE)) {
          stacks.merge(node + ";" + folded(stack), 1L, Long::sum);
          samples++;
        }
      }
    }
  }

  /** Returns a stack from its outermost frame on. */
  private static String folded(RecordedStackTrace stack) {
    List<String> frames = new ArrayList<>();
    var first = THREADS;
    for (var frame : stack.getFrames()) { // the innermost first
      if (isInvocation(frame)) {
        first = frames.isEmpty() ? THREADS : typeOf(frames.getLast());
        break;
      }
      frames.add(frame.getMethod().getType().getName() + "." + frame.getMethod().getName());
    }
    frames.add(first);
    return String.join(";", frames.reversed());
  }

  private static boolean isInvocation(RecordedFrame frame) {
    return frame.getMethod().getName().startsWith(INVOKE)
        && frame.getMethod().getType().getName().contains(STUBS);
  }

  private static String typeOf(String frame) {
    return TraceTracks.simple(frame.substring(0, frame.lastIndexOf('.')));
  }

  @Override
  public void finish() throws IOException {
    super.finish();
    var writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    for (var each : stacks.entrySet()) {
      writer.write(each.getKey() + " " + each.getValue() + "\n");
    }
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }

  /** Returns how many samples there are. */
  public long samples() {
    return samples;
  }
}
