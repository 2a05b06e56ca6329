package org.troupe.em3d.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.troupe.em3d.mesh.CellCorners;

class VtkPieceTest {

  private static final int CELLS = 4_000; // of several buffers
  private static final FieldInstant MOMENT = new FieldInstant(3, 0.5);

  private final Random random = new Random(1);
  private final CellCorners corners =
      new CellCorners(
          random.doubles(3 * CELLS).toArray(), random.ints(4 * CELLS, 0, CELLS).toArray());
  private final double[] field = random.doubles(3 * CELLS).toArray();

  /** Full after some writes. */
  private static final class FullDisk extends OutputStream {

    private int left;

    private FullDisk(int writes) {
      left = writes;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[1], 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (left-- == 0) {
        throw new IOException("no room");
      }
    }
  }

  private byte[] written(VtkPiece piece) throws IOException {
    var bytes = new ByteArrayOutputStream();
    piece.write(bytes, MOMENT, field, field);
    return bytes.toByteArray();
  }

  @Test
  void isWholeAfterAnotherFailedAtWhicheverWrite() throws IOException {
    var whole = written(new VtkPiece(corners, 0));
    var writes = 0;
    for (var isFull = true; isFull; writes++) {
      var piece = new VtkPiece(corners, 0);
      var disk = new FullDisk(writes);
      try {
        piece.write(disk, MOMENT, field, field);
        isFull = false;
      } catch (IOException e) {
        assertThat(e).hasMessage("no room");
        assertThatThrownBy(() -> piece.write(new FullDisk(1), MOMENT, field, field))
            .as("once more, after %d writes", writes)
            .hasMessage("no room");
      }

      assertThat(written(piece)).as("after %d writes", writes).isEqualTo(whole);
    }
    assertThat(writes).isGreaterThan(15);
  }
}
