/**
 * The programs by which the ancestors were judged; each has a package of its own.
 *
 * <p>Open: programs are commands, their parts are active objects, and what these say goes into
 * reports.
 */
open module org.troupe.classics {
  requires static transitive org.jspecify;
  requires info.picocli;
  requires java.net.http;
  requires jdk.httpserver;
  requires org.troupe.deployment;
  requires org.troupe.groups;
  requires org.troupe.serialization;
  requires tools.jackson.databind;

  uses org.troupe.activeobjects.transport.Transport;
}
