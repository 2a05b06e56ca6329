package org.troupe.links;

import java.net.InetAddress;

/**
 * A range of IP addresses with a common prefix.
 *
 * @param prefix an address of the network; not copied, and not changed afterwards
 * @param bits the length of the prefix
 */
public record Network(byte[] prefix, int bits) {

  /**
   * Parses a network such as {@code 10.1.0.0/16}, or a single address.
   *
   * @throws IllegalArgumentException if the text is no network
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
      // reported below
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is no network; write an address and the length of its prefix, such as 10.1.0.0/16");
  }

  /** Returns whether an address begins with the prefix. */
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
