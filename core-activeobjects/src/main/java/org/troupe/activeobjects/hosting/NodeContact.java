package org.troupe.activeobjects.hosting;

import org.troupe.activeobjects.NodeId;

/** Who a node is and where it can be reached, in one line of text. */
public record NodeContact(NodeId id, String address) {

  /** Reads a contact. */
  public static NodeContact parse(String text) {
    var name = text.indexOf('/');
    var incarnation = text.indexOf('@');
    if (name < 0 || incarnation < name) {
      throw new IllegalArgumentException(
          "'" + text + "' is no contact of a node; it looks like name/1f2e@host:port");
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
