package ibis.io;

import ibis.ipl.internal.message.ObjectStreams;
import java.io.IOException;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.GraphReader;
import org.troupe.serialization.graph.Serializer;

/**
 * Reads the output of {@link IbisSerializationOutputStream}; objects of the program's classes, of
 * its libraries, and of the platform's classes for values.
 */
public class IbisSerializationInputStream extends DataSerializationInputStream {

  private final Serializer serializer = ObjectStreams.serializer(null);
  private final ByteInput graph = new ByteInput(new byte[0]);
  private GraphReader reader = serializer.reader(graph);

  /** Creates a stream that reads from {@code in}. */
  public IbisSerializationInputStream(DataInputStream in) throws IOException {
    super(in);
  }

  @Override
  public Object readObject() throws IOException, ClassNotFoundException {
    int length = below().readInt();
    if (length == IbisSerializationOutputStream.RESTART) {
      reader = serializer.reader(graph);
      length = below().readInt();
    }
    graph.refill(readBytes(length), 0, length);
    try {
      return reader.read();
    } catch (SerializationException e) {
      if (e.getCause() instanceof ClassNotFoundException missing) {
        throw missing;
      }
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public String readString() throws IOException {
    try {
      return (String) readObject();
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IOException("the next object is no string", e);
    }
  }

  @Override
  DataInputStream forElements(String kind, int length) throws IOException {
    check(length, below().readInt());
    return below();
  }

  @Override
  DataInputStream forBytes(int length) throws IOException {
    check(length, below().readInt());
    return below();
  }

  @Override
  public void readArray(Object[] destination, int offset, int length)
      throws IOException, ClassNotFoundException {
    if (!(readObject() instanceof Object[] read)) {
      throw new IOException("the next object is no array of objects");
    }
    check(length, read.length);
    System.arraycopy(read, 0, destination, offset, length);
  }

  static void check(int asked, int there) throws IOException {
    if (asked != there) {
      throw new IOException(
          "an array of length " + there + " was written, and one of " + asked + " is to be read");
    }
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
