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
 * Offers an active object to foreign programs, as an ordinary object of the JDK's RMI: they need
 * its interface and nothing of Troupe.
 *
 * <p>Whoever reaches the ports of an export may call it, without any secret: they are on loopback
 * unless the options say otherwise, and the log warns of them. Arguments may be of the platform's
 * value types, of the types that the interface names, and of those that come with it, in one jar.
 * Every call waits for its request to be served, and ends with its result or exception. As RMI's
 * objects do, an export keeps the JVM alive until it is closed. May be shared between threads.
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
  private @Nullable Registry ownRegistry; // null if the registry is somebody else's
  private int registryPort;

  /**
   * Where an export listens.
   *
   * @param address the address of this machine to listen on, which clients must be able to reach
   * @param port the port of the object, or 0 for any
   * @param registryPort the port of the registry, or 0 for any if it is to be made
   * @param makesRegistry whether to make a registry, or to use the one at that port
   */
  public record Options(InetAddress address, int port, int registryPort, boolean makesRegistry) {

    /** Loopback, any port, and a registry of its own on any port. */
    public static final Options LOOPBACK =
        new Options(InetAddress.getLoopbackAddress(), 0, 0, true);

    /** Refuses what clients could not reach. */
    public Options {
      if (address.isAnyLocalAddress()) {
        throw new IllegalArgumentException(
            "an export cannot listen on all addresses ("
                + address.getHostAddress()
                + "): clients have to be told one; name an address of this machine");
      }
      if (registryPort == 0 && !makesRegistry) {
        throw new IllegalArgumentException(
            "the port of the registry to use is missing; give it, or let one be made");
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
        "{0} takes calls from anybody who reaches {1}, port {2,number,#}, or finds it as ''{3}'' in the"
            + " registry at port {4,number,#}: without secret or encryption",
        ref.type().getName(),
        options.address().getHostAddress(),
        objectSockets.port(),
        name,
        registryPort);
  }

  /**
   * Offers an active object under a name.
   *
   * @param stub the stub of an active object whose class implements interfaces that extend {@link
   *     Remote}
   * @throws IllegalArgumentException if it is no stub, or RMI cannot offer its interfaces; the
   *     message lists every reason
   * @throws IOException if a port is in use, or the registry is not there or has the name already
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
      registry = null; // the name is another's: not ours to unbind
      throw new IOException(
          "the registry at port "
              + registryPort
              + " has an object named '"
              + name
              + "' already; choose another name, or unbind that one",
          e);
    }
  }

  /**
   * RMI gives all references of a JVM one host, its own guess or a system property; ours names the
   * address that the object listens on.
   */
  private RemoteObjectInvocationHandler reachableAt(InetAddress address, Remote local)
      throws IOException {
    var guessed = ((RemoteObject) Proxy.getInvocationHandler(local)).getRef();
    var host = address.getHostAddress();
    var port = objectSockets.port();
    var blank = ((RemoteObject) LocateRegistry.getRegistry(host, port)).getRef();
    try (var in = new ObjectInputStream(new ByteArrayInputStream(written(guessed)))) {
      in.readByte(); // of a format that says whether a socket factory comes: ours has none
      in.readUTF();
      in.readInt();
      var bytes = new ByteArrayOutputStream();
      try (var out = new ObjectOutputStream(bytes)) {
        out.writeUTF(host);
        out.writeInt(port);
        out.write(in.readAllBytes()); // the object's number
      }
      try (var rewritten = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        blank.readExternal(rewritten);
      }
    } catch (ClassNotFoundException e) {
      throw new AssertionError("a reference without objects", e);
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
      LOG.log(Level.DEBUG, "'" + name + "' could not be unbound: the registry has gone", e);
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
      // It never was exported, or no longer is: all the same.
    }
  }
}
