package org.troupe.em3d.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.em3d.maxwell.PolynomialOrder;

class RunCheckpointTest {

  private static final int CELLS = 50_000; // more than a buffer holds

  @TempDir private Path folder;
  private RunCheckpoint state;

  @BeforeEach
  void writeOne() throws IOException {
    state = state(7);
    state.write(folder);
  }

  private static RunCheckpoint state(int step) {
    var random = new Random(step);
    return new RunCheckpoint(
        new RunCheckpoint.Run("cube:33 with an ä", 99, 5, CELLS, PolynomialOrder.CONSTANT, 0.9),
        new RunPosition(
            step,
            0.001,
            List.of(new RunPosition.Sample(0, 0.125), new RunPosition.Sample(6, Math.PI / 24))),
        random.doubles(3 * CELLS).toArray(),
        random.doubles(3 * CELLS).toArray());
  }

  @Test
  void readsWhatWasWritten() {
    var read = RunCheckpoint.read(folder);

    assertThat(read.run()).isEqualTo(state.run());
    assertThat(read.position()).isEqualTo(state.position());
    assertThat(read.e()).isEqualTo(state.e());
    assertThat(read.h()).isEqualTo(state.h());
    assertThat(RunCheckpoint.readHeader(folder).position()).isEqualTo(state.position());
  }

  @Test
  void keepsAllThatLinearFieldsAreMadeOf() throws IOException {
    var values = new Random(1).doubles(12 * 50).toArray();
    var linear =
        new RunCheckpoint(
            new RunCheckpoint.Run("cube:3", -3, 0, 50, PolynomialOrder.LINEAR, 0.9),
            new RunPosition(7, 0.001, List.of()),
            values,
            values.clone());
    linear.write(folder);

    var read = RunCheckpoint.read(folder);

    assertThat(read.run()).isEqualTo(linear.run());
    assertThat(read.h()).isEqualTo(values);
  }

  @Test
  void keepsWhatWasMeasured() throws IOException {
    double[] readings = {0, 1e-300, 10, Math.PI};
    new RunCheckpoint(
            state.run(),
            new RunPosition(20, 0.001, List.of(), List.of(readings, new double[0])),
            state.e(),
            state.h())
        .write(folder);

    assertThat(RunCheckpoint.read(folder).position().series())
        .containsExactly(readings, new double[0]);
  }

  @Test
  void theNextOneTakesThePlaceOfTheOneBefore() throws IOException {
    Files.writeString(folder.resolve("state.em3d.unfinished"), "what a crash has left");

    state(8).write(folder);

    assertThat(RunCheckpoint.read(folder).position().step()).isEqualTo(8);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(RunCheckpoint.file(folder));
    }
  }

  @Test
  void refusesAFileThatIsTruncatedAnywhere() throws IOException {
    var size = Files.size(RunCheckpoint.file(folder));
    for (var length : new long[] {size - 1, size / 2, 100, 17}) {
      refuses(bytes -> Arrays.copyOf(bytes, (int) length), "state.em3d is truncated: ");
    }
    refuses(bytes -> Arrays.copyOf(bytes, 15), "state.em3d is no state of em3d");
    refuses(bytes -> new byte[0], "state.em3d is no state of em3d");
  }

  @Test
  void refusesAFileWithASingleWrongBit() throws IOException {
    var size = (int) Files.size(RunCheckpoint.file(folder));
    for (var place : new int[] {30, 60, 200, size / 2, size - 9, size - 1}) {
      refuses(
          bytes -> {
            bytes[place] ^= 4;
            return bytes;
          },
          "state.em3d is ");
    }
    refuses(bytes -> Arrays.copyOf(bytes, size + 1), "state.em3d is damaged");
  }

  @Test
  void refusesWhatSomebodyElseWrote() throws IOException {
    refuses(bytes -> "step,time,energy and so on".getBytes(), "state.em3d is no state of em3d");
    refuses(
        bytes -> {
          ByteBuffer.wrap(bytes).putInt(8, 3);
          return bytes;
        },
        "state.em3d is of format 3, and this em3d reads 2; go on with the em3d that wrote it");
  }

  private void refuses(UnaryOperator<byte[]> damage, String message) throws IOException {
    var whole = Files.readAllBytes(RunCheckpoint.file(folder));
    Files.write(RunCheckpoint.file(folder), damage.apply(whole.clone()));
    try {
      assertThatThrownBy(() -> RunCheckpoint.read(folder))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining(message)
          .hasMessageContaining("; ");
    } finally {
      Files.write(RunCheckpoint.file(folder), whole);
    }
  }

  @Test
  void saysWhatIsMissing() {
    assertThatThrownBy(() -> RunCheckpoint.read(folder.resolve("elsewhere")))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("elsewhere' holds no state.em3d; name the folder that --checkpoint");
  }

  @Test
  void refusesToGoOnWithSomethingElse() {
    assertThatThrownBy(
            () ->
                state
                    .run()
                    .requireSame(
                        new RunCheckpoint.Run(
                            "cube:17", -17, 5, 24576, PolynomialOrder.CONSTANT, 0.9),
                        folder))
        .hasMessageContaining(
            "is a state of 'cube:33 with an ä' with 50,000 cells,"
                + " not of 'cube:17' with 24,576");
    assertThatThrownBy(
            () ->
                state
                    .run()
                    .requireSame(
                        new RunCheckpoint.Run("same", 99, 5, CELLS, PolynomialOrder.LINEAR, 0.9),
                        folder))
        .hasMessageContaining("is a state of a run with order 0, not 1; give that one, or none");
    assertThatThrownBy(
            () ->
                state
                    .run()
                    .requireSame(
                        new RunCheckpoint.Run("same", 99, 5, CELLS, PolynomialOrder.CONSTANT, 0.5),
                        folder))
        .hasMessageContaining("is a state of a run with cfl 0.9, not 0.5");
    assertThatThrownBy(
            () ->
                state
                    .run()
                    .requireSame(
                        new RunCheckpoint.Run(
                            "--problem x.xml", 99, 6, CELLS, PolynomialOrder.CONSTANT, 0.9),
                        folder))
        .hasMessageContaining("'--problem x.xml'; give that one, with the same variables");
  }

  @Test
  void isThereAsItWasWhereverTheDiskIsFull() throws IOException {
    var block = 1 << 14;
    var blocks = (int) Files.size(RunCheckpoint.file(folder)) / block + 1;
    for (var room = 0; room < blocks; room += 9) { // beside the state that is there
      var disk =
          Jimfs.newFileSystem(
              Configuration.unix().toBuilder()
                  .setBlockSize(block)
                  .setMaxSize((long) (blocks + room) * block)
                  .build());
      var states = disk.getPath("/work/states");
      state(7).write(states);

      assertThatThrownBy(() -> state(8).write(states))
          .hasMessageContaining(
              "'/work/states/state.em3d' could not be written: out of disk space");

      assertThat(RunCheckpoint.read(states).position().step()).isEqualTo(7);
      try (var files = Files.list(states)) {
        assertThat(files).containsExactly(RunCheckpoint.file(states));
      }
    }
  }
}
