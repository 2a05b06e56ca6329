package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallingObject;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.serialization.SerializationException;

/**
 * The active object of another node that made a call.
 *
 * @param home the node that made the call
 * @param birth the node on which the object was created
 * @param address the address of that node, or the empty string if it is {@code home}
 * @param number identifies the object among those created on that node
 * @param type the name of its class
 * @param homeNumber the number by which {@code home} knows it; 0 if that is not known any more
 */
public record RemoteCaller(
    RemoteNode home, NodeId birth, String address, long number, String type, long homeNumber)
    implements CallingObject {

  private static final char SEPARATOR = '@'; // in no name of a class

  /**
   * Returns the caller that a call names.
   *
   * @param number by which its node knows it
   * @param name as {@link #nameOf} returns it
   */
  public static RemoteCaller of(RemoteNode home, long number, String name) {
    var end = name.indexOf(SEPARATOR);
    if (end < 0) {
      return new RemoteCaller(home, home.id(), "", number, name, number);
    }
    try {
      var parts = name.split(String.valueOf(SEPARATOR), 5);
      return new RemoteCaller(
          home,
          new NodeId(parts[3], Long.parseLong(parts[1])),
          parts[4],
          Long.parseLong(parts[2]),
          parts[0],
          number);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new SerializationException("a call of an unknown caller: " + name);
    }
  }

  /** Returns whether the call was made from the body in which the object was created. */
  public boolean isAtBirth() {
    return birth.equals(home.id()) && (homeNumber == 0 || homeNumber == number);
  }

  /** Returns the identity of the object. */
  public ObjectIdentity identity() {
    return new ObjectIdentity(birth, address, number);
  }

  @Override
  public String birthplace() {
    return birth.name();
  }

  /** Returns the name of a caller for its calls: the class, and the identity if it has moved. */
  public static String nameOf(Body caller) {
    var type = caller.type().type().getName();
    var origin = caller.origin();
    return origin == null
        ? type
        : type
            + SEPARATOR
            + origin.birth().incarnation()
            + SEPARATOR
            + origin.number()
            + SEPARATOR
            + origin.birth().name()
            + SEPARATOR
            + origin.address();
  }
}
