package org.troupe.serialization.internal.coder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.wire.NumberArray;

/** What came beside the bytes of a message: tokens, and arrays that came apart. */
final class SideTable {

  private static final Object UNREAD = new Object();
  private static final Object[] NONE = {};

  private @Nullable List<Object> tokens; // null in a stream: tokens come in their places
  private @Nullable TokenResolver resolver;

  /** By index of its token; {@link #UNREAD} until it is met. */
  private Object[] objects = NONE;

  /** The separate arrays that the graph has not taken over yet. */
  private Object[] apart = NONE;

  /** Begins a graph of a stream, which has nothing beside its bytes. */
  void begin(TokenResolver resolver) {
    this.resolver = resolver;
  }

  /**
   * Begins a message.
   *
   * @return the bytes of all separate arrays
   */
  long begin(EncodedGraph body, TokenResolver resolver, GraphLimits limits) {
    this.resolver = resolver;
    tokens = body.side();
    if (!tokens.isEmpty()) {
      objects = new Object[tokens.size()];
      Arrays.fill(objects, UNREAD);
    }
    if (body.arrays().isEmpty()) {
      return 0;
    }
    apart = body.arrays().toArray();
    long bytes = 0;
    for (Object array : apart) {
      bytes += NumberArray.checkedByteSize(array, limits);
    }
    return bytes;
  }

  void reset() {
    tokens = null;
    resolver = null;
    objects = NONE;
    apart = NONE;
  }

  /** Returns whether tokens come in their places, as in a stream. */
  boolean hasTokensInPlace() {
    return tokens == null;
  }

  /** Returns the object for a token, of which there is an object in a stream for each. */
  Object objectInPlace(@Nullable Object token) {
    Object object = resolver().objectFor(token);
    if (object == null) {
      throw new CodecFailure(
          "a resolver gave nothing for a token; in a stream it must give an object");
    }
    return object;
  }

  /** Returns the object for the token of an index. */
  @Nullable Object object(int index) {
    if (index < 0 || index >= objects.length) {
      throw new CodecFailure(
          "a reference to element %d of a side table of %d; the bytes are damaged"
              .formatted(index, objects.length));
    }
    if (objects[index] == UNREAD) {
      objects[index] =
          resolver().objectFor(Objects.requireNonNull(tokens, "it has objects").get(index));
    }
    return objects[index];
  }

  /** Returns the objects whose tokens have been met. */
  List<Object> objects() {
    List<Object> met = new ArrayList<>();
    for (Object object : objects) {
      if (object != UNREAD && object != null) {
        met.add(object);
      }
    }
    return met;
  }

  /** Takes over a separate array, which belongs to one slot. */
  Object takeArray(int index) {
    if (index < 0 || index >= apart.length || apart[index] == null) {
      throw new CodecFailure(
          "array %d of %d that came apart is missing or used twice; the bytes are damaged"
              .formatted(index, apart.length));
    }
    Object array = apart[index];
    apart[index] = null;
    return array;
  }

  private TokenResolver resolver() {
    return Objects.requireNonNull(resolver, "set while something is decoded");
  }
}
