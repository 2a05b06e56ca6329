package ibis.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;

/** Writes primitives, strings and arrays of primitives; arrays without their length. */
public class DataSerializationOutputStream extends ByteSerializationOutputStream {

  static final int NULL = -1;

  /** Creates a stream that writes to {@code out}. */
  public DataSerializationOutputStream(DataOutputStream out) throws IOException {
    super(out);
  }

  @Override
  DataOutputStream forScalar(String kind) throws IOException {
    return below();
  }

  @Override
  DataOutputStream forElements(String kind, int length) throws IOException {
    return below();
  }

  @Override
  public void writeString(String value) throws IOException {
    if (value == null) {
      below().writeInt(NULL);
      return;
    }
    byte[] bytes = value.getBytes(UTF_8);
    below().writeInt(bytes.length);
    below().writeArray(bytes, 0, bytes.length);
  }

  @Override
  public String serializationImplName() {
    return "data";
  }
}
