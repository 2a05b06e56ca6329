package org.troupe.transport.rmi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.rmi.server.UnicastRemoteObject;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Ref;

/**
 * Exports an active object to foreign programs as an ordinary object of the JDK's RMI. Clients need
 * its interface and no class of Troupe.
 *
 * <p>Every program that reaches the ports of an export may call it; there is no secret. The ports
 * are on loopback unless the options name another address, and a log record warns of them.
 * Arguments may be of the platform's value types, of the types that the interface names, and of
 * types in the interface's jar. Every call waits until its request is served, and ends with the
 * result or exception. Like other RMI objects, an export keeps the JVM alive until it is closed.
 * May be shared between threads.
 *
 * {@snippet file="org/troupe/transport/rmi/snippets/RmiSnippets.java" region="interface"}
 *
 * {@snippet file="org/troupe/transport/rmi/snippets/RmiSnippets.java" region="export"}
 */
public final class RmiExport implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("org.troupe.transport.rmi");

  private final String name;
  private final ExportSocketFactory objectSockets;
  private final ExportSocketFactory registrySockets;
  private final Remote exported;
  private @Nullable Registry registry; // null unless the name is bound there
  private @Nullable Registry ownRegistry; // null if the export uses an existing registry
  private int registryPort;

  /**
   * The addresses at which an export listens.
   *
   * @param address the address of this machine to listen on, which clients must be able to reach
   * @param port the port of the object, or 0 for any
   * @param registryPort the port of the registry, or 0 for any free port of a new registry
   * @param makesRegistry whether to create a registry or to use the one at that port
   */
  public record Options(InetAddress address, int port, int registryPort, boolean makesRegistry) {

    /** Loopback, any port, and a registry of its own on any port. */
    public static final Options LOOPBACK =
        new Options(InetAddress.getLoopbackAddress(), 0, 0, true);

    /** Checks that clients can reach the addresses. */
    public Options {
      if (address.isAnyLocalAddress()) {
        throw new IllegalArgumentException(
            "an export cannot listen on all addresses ("
                + address.getHostAddress()
                + "): its references must name one; give an address of this machine");
      }
      if (registryPort == 0 && !makesRegistry) {
        throw new IllegalArgumentException(
            "the port of the existing registry is missing; give it, or set makesRegistry");
      }
    }
  }

  private RmiExport(Ref<?> ref, String name, Options options) throws IOException {
    this.name = name;
    this.objectSockets = new ExportSocketFactory(options.address());
    this.registrySockets = new ExportSocketFactory(options.address());
    var remote = RemoteInterfaces.of(ref.type());
    this.exported = remote.implementedBy(new RemoteCalls(ref));
    try {
      open(remote, options);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
    LOG.log(
        Level.WARNING,
        "{0} accepts calls without secret or encryption at {1}, port {2,number,#}; it is bound as"
            + " ''{3}'' in the registry at port {4,number,#}",
        ref.type().getName(),
        options.address().getHostAddress(),
        objectSockets.port(),
        name,
        registryPort);
  }

  /**
   * Exports an active object and binds it to a name.
   *
   * @param stub the stub of an active object whose class implements interfaces that extend {@link
   *     Remote}
   * @throws IllegalArgumentException if {@code stub} is no stub, or RMI cannot export its
   *     interfaces; the message lists every reason
   * @throws IOException if a port is in use, or the registry cannot be reached or has the name
   *     already
   */
  public static RmiExport open(Object stub, String name, Options options) throws IOException {
    return new RmiExport(ActiveObjects.ref(stub), name, options);
  }

  private void open(RemoteInterfaces remote, Options options) throws IOException {
    var local =
        UnicastRemoteObject.exportObject(
            exported, options.port(), null, objectSockets, remote.filter());
    var stub = remote.implementedBy(reachableAt(options.address(), local));
    if (options.makesRegistry()) {
      ownRegistry = LocateRegistry.createRegistry(options.registryPort(), null, registrySockets);
      registryPort = registrySockets.port();
      registry = ownRegistry;
    } else {
      registryPort = options.registryPort();
      registry = LocateRegistry.getRegistry(options.address().getHostAddress(), registryPort);
    }
    try {
      registry.bind(name, stub);
    } catch (java.rmi.AlreadyBoundException e) {
      registry = null; // the name belongs to another object; close must not unbind it
      throw new IOException(
          "the registry at port "
              + registryPort
              + " has an object named '"
              + name
              + "' already; choose another name, or unbind that object",
          e);
    }
  }

  /**
   * Returns a stub whose reference names the address at which the object listens. RMI itself puts
   * one host into all references of a JVM, from a guess or a system property.
   */
  private RemoteObjectInvocationHandler reachableAt(InetAddress address, Remote local)
      throws IOException {
    var guessed = ((RemoteObject) Proxy.getInvocationHandler(local)).getRef();
    var host = address.getHostAddress();
    var port = objectSockets.port();
    var blank = ((RemoteObject) LocateRegistry.getRegistry(host, port)).getRef();
    try (var in = new ObjectInputStream(new ByteArrayInputStream(written(guessed)))) {
      in.readByte(); // the format: whether a socket factory follows; this reference has none
      in.readUTF();
      in.readInt();
      var bytes = new ByteArrayOutputStream();
      try (var out = new ObjectOutputStream(bytes)) {
        out.writeUTF(host);
        out.writeInt(port);
        out.write(in.readAllBytes()); // the object's identifier
      }
      try (var rewritten = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        blank.readExternal(rewritten);
      }
    } catch (ClassNotFoundException e) {
      throw new AssertionError("a remote reference contains no objects", e);
    }
    return new RemoteObjectInvocationHandler(blank);
  }

  private static byte[] written(RemoteRef ref) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      ref.writeExternal(out);
    }
    return bytes.toByteArray();
  }

  /** Returns the port of the registry in which clients find the object. */
  public int registryPort() {
    return registryPort;
  }

  /** Unbinds the object and closes its ports; calls in progress end with an error. Idempotent. */
  @Override
  public synchronized void close() {
    try {
      if (registry != null) {
        registry.unbind(name);
      }
    } catch (IOException | NotBoundException e) {
      LOG.log(Level.DEBUG, "'" + name + "' could not be unbound; the registry does not answer", e);
    }
    registry = null;
    unexport(exported);
    if (ownRegistry != null) {
      unexport(ownRegistry);
    }
    objectSockets.close();
    registrySockets.close();
  }

  private static void unexport(Remote object) {
    try {
      UnicastRemoteObject.unexportObject(object, true);
    } catch (NoSuchObjectException _) {
      // The object was never exported, or is unexported already.
    }
  }
}
