package org.troupe.activeobjects.internal.peer;

/**
 * The first byte of a message in a frame's header, one for each kind of {@link Message}.
 *
 * <p>A new kind, or a change of the bytes that {@link MessageCodec} writes for one, changes the
 * wire format. {@code WireVersions} of the module {@code org.troupe.links} then needs a new
 * version, so that nodes of different versions refuse each other at the handshake.
 */
final class Opcodes {

  static final int HELLO = 0;
  static final int HEARTBEAT = 1;
  static final int CALL = 2;
  static final int TERMINATE = 3;
  static final int ANSWER = 4;
  static final int FAILED = 5;
  static final int ONE_WAY_FAILED = 6;
  static final int VALUE = 7;
  static final int VALUE_FAILED = 8;
  static final int CREDIT = 9;
  static final int ABANDON = 10;
  static final int PROBE = 11;
  static final int UNEXCHANGED = 12;
  static final int SIMPLE = 13;
  static final int MULTICAST = 14;
  static final int BEHIND = 15;
  static final int PACKET = 16;
  static final int BACKLOG = 17;
  static final int CAPACITY_REQUEST = 18;
  static final int CAPACITY_GRANT = 19;
  static final int ROUTED = 20;
  static final int RELOCATED = 21;
  static final int SWITCHED = 22;
  static final int TAIL_END = 23;
  static final int MARK = 24;
  static final int COPIES_CHANGED = 25;
  static final int COPIES_STATED = 26;
  static final int CALLER_KEPT = 27;
  static final int VACATED = 28;
  static final int NUMBERED = 29;
  static final int TAKEN = 30;
  static final int SETTLED = 31;
  static final int PASSED_ON_SERVED = 32;

  private Opcodes() {}
}
