package ibis.ipl.internal.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.GraphWriter;
import org.troupe.serialization.graph.Serializer;

/** Encodes the objects of a send port's messages. Used by one thread at a time. */
public abstract sealed class GraphEncoder {

  private boolean used;
  private boolean announced;

  /**
   * Encodes an object graph.
   *
   * @return the bytes, valid until the next call
   * @throws IOException if the graph cannot be serialized; the message then fails
   */
  public final ByteBuffer encode(Object graph) throws IOException {
    used = true;
    return bytesOf(graph);
  }

  /** Returns whether the last object began a new stream; called once for each object. */
  public final boolean beginsStream() {
    boolean begins = !announced;
    announced = true;
    return begins;
  }

  /** Returns whether this message has objects. */
  public final boolean isUsed() {
    return used;
  }

  /** Forgets the objects encoded so far. */
  public final void reset() {
    if (used) {
      forget();
    }
  }

  /** Forgets the objects of a message that all receivers have received completely. */
  public final void endMessage() {
    if (used) {
      used = false;
      endStream();
    }
  }

  /** Begins a new stream, because not all receivers have received the previous one. */
  public final void restart() {
    used = false;
    announced = false;
    renew();
  }

  abstract ByteBuffer bytesOf(Object graph) throws IOException;

  abstract void forget();

  abstract void endStream();

  abstract void renew();

  /** Troupe's serialization: one stream for all messages, so that each type is described once. */
  public static final class Generated extends GraphEncoder {

    /** The size of a graph after which the buffer is released. */
    private static final int LARGE = 4 << 20;

    private final Serializer serializer;
    private @Nullable ByteOutput out;
    private @Nullable GraphWriter writer;

    public Generated(Serializer serializer) {
      this.serializer = serializer;
    }

    @Override
    ByteBuffer bytesOf(Object graph) throws IOException {
      ByteOutput out = this.out;
      GraphWriter writer = this.writer;
      if (out == null || writer == null) {
        out = new ByteOutput();
        writer = serializer.writer(out);
        this.out = out;
        this.writer = writer;
      }
      out.clear();
      try {
        writer.write(graph);
      } catch (SerializationException e) {
        throw new IOException(e.getMessage(), e);
      }
      return out.view();
    }

    @Override
    void forget() {
      Objects.requireNonNull(writer, "something was written").reset();
    }

    @Override
    void endStream() {
      forget();
      if (Objects.requireNonNull(out, "made with the writer").size() > LARGE) {
        restart();
      }
    }

    @Override
    void renew() {
      out = null;
      writer = null;
    }
  }

  /** Java serialization: one stream for each message, because a stream describes its types anew. */
  public static final class Streamed extends GraphEncoder {

    private final @Nullable UnaryOperator<Object> replacer;
    private @Nullable Bytes out;
    private @Nullable ObjectOutputStream stream;

    /**
     * Creates an encoder.
     *
     * @param replacer replaces objects before they are encoded, or {@code null}
     */
    public Streamed(@Nullable UnaryOperator<Object> replacer) {
      this.replacer = replacer;
    }

    @Override
    ByteBuffer bytesOf(Object graph) throws IOException {
      Bytes out = this.out;
      ObjectOutputStream stream = this.stream;
      if (out == null || stream == null) {
        out = new Bytes();
        this.out = out;
        stream = replacer == null ? new ObjectOutputStream(out) : new Replacing(out, replacer);
        this.stream = stream;
      } else {
        out.reset();
      }
      try {
        stream.writeObject(graph);
        stream.flush();
      } catch (StackOverflowError e) {
        throw new IOException(
            "the objects hold each other too deeply for Java serialization; use the port type's"
                + " capability 'serialization.object.ibis'",
            e);
      }
      return out.view();
    }

    @Override
    void forget() {
      try {
        Objects.requireNonNull(stream, "something was written")
            .reset(); // takes effect with the next object
      } catch (IOException e) {
        throw new AssertionError("memory cannot fail", e);
      }
    }

    @Override
    void endStream() {
      restart();
    }

    @Override
    void renew() {
      out = null;
      stream = null;
    }

    private static final class Bytes extends ByteArrayOutputStream {

      ByteBuffer view() {
        return ByteBuffer.wrap(buf, 0, count);
      }
    }

    private static final class Replacing extends ObjectOutputStream {

      private final UnaryOperator<Object> replacer;

      Replacing(OutputStream out, UnaryOperator<Object> replacer) throws IOException {
        super(out);
        this.replacer = replacer;
        enableReplaceObject(true);
      }

      @Override
      protected Object replaceObject(Object object) {
        return replacer.apply(object);
      }
    }
  }
}
