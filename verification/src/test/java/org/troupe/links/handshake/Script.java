package org.troupe.links.handshake;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Fuzzed bytes that decide what a peer does; zeros follow their end. */
final class Script {

  private final ByteBuffer bytes;

  Script(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  byte[] take(int count) {
    byte[] taken = new byte[Math.min(count, bytes.remaining())];
    bytes.get(taken);
    return Arrays.copyOf(taken, count);
  }

  /** Takes the remaining bytes, up to a limit. */
  byte[] rest(int most) {
    return take(Math.min(most, bytes.remaining()));
  }

  int choice() {
    return take(1)[0];
  }
}
