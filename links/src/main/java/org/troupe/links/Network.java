package org.troupe.links;

import java.net.InetAddress;

/**
 * The addresses that begin with the same bits.
 *
 * @param bits how many
 */
public record Network(byte[] prefix, int bits) {

  /**
   * Reads a text such as {@code 10.1.0.0/16}, or a single address.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    try {
      byte[] prefix =
          InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
      int bits = slash < 0 ? prefix.length * 8 : Integer.parseInt(text.substring(slash + 1));
      if (bits >= 0 && bits <= prefix.length * 8) {
        return new Network(prefix, bits);
      }
    } catch (IllegalArgumentException _) {
      // said below
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no network; write an address and how many bits count, as 10.1.0.0/16");
  }

  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length != prefix.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      if (((bytes[bit / 8] ^ prefix[bit / 8]) & 0x80 >> bit % 8) != 0) {
        return false;
      }
    }
    return true;
  }
}
