package ibis.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the output of {@link DataSerializationOutputStream}. */
public class DataSerializationInputStream extends ByteSerializationInputStream {

  private static final int LONGEST = 1 << 30;

  /** The most memory allocated before data arrives. */
  private static final int PART = 1 << 16;

  /** Creates a stream that reads from {@code in}. */
  public DataSerializationInputStream(DataInputStream in) throws IOException {
    super(in);
  }

  @Override
  DataInputStream forScalar(String kind) throws IOException {
    return below();
  }

  @Override
  DataInputStream forElements(String kind, int length) throws IOException {
    return below();
  }

  @Override
  public @Nullable String readString() throws IOException {
    int length = below().readInt();
    return length == DataSerializationOutputStream.NULL
        ? null
        : new String(readBytes(length), UTF_8);
  }

  /** Reads bytes; memory grows with the data that has arrived, so a wrong length costs little. */
  final byte[] readBytes(int length) throws IOException {
    if (length < 0 || length > LONGEST) {
      throw new IOException("malformed stream: an object of " + length + " bytes");
    }
    byte[] bytes = new byte[Math.min(length, PART)];
    int have = 0;
    while (true) {
      below().readArray(bytes, have, bytes.length - have);
      have = bytes.length;
      if (have == length) {
        return bytes;
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * have));
    }
  }

  @Override
  public String serializationImplName() {
    return "data";
  }
}
