import org.troupe.activeobjects.transport.Transport;
import org.troupe.transport.rmi.RmiTransport;

/** Frames over the JDK's RMI. */
module org.troupe.transport.rmi {
  requires static transitive org.jspecify;
  requires java.management.rmi; // see FrameServer
  requires java.rmi;
  requires transitive org.troupe.activeobjects;
  requires org.troupe.links;

  exports org.troupe.transport.rmi;

  // RMI calls the methods of its remote interfaces by reflection.
  opens org.troupe.transport.rmi to
      java.rmi;

  provides Transport with
      RmiTransport;
}
