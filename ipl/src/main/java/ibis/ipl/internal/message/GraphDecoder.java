package ibis.ipl.internal.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.GraphReader;
import org.troupe.serialization.graph.Serializer;

/** Decodes the object graphs of one connection. Used by one thread at a time. */
public abstract sealed class GraphDecoder implements ChunkInput.Graphs {

  /**
   * Decodes the result of one call of the encoder.
   *
   * @param newStream whether the graph begins a new stream
   * @throws IOException if it is malformed or holds classes that are not permitted
   */
  public final Object decode(byte[] bytes, int offset, int length, boolean newStream)
      throws IOException, ClassNotFoundException {
    try {
      return objectOf(bytes, offset, length, newStream);
    } catch (SerializationException e) {
      if (e.getCause() instanceof ClassNotFoundException missing) {
        throw new ClassNotFoundException(e.getMessage(), missing);
      }
      throw new IOException(e.getMessage(), e);
    }
  }

  abstract Object objectOf(byte[] bytes, int offset, int length, boolean newStream)
      throws IOException, ClassNotFoundException;

  /** Forgets the objects of the message. */
  public abstract void endMessage();

  public static final class Generated extends GraphDecoder {

    private final Serializer serializer;
    private final ByteInput in = new ByteInput(new byte[0]);
    private @Nullable GraphReader reader;
    private boolean used;

    public Generated(Serializer serializer) {
      this.serializer = serializer;
    }

    private GraphReader reader(boolean newStream) throws IOException {
      if (newStream) {
        reader = serializer.reader(in);
      } else if (reader == null) {
        throw new IOException("an object is damaged: the stream that it belongs to never began");
      }
      used = true;
      return reader;
    }

    @Override
    Object objectOf(byte[] bytes, int offset, int length, boolean newStream) throws IOException {
      in.refill(bytes, offset, length);
      return reader(newStream).read();
    }

    @Override
    public void skip(byte[] bytes, int offset, int length, boolean newStream) {
      in.refill(bytes, offset, length);
      try {
        reader(newStream).skip();
      } catch (IOException | SerializationException _) {
        reader = null; // the skipped graph is malformed; reading the next object reports it
      }
    }

    @Override
    public void endMessage() {
      if (used) {
        used = false;
        in.refill(new byte[0], 0, 0);
        if (reader != null) {
          reader.reset();
        }
      }
    }
  }

  public static final class Streamed extends GraphDecoder {

    private final Serializer serializer;
    private @Nullable Feed feed;
    private @Nullable ObjectInputStream stream;

    public Streamed(Serializer serializer) {
      this.serializer = serializer;
    }

    @Override
    Object objectOf(byte[] bytes, int offset, int length, boolean newStream)
        throws IOException, ClassNotFoundException {
      try {
        if (newStream) {
          Feed feed = new Feed();
          this.feed = feed;
          feed.next(bytes, offset, length);
          stream = serializer.objectInput(feed, feed::size);
        } else if (stream == null || feed == null) {
          throw new IOException(
              "an object cannot be read, because one before it in the message could not be");
        } else {
          feed.next(bytes, offset, length);
        }
        return stream.readObject();
      } catch (IOException | ClassNotFoundException | SerializationException e) {
        stream = null; // its position is undefined
        throw e;
      } catch (RuntimeException | LinkageError e) {
        stream = null;
        throw new IOException("an object could not be read: " + e, e);
      } catch (StackOverflowError e) {
        stream = null;
        throw new IOException(
            "the objects hold each other too deeply for Java serialization; use the port type's"
                + " capability 'serialization.object.ibis'",
            e);
      }
    }

    @Override
    public void skip(byte[] bytes, int offset, int length, boolean newStream) {
      stream = null; // each message has its own
    }

    @Override
    public void endMessage() {
      stream = null;
      feed = null;
    }

    /** Supplies the bytes of one object after another. */
    private static final class Feed extends InputStream {

      private ByteArrayInputStream now = new ByteArrayInputStream(new byte[0]);
      private int size;

      void next(byte[] bytes, int offset, int length) {
        now = new ByteArrayInputStream(bytes, offset, length);
        size = length;
      }

      int size() {
        return size;
      }

      @Override
      public int read() {
        return now.read();
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        return now.read(into, offset, length);
      }

      @Override
      public int available() {
        return now.available();
      }
    }
  }
}
