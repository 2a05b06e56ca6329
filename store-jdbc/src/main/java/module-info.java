/** A store of active objects in a database. */
module org.troupe.store.jdbc {
  requires static transitive org.jspecify;
  requires transitive java.sql;
  requires transitive org.troupe.activeobjects;

  exports org.troupe.store.jdbc;

  // A store travels with the options of an object.
  opens org.troupe.store.jdbc to
      org.troupe.serialization;
}
