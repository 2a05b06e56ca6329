/** The XML deployment descriptor: model, schema and every error with line and column. */
@SuppressWarnings("module") // the modules that packages are exported to are above this one
module org.troupe.descriptors {
  requires static transitive org.jspecify;
  requires java.xml;
  requires tools.jackson.dataformat.xml;

  exports org.troupe.descriptors;
  exports org.troupe.descriptors.convert;
  exports org.troupe.descriptors.xml;

  // Binding fills records that nobody else should see.
  opens org.troupe.descriptors to
      tools.jackson.databind;
  opens org.troupe.descriptors.read to
      tools.jackson.databind;
  opens org.troupe.descriptors.xml to
      tools.jackson.databind;
}
