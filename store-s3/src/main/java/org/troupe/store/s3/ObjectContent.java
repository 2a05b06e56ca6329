package org.troupe.store.s3;

import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The content of an object, in pieces that are not copied.
 *
 * @param pieces must not change until the content has been sent
 */
record ObjectContent(List<ByteBuffer> pieces) {

  static ObjectContent of(ByteBuffer... pieces) {
    List<ByteBuffer> own = new ArrayList<>();
    for (var piece : pieces) {
      own.add(piece.asReadOnlyBuffer());
    }
    return new ObjectContent(own);
  }

  static ObjectContent of(byte[] bytes) {
    return of(ByteBuffer.wrap(bytes));
  }

  long length() {
    return pieces.stream().mapToLong(ByteBuffer::remaining).sum();
  }

  int checksum() {
    var sum = new CRC32C();
    pieces.forEach(piece -> sum.update(piece.duplicate()));
    return (int) sum.getValue();
  }

  /** Returns a part of this content. */
  ObjectContent slice(long from, long length) {
    List<ByteBuffer> own = new ArrayList<>();
    var begin = 0L;
    for (var piece : pieces) {
      var end = begin + piece.remaining();
      var first = Math.max(from, begin);
      var last = Math.min(from + length, end);
      if (first < last) {
        own.add(piece.slice((int) (piece.position() + first - begin), (int) (last - first)));
      }
      begin = end;
    }
    return new ObjectContent(own);
  }

  /** Returns a stream of the content, from its begin; several may be read at the same time. */
  InputStream stream() {
    List<InputStream> streams = new ArrayList<>();
    pieces.forEach(piece -> streams.add(new PieceStream(piece.duplicate())));
    return new SequenceInputStream(Collections.enumeration(streams));
  }

  /** A piece as a stream. */
  private static final class PieceStream extends InputStream {
    private final ByteBuffer piece;

    PieceStream(ByteBuffer piece) {
      this.piece = piece;
    }

    @Override
    public int read() {
      return piece.hasRemaining() ? piece.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      var count = Math.min(length, piece.remaining());
      piece.get(to, offset, count);
      return count == 0 ? -1 : count;
    }

    @Override
    public int available() {
      return piece.remaining();
    }
  }
}
