package org.troupe.serialization.graph;

import java.util.function.Supplier;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.ForeignTypes;
import org.troupe.serialization.internal.registry.CodecRegistry;

/**
 * Reads the graphs that a {@link GraphWriter} has written, in their order.
 *
 * <p>Trusts nothing that it reads. Objects already read are kept until the writer is reset, because
 * later graphs may hold them too. The input may hold one graph at a time and be given more by
 * {@link ByteInput#refill}. Not to be shared between threads.
 */
public final class GraphReader {

  private final TypeTable sender;
  private final Supplier<? extends ForeignTypes> types;
  private final GraphLimits limits;
  private final TokenResolver resolver;
  private final ByteInput in;
  private final Decoder.Memory memory;
  private boolean gap;

  GraphReader(
      TypeTable sender,
      Supplier<? extends ForeignTypes> types,
      GraphLimits limits,
      TokenResolver resolver,
      ByteInput in) {
    this.sender = sender;
    this.types = types;
    this.limits = limits;
    this.resolver = resolver;
    this.in = in;
    this.memory = new Decoder.Memory(limits);
  }

  /**
   * Reads the next graph.
   *
   * @throws SerializationException if the bytes are malformed, exceed the limits or name types that
   *     are not allowed, do not exist or are not the same here; if the input still stands in order,
   *     behind that graph, more can be read as soon as the writer has been reset
   */
  public Object read() {
    try {
      Graph next = next();
      if (gap) {
        throw new SerializationException(
            "an earlier graph of this stream was skipped or could not be read, and this one may hold its objects; "
                + "reset the writer before graphs that are to be read after one that was not");
      }
      gap = true;
      Object graph =
          Decoder.of(
                  next.content,
                  next.order,
                  types.get(),
                  resolver,
                  limits,
                  CodecRegistry.keyClasses(),
                  memory)
              .readGraph();
      gap = false;
      return graph;
    } catch (CodecFailure f) {
      throw f.toException("cannot decode");
    }
  }

  /**
   * Skips the next graph without creating its objects. Later graphs can be read once the writer has
   * been reset.
   *
   * @throws SerializationException if the bytes are malformed
   */
  public void skip() {
    next();
    gap = true;
  }

  /** A graph whose types have been read, but not its objects. */
  private record Graph(int order, ByteInput content) {}

  private Graph next() {
    int first = in.readByte();
    int length = in.readInt();
    if (length < 0) {
      throw new SerializationException(
          "a graph has the impossible length %d; the bytes are damaged".formatted(length));
    }
    ByteInput content = in.part(length);
    if ((first & GraphWriter.NEW_TYPES) != 0) {
      for (int rest = in.readLength(Integer.MAX_VALUE, 3); rest > 0; rest--) {
        sender.define(new TypeDefinition(in.readVarInt(), in.readBytes()));
      }
    }
    if ((first & GraphWriter.RESET) != 0) {
      reset();
    }
    return new Graph(first & ~(GraphWriter.NEW_TYPES | GraphWriter.RESET), content);
  }

  /**
   * Forgets the objects read so far, so that they may be collected at once. Only at a place where
   * the writer is reset too; the reader would notice that by itself with the next graph.
   */
  public void reset() {
    memory.forget();
    gap = false;
  }
}
