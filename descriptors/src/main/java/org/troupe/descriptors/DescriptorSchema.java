package org.troupe.descriptors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The XML schema of descriptors, for editors and validators. */
public final class DescriptorSchema {

  /** The namespace of a descriptor's elements. */
  public static final String NAMESPACE = "urn:troupe:descriptor:1";

  private DescriptorSchema() {}

  /** Returns the text of the schema, in XML Schema 1.0. */
  public static String xsd() {
    try (InputStream in = DescriptorSchema.class.getResourceAsStream("troupe.xsd")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
