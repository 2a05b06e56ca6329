package org.troupe.mpj.launch;

import java.io.IOException;
import java.io.InputStream;

/** The standard input of a JVM with ranks: each thread reads that of its rank. */
final class RankInput extends InputStream {

  private static final InheritableThreadLocal<InputStream> OF_THREAD =
      new InheritableThreadLocal<>();

  private final InputStream ofOthers;

  private RankInput(InputStream ofOthers) {
    this.ofOthers = ofOthers;
  }

  /** Gives the current thread, and those that it starts, an input of their own. */
  static synchronized void enter(InputStream input) {
    OF_THREAD.set(input);
    if (!(System.in instanceof RankInput)) {
      System.setIn(new RankInput(System.in));
    }
  }

  /** Returns the standard input of the JVM itself. */
  static InputStream ofJvm() {
    return System.in instanceof RankInput ranks ? ranks.ofOthers : System.in;
  }

  static void leave() {
    OF_THREAD.remove();
  }

  private InputStream current() {
    var own = OF_THREAD.get();
    return own == null ? ofOthers : own;
  }

  @Override
  public int read() throws IOException {
    return current().read();
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return current().read(into, offset, length);
  }

  @Override
  public int available() throws IOException {
    return current().available();
  }
}
