package org.troupe.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickNodesExtensionTest {

  @TempDir private Path distribution;

  @Test
  void theArchiveOfTheModuleUnderTestIsTheProgram() throws Exception {
    var lib = Files.createDirectories(distribution.resolve("lib"));
    var built = Files.createDirectories(distribution.resolve("target"));
    var own = Files.createFile(lib.resolve("troupe-em3d-1.jar"));
    var other = Files.createFile(lib.resolve("troupe-links-1.jar"));
    Files.createDirectories(lib.resolve("bench"));
    Files.createFile(built.resolve("troupe-em3d-1.jar"));

    var archives = QuickNodesExtension.archives(distribution);

    assertThat(archives).containsExactlyInAnyOrder(own, other);
    assertThat(QuickNodesExtension.ownArchives(archives, built)).containsExactly(own);
  }

  @Test
  void aCacheThatCouldNotBeMadeIsNotUsed() throws Exception {
    assertThat(QuickNodesExtension.cache(distribution)).isEmpty();
    var cache = Files.createFile(distribution.resolve("start-25.aot"));
    assertThat(QuickNodesExtension.cache(distribution)).isEmpty();
    Files.writeString(cache, "classes");
    assertThat(QuickNodesExtension.cache(distribution)).contains(cache);
  }
}
