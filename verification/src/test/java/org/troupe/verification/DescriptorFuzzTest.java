package org.troupe.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.read.DescriptorReader;

/** Reading any file gives a descriptor or a list of problems. */
class DescriptorFuzzTest {

  private static final Path FILE =
      Jimfs.newFileSystem(Configuration.unix()).getPath("/work/grid.xml");

  @FuzzTest
  void givesADescriptorOrProblems(byte[] bytes) throws IOException {
    Files.createDirectories(FILE.getParent());
    Files.write(FILE, bytes);
    try {
      var descriptor = DescriptorReader.read(FILE, Map.of());
      assertThat(descriptor.virtualNodes()).isNotNull();
    } catch (DescriptorException e) {
      assertThat(e.problems()).isNotEmpty();
    }
  }
}
