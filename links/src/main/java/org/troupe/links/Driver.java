package org.troupe.links;

/** What carries the bytes of a {@link Link}. */
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
