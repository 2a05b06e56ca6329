package org.troupe.activeobjects.hosting;

import org.troupe.activeobjects.NodeId;

/** The identity and address of a node, as one line of text. */
public record NodeContact(NodeId id, String address) {

  /** Parses a contact. */
  public static NodeContact parse(String text) {
    var name = text.indexOf('/');
    var incarnation = text.indexOf('@');
    if (name < 0 || incarnation < name) {
      throw new IllegalArgumentException(
          "'" + text + "' is not the contact of a node, which looks like name/1f2e@host:port");
    }
    return new NodeContact(
        new NodeId(
            text.substring(0, name),
            Long.parseUnsignedLong(text.substring(name + 1, incarnation), 16)),
        text.substring(incarnation + 1));
  }

  @Override
  public String toString() {
    return id.name() + "/" + Long.toHexString(id.incarnation()) + "@" + address;
  }
}
