package ibis.ipl.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a connection carries, without one. */
@Timeout(60)
class ChunksTest {

  private static final ChunkInput.Graphs UNREAD = (_, _, _, _) -> {};

  /** Keeps what is written. */
  private static final class Written implements ChunkOutput.Sink {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int writes;

    @Override
    public void begin() {}

    @Override
    public void end(boolean isInMessage) {}

    @Override
    public void write(ByteBuffer part) {
      write(MemorySegment.ofBuffer(part));
    }

    @Override
    public void write(MemorySegment part) {
      writes++;
      bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  /** Gives bytes, so many at a time at most. */
  private static final class Pieces implements ChunkInput.Source {

    private final ByteBuffer bytes;
    private final int most;

    Pieces(byte[] bytes, int most) {
      this.bytes = ByteBuffer.wrap(bytes);
      this.most = most;
    }

    @Override
    public int read(ByteBuffer into) {
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int count = Math.min(Math.min(most, into.remaining()), bytes.remaining());
      into.put(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
      return count;
    }

    @Override
    public int tryRead(ByteBuffer into) {
      return read(into);
    }

    @Override
    public void readFully(MemorySegment into) throws IOException {
      if (bytes.remaining() < into.byteSize()) {
        throw new EOFException("cut");
      }
      into.copyFrom(MemorySegment.ofBuffer(bytes).asSlice(0, into.byteSize()));
      bytes.position(bytes.position() + (int) into.byteSize());
    }
  }

  private final Written written = new Written();
  private final ChunkOutput out = new ChunkOutput(written);

  private static void fill(ChunkOutput out, int round) throws IOException {
    out.begin(round);
    out.writeByte(round);
    out.writeInt(~round);
    out.writeArray(ArrayTypes.LONG, new long[] {1, 2, round}, 0, 3);
    out.flush();
    out.writeDouble(round / 2.0);
    int[] large = new int[20_000];
    Arrays.setAll(large, i -> i * round);
    out.writeArray(ArrayTypes.INT, large, 10, large.length - 10);
    out.writeShort((short) round);
    out.writeGraph(ByteBuffer.wrap(new byte[] {1, 2, 3}), false);
    out.writeChar('x');
    out.finish();
  }

  private static void check(ChunkInput in, int round) throws IOException {
    assertThat(in.next()).isEqualTo(ChunkInput.Next.MESSAGE);
    assertThat(in.number()).isEqualTo(round);
    assertThat(in.readByte()).isEqualTo((byte) round);
    assertThat(in.readInt()).isEqualTo(~round);
    long[] longs = new long[3];
    in.readArray(ArrayTypes.LONG, longs, 0, 3);
    assertThat(longs).containsExactly(1, 2, round);
    assertThat(in.readDouble()).isEqualTo(round / 2.0);
    int[] large = new int[19_990];
    in.readArray(ArrayTypes.INT, large, 0, large.length);
    assertThat(large[0]).isEqualTo(10 * round);
    assertThat(large[19_989]).isEqualTo(19_999 * round);
    assertThat(in.readShort()).isEqualTo((short) round);
    assertThat(in.isGraphNext()).isTrue();
    int length = in.left();
    byte[] graph = in.readGraph(length);
    assertThat(Arrays.copyOfRange(graph, in.graphOffset(), in.graphOffset() + length))
        .containsExactly(1, 2, 3);
    assertThat(in.readChar()).isEqualTo('x');
    in.finish();
  }

  @Test
  void whereverTheBytesAreCutTheyAreReadRight() throws Exception {
    for (int round = 0; round < 3; round++) {
      fill(out, round);
    }
    byte[] all = written.bytes.toByteArray();
    for (int most : new int[] {1, 2, 3, 5, 7, 64, 1_000, 32_768, all.length}) {
      var in = new ChunkInput(new Pieces(all, most), UNREAD);
      for (int round = 0; round < 3; round++) {
        check(in, round);
      }
      assertThat(in.next()).isEqualTo(ChunkInput.Next.END);
    }
  }

  @Test
  void aSmallMessageIsOneWrite() throws Exception {
    out.begin();
    out.writeInt(1);
    out.writeGraph(ByteBuffer.wrap(new byte[100]), true);
    out.writeInt(2);
    long bytes = out.finish();
    assertThat(written.writes).isEqualTo(1);
    assertThat(bytes).isEqualTo(written.bytes.size()).isEqualTo(3 * MessageChunk.HEAD + 108);
  }

  @Test
  void aMessageThatIsGivenUpBeforeItLeftIsNotThere() throws Exception {
    out.begin();
    out.writeInt(1);
    out.fail("no matter");
    assertThat(written.bytes.size()).isZero();
  }

  /** Many mutated streams give the defined error or a reader's own, and nothing else. */
  @Test
  void damageIsAnErrorOfTheConnectionAndNothingElse() throws Exception {
    fill(out, 1);
    fill(out, 2);
    byte[] all = written.bytes.toByteArray();
    var random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = Arrays.copyOf(all, random.nextBoolean() ? all.length : 1 + i % all.length);
      for (int changes = 0; changes < 3; changes++) {
        int near = random.nextBoolean() ? 60 : damaged.length;
        damaged[random.nextInt(Math.min(near, damaged.length))] = (byte) random.nextInt();
      }
      Throwable thrown =
          catchThrowable(
              () -> {
                var in = new ChunkInput(new Pieces(damaged, 4_096), UNREAD);
                while (in.next() != ChunkInput.Next.END) {
                  try {
                    in.readInt();
                    in.readString(5, false);
                  } catch (ChunkInput.BrokenException e) {
                    throw e;
                  } catch (IOException _) {
                    // of the message only
                  }
                  in.finish();
                }
              });
      assertThat(thrown)
          .as("round %d", i)
          .satisfiesAnyOf(
              t -> assertThat(t).isNull(),
              t -> assertThat(t).isInstanceOf(ChunkInput.BrokenException.class));
    }
  }

  @Test
  void anAnnouncedLengthIsNotBelieved() throws Exception {
    byte[] head = new byte[MessageChunk.HEAD + 5];
    head[0] = MessageChunk.GRAPH | MessageChunk.FIRST | MessageChunk.LAST;
    MessageChunk.INT.set(head, 1, Integer.MAX_VALUE - 10);
    var in = new ChunkInput(new Pieces(head, 100), UNREAD);
    assertThat(in.next()).isEqualTo(ChunkInput.Next.MESSAGE);
    assertThat(in.isGraphNext()).isTrue();

    assertThatThrownBy(() -> in.readGraph(in.left()))
        .isInstanceOf(ChunkInput.BrokenException.class);
  }
}
