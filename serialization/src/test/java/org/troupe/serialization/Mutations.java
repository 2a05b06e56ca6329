package org.troupe.serialization;

import java.util.Arrays;
import java.util.Random;

/** Messages as accident or malice may change them. */
final class Mutations {

  /** Numbers of variable width that mean much: -1, 2^31-1, 2^28, 2^20, 65535, 127, 64. */
  private static final byte[][] NUMBERS = {
    {-1, -1, -1, -1, 0x0f},
    {-1, -1, -1, -1, 0x07},
    {-128, -128, -128, -128, 0x01},
    {-128, -128, 0x40},
    {-1, -1, 0x03},
    {0x7f},
    {0x40},
  };

  private Mutations() {}

  /**
   * Returns a copy with one to three changes: bytes set, bits turned, cut off, put in, taken out,
   * repeated or exchanged, or a number of some meaning.
   */
  static byte[] of(byte[] original, Random random) {
    byte[] bytes = original.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(bytes.length);
      int some = Math.min(1 + random.nextInt(8), bytes.length - at);
      switch (random.nextInt(8)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 3 -> bytes = spliced(bytes, at, 0, new byte[] {bytes[at]});
        case 4 -> bytes = spliced(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + some));
        case 5 -> bytes = spliced(bytes, at, Math.min(some, bytes.length - 1), new byte[0]);
        case 6 -> {
          byte[] number = NUMBERS[random.nextInt(NUMBERS.length)];
          bytes = spliced(bytes, at, Math.min(random.nextInt(2), bytes.length - at), number);
        }
        default -> {
          int other = random.nextInt(bytes.length);
          byte there = bytes[other];
          bytes[other] = bytes[at];
          bytes[at] = there;
        }
      }
    }
    return bytes;
  }

  /** Returns the bytes with some at an index taken out and others put in there. */
  private static byte[] spliced(byte[] bytes, int at, int removed, byte[] added) {
    byte[] result = new byte[Math.max(1, bytes.length - removed + added.length)];
    System.arraycopy(bytes, 0, result, 0, Math.min(at, result.length));
    System.arraycopy(added, 0, result, at, added.length);
    int rest = Math.min(at + removed, bytes.length);
    System.arraycopy(bytes, rest, result, at + added.length, bytes.length - rest);
    return result;
  }
}
