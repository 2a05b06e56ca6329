/** Farms, pipelines and recursive divisions of work, as values that compose. */
module org.troupe.skeletons {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;
  requires transitive org.troupe.tasks;

  exports org.troupe.skeletons;

  // Data that travels with a task.
  opens org.troupe.skeletons to
      org.troupe.serialization;
}
