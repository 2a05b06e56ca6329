package org.troupe.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.read.DescriptorReader;

/** Descriptors whose only virtual node is mapped to one element, for tests. */
public final class OneElement {

  private OneElement() {}

  /**
   * Writes and reads a descriptor.
   *
   * @param id of the element to which the virtual node is mapped
   * @param infrastructure that element, and those that it refers to
   */
  public static Descriptor descriptor(Path folder, String id, String infrastructure)
      throws IOException {
    var file = folder.resolve("grid.xml");
    Files.writeString(
        file,
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="w"/></virtualNodes>
          <mapping><map virtualNode="w" to="%s"/></mapping>
          <infrastructure>%s</infrastructure>
        </troupe>
        """
            .formatted(id, infrastructure));
    return DescriptorReader.read(file, Map.of());
  }
}
