package org.troupe.pages;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;

/** Counts what is written. */
final class CountingStream extends FilterOutputStream {

  private final LongAdder count;

  CountingStream(OutputStream out, LongAdder count) {
    super(out);
    this.count = count;
  }

  @Override
  public void write(int value) throws IOException {
    out.write(value);
    count.increment();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    count.add(length);
  }
}
