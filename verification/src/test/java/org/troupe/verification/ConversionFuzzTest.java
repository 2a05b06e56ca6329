package org.troupe.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.convert.LegacyConversion;

/** Converting any file of ProActive or the GCM gives a descriptor or a list of problems. */
class ConversionFuzzTest {

  private static final Path FILE =
      Jimfs.newFileSystem(Configuration.unix()).getPath("/work/old.xml");

  @FuzzTest
  void givesADescriptorOrProblems(byte[] bytes) throws IOException {
    Files.createDirectories(FILE.getParent());
    Files.write(FILE, bytes);
    try {
      assertThat(LegacyConversion.of(List.of(FILE)).descriptor()).isNotEmpty();
    } catch (DescriptorException e) {
      assertThat(e.problems()).isNotEmpty();
    }
  }
}
