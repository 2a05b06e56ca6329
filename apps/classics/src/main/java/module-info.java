/**
 * The benchmark programs of Manta, JavaParty and MPJava, one package each.
 *
 * <p>The module is open because picocli, the stub generator, the serializer and Jackson access its
 * classes by reflection.
 */
open module org.troupe.classics {
  requires static transitive org.jspecify;
  requires info.picocli;
  requires java.net.http;
  requires org.troupe.deployment;
  requires org.troupe.groups;
  requires org.troupe.pages;
  requires org.troupe.serialization;
  requires tools.jackson.databind;

  uses org.troupe.activeobjects.transport.Transport;
}
