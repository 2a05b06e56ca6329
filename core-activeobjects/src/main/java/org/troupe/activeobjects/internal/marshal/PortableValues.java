package org.troupe.activeobjects.internal.marshal;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.serialization.ClassSource;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;

/**
 * Encoded values together with the definitions of their types, so that any node can keep and decode
 * them after the node that encoded them is gone. Immutable; travels between nodes.
 *
 * @param bytes the encoded graph
 * @param typeIds the types that it uses
 * @param types the definitions of these types, in the same order
 * @param side the stubs, futures and nodes in the graph, as objects of the node that has this
 * @param arrays the large arrays of the graph
 */
public record PortableValues(
    byte[] bytes, int[] typeIds, byte[][] types, Object[] side, Object[] arrays) {

  /** Encodes values. */
  public static PortableValues of(Marshaller marshaller, Object... values) {
    var payload = marshaller.encode(values);
    var graph = payload.values();
    var ids = graph.typeIds();
    return new PortableValues(
        graph.bytes(),
        ids,
        IntStream.of(ids)
            .mapToObj(each -> payload.types().definition(each).encoded())
            .toArray(byte[][]::new),
        graph.side().stream().map(marshaller::objectFor).toArray(),
        graph.arrays().toArray());
  }

  /**
   * Decodes the values; each decoding makes new copies.
   *
   * @param classes gives the classes that are not known here
   */
  public Object[] decode(Marshaller marshaller, ClassSource classes) {
    var table = new TypeTable(classes);
    for (var i = 0; i < typeIds.length; i++) {
      table.define(new TypeDefinition(typeIds[i], types[i]));
    }
    var tokens =
        Stream.of(side)
            .<Object>map(
                each -> Objects.requireNonNull(marshaller.tokenFor(each), "a token for " + each))
            .toList();
    var graph = new EncodedGraph(bytes, typeIds, tokens, List.of(arrays));
    return new Payload(graph, table, null).decode(marshaller);
  }

  /** Returns the approximate size in bytes, without the definitions of types. */
  public long size() {
    return bytes.length + Arrays.stream(arrays).mapToLong(Frame::bytes).sum();
  }
}
