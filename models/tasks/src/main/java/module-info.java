/** Tasks that fork and join trees of tasks over a live set of nodes, by work stealing. */
@SuppressWarnings("module") // the modules that the engine is exported to are above this one
module org.troupe.tasks {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;

  exports org.troupe.tasks;
  exports org.troupe.tasks.engine to
      org.troupe.satin,
      org.troupe.skeletons;
  exports org.troupe.tasks.nodes to
      org.troupe.satin,
      org.troupe.skeletons;

  // Data that travels with a task.
  opens org.troupe.tasks to
      org.troupe.serialization;
  opens org.troupe.tasks.engine to
      org.troupe.serialization;
  opens org.troupe.tasks.nodes to
      org.troupe.stubs,
      org.troupe.serialization;
}
