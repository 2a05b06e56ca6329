/** The XML deployment descriptor: model, schema and every error with line and column. */
module org.troupe.descriptors {
  requires java.xml;
  requires tools.jackson.dataformat.xml;

  exports org.troupe.descriptors;

  // Binding fills records that nobody else should see.
  opens org.troupe.descriptors to
      tools.jackson.databind;
}
