package org.troupe.activeobjects.internal.body;

/** An object of another node, as the caller of a request. */
public interface CallingObject {

  /** Returns the name of its class. */
  String type();

  /** Returns its number on the node of its birth. */
  long number();

  /** Returns the name of that node. */
  String birthplace();
}
