package org.troupe.activeobjects.internal.moving;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.OneWayAccount;
import org.troupe.activeobjects.internal.replay.CallName;

/**
 * A message to an object that has moved.
 *
 * @param origin the node of the caller
 * @param address the address of that node
 * @param callId the id by which that node knows the call, or 0
 * @param content a call, or a request to terminate
 * @param payload the encoded arguments, or {@code null}
 * @param oneWayCall the method of a one-way call of this node
 * @param caller the body that made that call, or {@code null}
 * @param account that of a one-way call of another node
 * @param name of a call that is served once however often it arrives, or {@code null}
 * @param isRepeated whether it was sent before a loss, so that the object may have served it
 */
record Parcel(
    NodeId origin,
    String address,
    long callId,
    Message content,
    @Nullable Payload payload,
    @Nullable CallMethod oneWayCall,
    @Nullable Body caller,
    OneWayAccount account,
    @Nullable CallName name,
    boolean isRepeated) {

  /** Returns a message without a name. */
  Parcel(
      NodeId origin,
      String address,
      long callId,
      Message content,
      @Nullable Payload payload,
      @Nullable CallMethod oneWayCall,
      @Nullable Body caller,
      OneWayAccount account) {
    this(origin, address, callId, content, payload, oneWayCall, caller, account, null);
  }

  /** Returns a message that is sent for the first time. */
  Parcel(
      NodeId origin,
      String address,
      long callId,
      Message content,
      @Nullable Payload payload,
      @Nullable CallMethod oneWayCall,
      @Nullable Body caller,
      OneWayAccount account,
      @Nullable CallName name) {
    this(origin, address, callId, content, payload, oneWayCall, caller, account, name, false);
  }

  /** Returns the call with a name; its sender does not account for it otherwise. */
  Parcel named(CallName its) {
    return new Parcel(
        origin, address, callId, content, payload, null, caller, account, its, isRepeated);
  }

  /** Returns a call with a name as it is sent again. */
  Parcel again() {
    return isRepeated || name == null
        ? this
        : new Parcel(
            origin,
            address,
            callId,
            content,
            payload,
            oneWayCall,
            caller,
            account,
            name.again(),
            true);
  }

  /** Returns the message as other nodes get it. */
  Message message() {
    return name != null && content instanceof Message.Call call
        ? new Message.Numbered(name, call)
        : content;
  }
}
