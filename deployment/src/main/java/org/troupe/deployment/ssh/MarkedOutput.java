package org.troupe.deployment.ssh;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import org.troupe.deployment.process.ShellLine;

/**
 * The output of a line of {@link ShellLine} after the mark and the process id; the whole output, if
 * the shell failed before it printed these.
 */
final class MarkedOutput extends FilterInputStream {

  private static final int LONGEST = 1 << 16;

  private boolean isPassed; // under this
  private volatile long pid; // 0 before it is known

  MarkedOutput(InputStream all) {
    super(all);
  }

  /** Returns the process id; 0 before the mark has been read. */
  long pid() {
    return pid;
  }

  @Override
  public synchronized int read() throws IOException {
    passMark();
    return in.read();
  }

  @Override
  public synchronized int read(byte[] bytes, int from, int length) throws IOException {
    passMark();
    return in.read(bytes, from, length);
  }

  @Override
  public synchronized int available() throws IOException {
    return isPassed ? in.available() : 0;
  }

  /** Reads up to the mark and the process id, unless that has been done. */
  synchronized void passMark() throws IOException {
    if (isPassed) {
      return;
    }
    isPassed = true;
    var before = new ByteArrayOutputStream();
    for (int c; before.size() < LONGEST && (c = in.read()) >= 0; before.write(c)) {
      if (c == ShellLine.MARK) {
        pid = number();
        return;
      }
    }
    in = new SequenceInputStream(new ByteArrayInputStream(before.toByteArray()), in);
  }

  private long number() throws IOException {
    var digits = new ByteArrayOutputStream();
    for (int c; (c = in.read()) >= '0'; ) {
      digits.write(c);
    }
    return Long.parseLong(digits.toString(StandardCharsets.US_ASCII));
  }
}
