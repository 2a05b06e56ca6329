package org.troupe.deployment.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message in the encoding of Protocol Buffers while it is being written. A message can be cleared
 * and used again.
 */
final class ProtoMessage {

  /*
   * The encoding has four kinds of fields in use: numbers of seven bits per byte, numbers of eight bytes, and texts or messages with
   * their length. See https://protobuf.dev/programming-guides/encoding. A library would bring its code generator into the build, and
   * Perfetto's schema of some thousand messages, of which ten are needed.
   */
  private static final int VARINT = 0;

  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;

  private static final int LONGEST_VARINT = 10;

  private byte[] bytes = new byte[256];
  private int size;

  ProtoMessage clear() {
    size = 0;
    return this;
  }

  int size() {
    return size;
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  private void varint(long value) {
    ensure(LONGEST_VARINT);
    var rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void tag(int field, int kind) {
    varint((long) field << 3 | kind);
  }

  /** Writes a number, boolean or constant of an enumeration. */
  ProtoMessage number(int field, long value) {
    tag(field, VARINT);
    varint(value);
    return this;
  }

  /** Writes a number of eight bytes. */
  ProtoMessage fixed(int field, long value) {
    tag(field, FIXED64);
    ensure(Long.BYTES);
    for (var i = 0; i < Long.BYTES; i++) {
      bytes[size++] = (byte) (value >>> 8 * i);
    }
    return this;
  }

  ProtoMessage text(int field, String text) {
    var encoded = text.getBytes(StandardCharsets.UTF_8);
    return field(field, encoded, encoded.length);
  }

  ProtoMessage message(int field, ProtoMessage inner) {
    return field(field, inner.bytes, inner.size);
  }

  private ProtoMessage field(int field, byte[] content, int length) {
    tag(field, LENGTH);
    varint(length);
    ensure(length);
    System.arraycopy(content, 0, bytes, size, length);
    size += length;
    return this;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }
}
