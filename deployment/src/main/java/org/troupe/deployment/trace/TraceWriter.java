package org.troupe.deployment.trace;

import java.io.Closeable;
import java.io.IOException;

/** Writes a trace to a file as its records come. Used by one thread. */
public interface TraceWriter extends Closeable {

  /** Adds a record; the first one is a {@link TraceRecord.Begin}. */
  void add(TraceRecord written) throws IOException;

  /** Completes the file, whose stream remains open. */
  @Override
  void close() throws IOException;
}
