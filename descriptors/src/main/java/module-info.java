/** The XML deployment descriptor: model, schema and every error with line and column. */
module org.troupe.descriptors {
  requires java.xml;
  requires tools.jackson.dataformat.xml;
}
