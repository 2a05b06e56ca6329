/** Frames over the JDK's RMI. */
module org.troupe.transport.rmi {
  requires java.rmi;
  requires org.troupe.activeobjects;
  requires org.troupe.links;
}
