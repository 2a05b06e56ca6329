import org.troupe.activeobjects.transport.Transport;
import org.troupe.benchmarks.models.DelayedTransport;

/** The benchmarks: measure Troupe against the limits of the machine and against its peers. */
module org.troupe.benchmarks {
  requires static transitive org.jspecify;
  requires com.esotericsoftware.kryo;
  requires info.picocli;
  requires java.desktop;
  requires java.logging;
  requires java.management;
  requires java.rmi;
  requires jdk.management;
  requires org.apache.fory.core;
  requires org.apache.sshd.osgi;
  requires org.knowm.xchart;
  requires org.troupe.activeobjects;
  requires org.troupe.browser;
  requires org.troupe.classics;
  requires org.troupe.deployment;
  requires org.troupe.em3d;
  requires org.troupe.groups;
  requires org.troupe.links;
  requires org.troupe.mpj;
  requires org.troupe.replicas;
  requires org.troupe.serialization;
  requires org.troupe.skeletons;
  requires org.troupe.tasks;
  requires pekko.actor;
  requires pekko.persistence;
  requires tools.jackson.databind;
  requires typesafe.config;

  // These packages have the commands, active objects and remote interfaces that are accessed by
  // reflection.
  opens org.troupe.benchmarks to
      info.picocli;
  opens org.troupe.benchmarks.em3d to
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.benchmarks.models to
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.benchmarks.rows to
      java.rmi,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.benchmarks.sides to
      java.rmi,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;

  uses Transport;

  provides Transport with
      DelayedTransport;
}
