package org.troupe.serialization;

import java.util.Arrays;
import java.util.Random;

/** Messages as accident or malice may change them. */
final class Mutations {

  private Mutations() {}

  /** Returns a copy with one to three changes: bytes set, bits turned, cut off or put in. */
  static byte[] of(byte[] original, Random random) {
    byte[] bytes = original.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
          System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }
}
