package org.troupe.benchmarks.bare;

import java.io.IOException;

/** A listener for one link. */
public interface BareListener extends AutoCloseable {

  /** Returns the address for {@link BareDriver#connect}, a single line. */
  String address();

  /** Waits until the other process connects. */
  BareLink accept() throws IOException;

  @Override
  void close() throws IOException;
}
