/** Active objects: bodies, request queues, references, nodes and the one table of calls. */
@SuppressWarnings("module") // the modules that packages are exported to are above this one
module org.troupe.activeobjects {
  requires static transitive org.jspecify;
  requires transitive org.troupe.futures;
  requires transitive org.troupe.serialization; // its annotations are for users
  requires transitive org.troupe.stubs;
  requires static jdk.jfr; // events, where the recorder is
  requires static java.logging; // whose handlers are used while the process ends
  requires jdk.management; // the traces of virtual threads

  exports org.troupe.activeobjects;
  exports org.troupe.activeobjects.collective to
      org.troupe.groups,
      org.troupe.mpj,
      org.troupe.replicas,
      org.troupe.tasks;
  exports org.troupe.activeobjects.hosting to
      org.troupe.benchmarks,
      org.troupe.deployment,
      org.troupe.groups,
      org.troupe.junit,
      org.troupe.replicas,
      org.troupe.tasks;
  exports org.troupe.activeobjects.spi; // implemented by observers
  exports org.troupe.activeobjects.store; // implemented by stores
  exports org.troupe.activeobjects.transport; // implemented by transports

  // The node's own service is an active object, and its arguments are records.
  opens org.troupe.activeobjects to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.collective to
      org.troupe.serialization;
  opens org.troupe.activeobjects.hosting to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.body to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.call to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.capacity to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.classes to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.collective to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.copies to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.deadlock to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.keeping to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.listing to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.marshal to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.moving to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.object to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.peer to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.relocation to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.replay to
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.runtime to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.service to
      org.troupe.stubs,
      org.troupe.serialization;
  opens org.troupe.activeobjects.internal.supervision to
      org.troupe.serialization;
  opens org.troupe.activeobjects.transport to
      org.troupe.serialization;

  uses org.troupe.activeobjects.RuntimeProvider;
  uses org.troupe.activeobjects.collective.Collectives;
  uses org.troupe.activeobjects.collective.CompositeStub.Maker;
  uses org.troupe.activeobjects.hosting.GridMember.Opener;
  uses org.troupe.activeobjects.spi.Observer;
  uses org.troupe.activeobjects.transport.Transport;

  provides org.troupe.activeobjects.RuntimeProvider with
      org.troupe.activeobjects.internal.runtime.NodeRuntimeProvider;
  provides org.troupe.activeobjects.collective.Collectives with
      org.troupe.activeobjects.internal.runtime.RuntimeCollectives;
  provides org.troupe.activeobjects.hosting.GridMember.Opener with
      org.troupe.activeobjects.internal.runtime.GridOpener;
}
