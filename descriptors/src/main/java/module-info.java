/** The XML deployment descriptor: model, schema and every error with line and column. */
@SuppressWarnings("module") // the modules that packages are exported to are above this one
module org.troupe.descriptors {
  requires static transitive org.jspecify;
  requires java.xml;
  requires tools.jackson.dataformat.xml;

  exports org.troupe.descriptors;
  exports org.troupe.descriptors.convert to
      org.troupe.cli;
  exports org.troupe.descriptors.read;

  // The XML files of the solver are read as descriptors are, and wrong options are told alike.
  exports org.troupe.descriptors.text to
      org.troupe.classics,
      org.troupe.cli,
      org.troupe.deployment,
      org.troupe.em3d;
  exports org.troupe.descriptors.xml to
      org.troupe.em3d;

  // Jackson fills the records of a document.
  opens org.troupe.descriptors.read to
      tools.jackson.databind;
}
