package ibis.io;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;

/** Takes primitives, arrays, strings and object graphs. Not to be shared between threads. */
public interface SerializationOutput extends DataOutput, Closeable, Flushable {

  /** Sets the replacer of objects; by default there is none. */
  void setReplacer(Replacer replacer) throws IOException;

  /** Forgets which objects were written: the same object, written again, is another copy. */
  void reset() throws IOException;

  /**
   * Forgets which objects were written.
   *
   * @param clearTypes whether to describe types again, too, for a reader that has not read from the
   *     beginning
   */
  void reset(boolean clearTypes) throws IOException;

  void writeString(String value) throws IOException;

  /** Writes an object graph; preserves sharing and cycles until the next reset. */
  void writeObject(Object value) throws IOException;

  /** Writes all elements. */
  default void writeArray(Object[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(Object[] value, int offset, int length) throws IOException;

  /** Returns whether streams must be recreated when a receiver is added. */
  boolean reInitOnNewConnection();

  /** Returns the kind of serialization: {@code byte}, {@code data}, {@code ibis} or {@code sun}. */
  String serializationImplName();

  /** Does nothing, as streams count nothing. */
  default void statistics() {
    // ports have the counters
  }

  /** Flushes this stream and ends it, but not the stream below. */
  @Override
  void close() throws IOException;

  /** Closes this stream and the stream below. */
  void realClose() throws IOException;
}
