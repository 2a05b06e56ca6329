package org.troupe.links;

/**
 * The medium that carries the bytes of a {@link Link}. A closed set: both sides of a connection
 * negotiate one of these by its code, so a new medium for frames is not added here but as a
 * transport (see the package description).
 */
public enum Driver {
  /** A TCP connection. */
  TCP,
  /** A Unix domain socket, between processes of one user on one host. */
  UDS,
  /** Memory that two processes of one user on one host share. */
  SHM,
  /** TLS 1.3 over a TCP connection. */
  TLS
}
