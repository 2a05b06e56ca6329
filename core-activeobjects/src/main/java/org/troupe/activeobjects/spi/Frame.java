package org.troupe.activeobjects.spi;

/**
 * The unit of communication: opaque to transports, which deliver both parts as they are.
 *
 * @param header small, made for one receiver
 * @param body the encoded call; may be shared by frames to many receivers, so it is never changed
 */
public record Frame(byte[] header, byte[] body) {

  private static final byte[] NOTHING = {};

  /** A frame that is all header. */
  public Frame(byte[] header) {
    this(header, NOTHING);
  }

  /** Returns how many bytes the two parts have. */
  public long size() {
    return (long) header.length + body.length;
  }
}
