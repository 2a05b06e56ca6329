package org.troupe.mpj.matching;

import java.lang.reflect.Array;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.mpj.data.ElementType;

/** A message that has arrived, or of which its sender has told. */
final class ArrivedMessage {

  private final MatchKey key;
  private final ElementType element;
  private final @Nullable Packet packet; // of an eager message
  private final long id; // of a rendezvous at its sender
  private final @Nullable SendOperation near; // a rendezvous on the same node
  private int elements; // -1 until decoded
  private @Nullable Object row; // decoded

  /** The neighbours in the four lists of the table, which guards them. */
  final @Nullable ArrivedMessage[] previous = new ArrivedMessage[MatchingTable.FORMS];

  final @Nullable ArrivedMessage[] next = new ArrivedMessage[MatchingTable.FORMS];

  private ArrivedMessage(
      MatchKey key,
      ElementType element,
      @Nullable Packet packet,
      long id,
      int elements,
      @Nullable SendOperation near) {
    this.key = key;
    this.element = element;
    this.packet = packet;
    this.id = id;
    this.elements = elements;
    this.near = near;
  }

  static ArrivedMessage eager(MatchKey key, ElementType element, Packet packet) {
    return new ArrivedMessage(key, element, packet, 0, -1, null);
  }

  /** An eager message of the same node, whose elements were copied. */
  static ArrivedMessage copied(MatchKey key, ElementType element, Object row) {
    var made = new ArrivedMessage(key, element, null, 0, Array.getLength(row), null);
    made.row = row;
    return made;
  }

  static ArrivedMessage rendezvous(MatchKey key, ElementType element, long id, int elements) {
    return new ArrivedMessage(key, element, null, id, elements, null);
  }

  static ArrivedMessage near(MatchKey key, SendOperation send) {
    return new ArrivedMessage(
        key, send.data().element(), null, send.id(), send.data().elements(), send);
  }

  MatchKey key() {
    return key;
  }

  int source() {
    return key.source();
  }

  int tag() {
    return key.tag();
  }

  ElementType element() {
    return element;
  }

  long id() {
    return id;
  }

  @Nullable SendOperation nearSend() {
    return near;
  }

  /** Returns whether it has used credit of its sender. */
  boolean isFromAfar() {
    return packet != null;
  }

  boolean isRendezvous() {
    return id != 0;
  }

  /** Returns whether the row belongs to this message alone. */
  boolean isOwn() {
    return packet != null && packet.isOwn();
  }

  /** Returns the elements of an eager message; decodes them at the first call. */
  synchronized Object row() {
    var known = row;
    if (known == null) {
      known =
          Objects.requireNonNull(
              Objects.requireNonNull(packet, "an eager message").value(), "an array");
      row = known;
      elements = Array.getLength(known);
    }
    return known;
  }

  /** Returns the number of elements; decodes an eager message. */
  synchronized int elements() {
    if (elements < 0) {
      row();
    }
    return elements;
  }
}
