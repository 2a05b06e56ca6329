package ibis.io;

import ibis.ipl.internal.message.ObjectStreams;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.GraphWriter;

/**
 * Writes primitives, arrays, strings and object graphs, these in Troupe's own form, to a data
 * stream.
 *
 * <p>{@link IbisSerializationInputStream} reads them. Classes need not be serializable; where they
 * are, their hooks are honoured.
 */
public class IbisSerializationOutputStream extends DataSerializationOutputStream {

  /** Precedes an object that begins a new stream. */
  static final int RESTART = -1;

  private final ByteOutput graph = new ByteOutput();
  private @Nullable Replacer replacer;
  private GraphWriter writer;
  private boolean restarted;

  /** Creates a stream that writes to {@code out}. */
  public IbisSerializationOutputStream(DataOutputStream out) throws IOException {
    super(out);
    writer = ObjectStreams.serializer(null).writer(graph);
  }

  @Override
  public void setReplacer(@Nullable Replacer replacer) throws IOException {
    this.replacer = replacer;
    restart();
  }

  @Override
  public void reset(boolean clearTypes) throws IOException {
    if (clearTypes) {
      restart();
    } else {
      writer.reset();
    }
  }

  private void restart() {
    writer = ObjectStreams.serializer(replacer == null ? null : replacer::replace).writer(graph);
    restarted = true;
  }

  @Override
  public void writeObject(Object value) throws IOException {
    graph.clear();
    try {
      writer.write(value);
    } catch (SerializationException e) {
      throw new IOException(e.getMessage(), e);
    }
    byte[] bytes = graph.toByteArray();
    if (restarted) {
      below().writeInt(RESTART);
      restarted = false;
    }
    below().writeInt(bytes.length);
    below().writeArray(bytes, 0, bytes.length);
  }

  @Override
  public void writeString(String value) throws IOException {
    writeObject(value);
  }

  @Override
  DataOutputStream forElements(String kind, int length) throws IOException {
    below().writeInt(length);
    return below();
  }

  @Override
  DataOutputStream forBytes(int length) throws IOException {
    below().writeInt(length);
    return below();
  }

  @Override
  public void writeArray(Object[] value, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, value.length);
    writeObject(Arrays.copyOfRange(value, offset, offset + length, Object[].class));
  }

  @Override
  public boolean reInitOnNewConnection() {
    return true;
  }

  @Override
  public String serializationImplName() {
    return "ibis";
  }
}
