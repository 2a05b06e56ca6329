package ibis.io;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of a {@link SerializationOutput}, in the same order and kinds. Not to be
 * shared between threads.
 */
public interface SerializationInput extends DataInput, Closeable {

  @Nullable String readString() throws IOException;

  Object readObject() throws IOException, ClassNotFoundException;

  /** Reads an array of the same length. */
  default void readArray(Object[] destination) throws IOException, ClassNotFoundException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(Object[] destination, int offset, int length)
      throws IOException, ClassNotFoundException;

  /** Returns how many bytes can be read without waiting, as far as the stream below knows. */
  int available() throws IOException;

  /** Returns whether streams must be recreated when a receiver is added. */
  boolean reInitOnNewConnection();

  /** Returns the kind of serialization: {@code byte}, {@code data}, {@code ibis} or {@code sun}. */
  String serializationImplName();

  /** Does nothing: objects are forgotten where the writer has called {@code reset}. */
  default void clear() {
    // part of the stream
  }

  /** Does nothing, as streams count nothing. */
  default void statistics() {
    // ports have the counters
  }

  /** Ends this stream, but not the stream below. */
  @Override
  void close() throws IOException;

  /** Closes this stream and the stream below. */
  void realClose() throws IOException;
}
