package org.troupe.benchmarks.bare;

import java.io.IOException;

/** Waits for one link. */
public interface BareListener extends AutoCloseable {

  /** Returns what the other process needs to connect, in a line. */
  String address();

  /** Waits for the other process. */
  BareLink accept() throws IOException;

  @Override
  void close() throws IOException;
}
