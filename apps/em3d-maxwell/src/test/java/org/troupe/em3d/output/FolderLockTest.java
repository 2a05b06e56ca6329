package org.troupe.em3d.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against attempts of this JVM and of another. */
class FolderLockTest {

  private static final int REFUSED = 7;

  @TempDir private Path folder;

  /** Tries to take a lock. */
  static final class Other {
    public static void main(String[] arguments) throws IOException {
      try (var _ = FolderLock.take(Path.of(arguments[0]))) {
        System.out.println("taken");
      } catch (FolderLock.HeldException e) {
        System.exit(REFUSED);
      }
    }
  }

  private int tryInAnotherProcess(Path file) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            place(Other.class) + File.pathSeparator + place(FolderLock.class),
            Other.class.getName(),
            file.toString())
        .redirectErrorStream(true)
        .start()
        .waitFor();
  }

  private static Path place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void holdsAfterAnotherAttemptOfThisProgram() throws Exception {
    var file = folder.resolve(".lock");
    try (var _ = FolderLock.take(file)) {
      assertThatThrownBy(
              () -> FolderLock.take(folder.resolve("../" + folder.getFileName() + "/.lock")))
          .isInstanceOf(FolderLock.HeldException.class)
          .hasMessage("another run writes there: one of this program");

      assertThat(tryInAnotherProcess(file)).isEqualTo(REFUSED);
    }
    assertThat(tryInAnotherProcess(file)).isZero();
    FolderLock.take(file).close();
  }
}
