package org.troupe.store.s3;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A part of a journal, which is one object of the bucket.
 *
 * @param state of the journal after this part
 * @param writer identifies the opening of the journal in which the part was written
 * @param attempt identifies the put of this part
 */
record JournalPart(State state, long epoch, UUID writer, long attempt, Content content) {

  /*
   * Design: a chain of slots
   *
   *   <prefix>journals/<name>/<slot>             a part, in the slot of that number
   *   <prefix>images/<name>/<slot>-<attempt>     the content of an image, which counts when a part says so
   *
   * All parts of a journal, whatever their epoch, form one chain: slot n + 1 is written after slot n, and created by a put
   * with If-None-Match, so that each slot has one writer. To open a journal is to append an Opened part. A process that has opened
   * it before finds its next slot taken, by that part or by a later one, and has written its last part: its epoch is lower, or it
   * was opened before. No clock is involved, and the content of a chain has one order.
   *
   * The highest slot of a chain is never deleted, so a slot is free only if it was never used, or if a higher one was. An opening may
   * have read the chain before its next slot was used and, behind an image, deleted again. It therefore lists the
   * slots once more after it has created its own: it has opened the journal if that is the last one, else its part lies before
   * 'firstSlot' and it begins anew. A list is no snapshot, so parts that it lacks are missed only if the next list ends with
   * the same part.
   *
   * To delete a journal is to append a Deleted part, which stays. A process that has read the chain before finds its next slot taken, and a new
   * journal of the name begins behind it. The next run looks for such parts before it uses the store, and then deletes them: nothing of the former run
   * reads or writes any more. Its own chains begin at a slot that no earlier run can have reached (RunLease), so that a put which is still under way from there
   * has no effect on them. A list shows which journals are deleted, as a Deleted part is the only one of its length.
   *
   * Each part says where the last image is and from which slot on parts are needed, so the last part is all that an opening has to
   * read. An image is uploaded under a key of its own, which no process reads until an Imaged part names it. Then slots before
   * 'firstSlot' are deleted, except the Opened part of the writer: it stays until the next opening, so that the writer before finds
   * its slot taken. A writer that was left behind by several openings may write into a slot that was deleted. That has no effect,
   * as the slot lies before 'firstSlot'.
   *
   * A put may be done although its answer was lost. A writer that finds a slot taken reads it: a part of the same attempt is
   * done; one of an earlier attempt of the same writer, an image, has been done after all, and is taken over.
   *
   * Format: MAGIC, version, kind, epoch, writer, attempt, state, content, and CRC-32C of all that.
   */
  private static final int MAGIC = 0x54525053;
  private static final byte VERSION = 1;
  private static final int HEAD = 4 + 1 + 1 + 8 + 16 + 8 + 5 * 8;
  private static final int LARGEST_NAME = 1 << 10;

  /** The length of a {@link Deleted} part, and of no other: that of an Opened one, and a byte. */
  static final int DELETED_LENGTH = HEAD + 1 + Integer.BYTES;

  /**
   * The state of a journal after a part.
   *
   * @param slot of the part
   * @param firstSlot the first slot that is still needed
   * @param imageSlot of the part that names the last image; 0 for none
   * @param upTo the last record whose effect the image contains
   * @param last the last record
   */
  record State(long slot, long firstSlot, long imageSlot, long upTo, long last) {}

  /** The contents of a part. */
  sealed interface Content {}

  /** The journal was opened. */
  record Opened() implements Content {}

  /** Records were appended. */
  record Appended(long first, List<byte[]> records) implements Content {}

  /**
   * An image was written.
   *
   * @param key of its object, behind that of all images of the journal
   */
  record Imaged(String key, long length, int checksum) implements Content {}

  /** The journal is deleted. */
  record Deleted() implements Content {}

  private static byte kind(Content content) {
    return switch (content) {
      case Opened() -> 'O';
      case Appended _ -> 'A';
      case Imaged _ -> 'I';
      case Deleted() -> 'D';
    };
  }

  /** Returns the content of the object. */
  ObjectContent encode() {
    List<ByteBuffer> pieces = new ArrayList<>();
    var head = ByteBuffer.allocate(HEAD);
    head.putInt(MAGIC).put(VERSION).put(kind(content)).putLong(epoch);
    head.putLong(writer.getMostSignificantBits()).putLong(writer.getLeastSignificantBits());
    head.putLong(attempt).putLong(state.slot()).putLong(state.firstSlot());
    head.putLong(state.imageSlot()).putLong(state.upTo()).putLong(state.last());
    pieces.add(head.flip());
    switch (content) {
      case Appended(var first, var records) -> {
        pieces.add(ByteBuffer.allocate(12).putLong(first).putInt(records.size()).flip());
        for (var record : records) {
          pieces.add(ByteBuffer.allocate(4).putInt(record.length).flip());
          pieces.add(ByteBuffer.wrap(record));
        }
      }
      case Imaged(var key, var length, var checksum) -> {
        var name = key.getBytes(US_ASCII);
        pieces.add(
            ByteBuffer.allocate(16 + name.length)
                .putLong(length)
                .putInt(checksum)
                .putInt(name.length)
                .put(name)
                .flip());
      }
      case Deleted() -> pieces.add(ByteBuffer.allocate(1));
      case Opened() -> {}
    }
    var sum = new CRC32C();
    pieces.forEach(piece -> sum.update(piece.duplicate()));
    pieces.add(ByteBuffer.allocate(4).putInt((int) sum.getValue()).flip());
    return new ObjectContent(pieces);
  }

  /**
   * Reads a part.
   *
   * @throws IOException if the bytes are not those of a part in that slot, with the reason
   */
  static JournalPart decode(byte[] bytes, long slot) throws IOException {
    if (bytes.length < Integer.BYTES) {
      throw new IOException("it has " + bytes.length + " bytes");
    }
    var all = ByteBuffer.wrap(bytes, 0, bytes.length - Integer.BYTES);
    var sum = new CRC32C();
    sum.update(all.duplicate());
    var expected = ByteBuffer.wrap(bytes, bytes.length - Integer.BYTES, Integer.BYTES).getInt();
    if ((int) sum.getValue() != expected) {
      throw new IOException("its " + bytes.length + " bytes do not match their checksum");
    }
    try {
      return decode(all, slot);
    } catch (BufferUnderflowException cut) {
      throw new IOException("it ends too early", cut);
    }
  }

  private static JournalPart decode(ByteBuffer all, long slot) throws IOException {
    if (all.getInt() != MAGIC) {
      throw new IOException("it is no part of a journal");
    }
    var version = all.get();
    if (version != VERSION) {
      throw new IOException("it has version " + version + " of the format, not " + VERSION);
    }
    var kind = all.get();
    var epoch = all.getLong();
    var writer = new UUID(all.getLong(), all.getLong());
    var attempt = all.getLong();
    var state =
        new State(all.getLong(), all.getLong(), all.getLong(), all.getLong(), all.getLong());
    if (state.slot() != slot) {
      throw new IOException("it is the part of slot " + state.slot());
    }
    var content =
        switch (kind) {
          case 'O' -> new Opened();
          case 'D' -> new Deleted();
          case 'A' -> appended(all);
          case 'I' -> imaged(all);
          default -> throw new IOException("it is of an unknown kind, " + kind);
        };
    return new JournalPart(state, epoch, writer, attempt, content);
  }

  private static Appended appended(ByteBuffer all) throws IOException {
    var first = all.getLong();
    var count = all.getInt();
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      var length = all.getInt();
      if (length < 0 || length > all.remaining()) {
        throw new IOException("it has a record of " + length + " bytes");
      }
      var record = new byte[length];
      all.get(record);
      records.add(record);
    }
    return new Appended(first, records);
  }

  private static Imaged imaged(ByteBuffer all) throws IOException {
    var length = all.getLong();
    var checksum = all.getInt();
    var size = all.getInt();
    if (size < 0 || size > LARGEST_NAME) {
      throw new IOException("it names an image by " + size + " bytes");
    }
    var name = new byte[size];
    all.get(name);
    return new Imaged(new String(name, US_ASCII), length, checksum);
  }
}
