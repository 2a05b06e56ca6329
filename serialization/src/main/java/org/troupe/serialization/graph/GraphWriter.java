package org.troupe.serialization.graph;

import java.util.BitSet;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.EncodingContext;

/**
 * Writes graphs one after the other; a {@link GraphReader} reads them.
 *
 * <p>Objects that several graphs hold stay one object on the other side, as they were when they
 * were first written, until {@link #reset()}: so they are kept until then. The stream needs nothing
 * beside it: a type's definition goes with its first object. Not to be shared between threads.
 */
public final class GraphWriter {

  /*
   * One graph is: a byte (byte order, and the flags below), the length of the content in four
   * bytes, the content, and with NEW_TYPES their number and for each its id and definition. The
   * length lets a reader skip or give up one graph and go on; the definitions come last because
   * they are known last, and are read first.
   */

  static final int RESET = 0x20;
  static final int NEW_TYPES = 0x40;
  static final int HEAD = 5;

  private final EncodingContext encoding;
  private final TypeTable definitions;
  private final GraphLimits limits;
  private final ByteOutput out;
  private final Encoder.Memory memory = new Encoder.Memory();
  private final BitSet defined = new BitSet();
  private boolean reset;
  private boolean writing;

  GraphWriter(EncodingContext encoding, TypeTable definitions, GraphLimits limits, ByteOutput out) {
    this.encoding = encoding;
    this.definitions = definitions;
    this.limits = limits;
    this.out = out;
  }

  /**
   * Writes a graph; may be {@code null}.
   *
   * @throws SerializationException if an object cannot travel, naming its path; the stream then is
   *     as if this graph had never been given to it
   * @throws IllegalStateException if a graph is being written, whose hook writes to this stream
   */
  public void write(Object graph) {
    if (writing) {
      throw new IllegalStateException(
          "a hook of an object that is being written writes to the stream itself; write to what the hook is given");
    }
    writing = true;
    int start = out.size();
    boolean whole = false;
    boolean remembered = false;
    try {
      out.writeByte(0);
      out.writeInt(0);
      int[] used = Encoder.write(encoding, memory, out, graph);
      remembered = true;
      int length = out.size() - start - HEAD;
      if (length > limits.maxBytes()) {
        throw new SerializationException(
            "the encoded form has %d bytes, but the limit is %d; send it in parts, or raise maxBytes"
                .formatted(length, limits.maxBytes()));
      }
      boolean news = writeDefinitions(used);
      out.putByte(start, Encoder.form(encoding) | (reset ? RESET : 0) | (news ? NEW_TYPES : 0));
      out.putInt(start + 1, length);
      reset = false;
      whole = true;
    } catch (CodecFailure f) {
      throw f.toException("cannot encode");
    } finally {
      writing = false;
      if (!whole) {
        out.truncate(start);
        if (remembered) {
          reset(); // the reader never receives these objects
        }
      }
    }
  }

  private boolean writeDefinitions(int[] used) {
    int fresh = 0;
    for (int id : used) {
      fresh += defined.get(id) ? 0 : 1;
    }
    if (fresh == 0) {
      return false;
    }
    out.writeVarInt(fresh);
    for (int id : used) {
      if (!defined.get(id)) {
        out.writeVarInt(id);
        out.writeBytes(definitions.definition(id).encoded());
      }
    }
    // Not before all are written: a full output drops the graph.
    for (int id : used) {
      defined.set(id);
    }
    return true;
  }

  /**
   * Forgets the objects written so far: they are written anew when they come again, and may be
   * collected. The reader follows by itself.
   */
  public void reset() {
    if (writing) {
      throw new IllegalStateException(
          "a hook of an object that is being written resets the stream; reset it between graphs");
    }
    memory.forget();
    reset = true;
  }
}
