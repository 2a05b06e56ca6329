package org.troupe.transport.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.StreamCorruptedException;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.Set;

/**
 * Reads a peer's remote reference and rejects every other class; binds the reference to a {@link
 * PeerDialler}.
 */
final class ReferenceInput extends ObjectInputStream {

  private static final Set<Class<?>> PARTS =
      Set.of(
          RemoteObjectInvocationHandler.class,
          RemoteObject.class,
          PeerSockets.class,
          Enum.class,
          PeerDialler.class); // the filter sees replacements, too

  private final PeerDialler dialler;

  ReferenceInput(InputStream in, PeerDialler dialler) throws IOException {
    super(in);
    this.dialler = dialler;
    enableResolveObject(true);
    setObjectInputFilter(ReferenceInput::check);
  }

  private static ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo info) {
    return info.serialClass() == null || PARTS.contains(info.serialClass())
        ? ObjectInputFilter.Status.ALLOWED
        : ObjectInputFilter.Status.REJECTED;
  }

  RemoteObjectInvocationHandler readReference() throws IOException {
    try {
      return (RemoteObjectInvocationHandler) readObject();
    } catch (ClassNotFoundException | ClassCastException e) {
      throw (IOException)
          new StreamCorruptedException("the peer did not send an RMI reference: " + e.getMessage())
              .initCause(e);
    }
  }

  @Override
  protected Object resolveObject(Object read) {
    return read == PeerSockets.OF_CALLER ? dialler : read;
  }
}
