package org.troupe.deployment.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Writes on disks that are full at any block, and on real ones. */
class AtomicFileTest {

  private static final int BLOCK = 64; // bytes
  private static final int BLOCKS = 10; // of the new content
  private static final byte[] NEW = "new ".repeat(BLOCKS * BLOCK / 4).getBytes();

  @TempDir private Path folder;

  /** Creates a disk with a number of free blocks and a file {@code f} of one block. */
  private static Path file(int blocks) throws IOException {
    FileSystem disk =
        Jimfs.newFileSystem(
            Configuration.unix().toBuilder()
                .setBlockSize(BLOCK)
                .setMaxSize((long) (blocks + 1) * BLOCK)
                .build());
    return Files.writeString(disk.getPath("/work/f"), "old");
  }

  private static List<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void keepsTheFileAndLeavesNothingBesideItAtWhicheverBlockTheDiskIsFull() throws IOException {
    for (var blocks = 0; blocks < BLOCKS; blocks++) {
      var file = file(blocks);

      assertThatThrownBy(() -> AtomicFile.write(file, NEW))
          .as("with %d blocks", blocks)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "'/work/f' could not be written: out of disk space; free some space or correct"
                  + " that; all existing files are intact");

      assertThat(file).hasContent("old");
      assertThat(names(file.getParent())).containsExactly("f");
    }
  }

  @Test
  void replacesTheFileWhereThereIsRoom() throws IOException {
    var file = file(BLOCKS);

    AtomicFile.write(file, NEW);

    assertThat(file).hasBinaryContent(NEW);
    assertThat(names(file.getParent())).containsExactly("f");
  }

  @Test
  void createsANewFileWholeOrNotAtAll() throws IOException {
    for (var blocks = 0; blocks < BLOCKS; blocks++) {
      var file = file(blocks).resolveSibling("g");

      assertThatThrownBy(
              () -> AtomicFile.create(file, to -> to.write(java.nio.ByteBuffer.wrap(NEW))))
          .hasMessageContaining("'/work/g' could not be written: out of disk space");

      assertThat(file).doesNotExist();
    }
    var there = file(BLOCKS);
    assertThatThrownBy(() -> AtomicFile.create(there, to -> {}))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(there).hasContent("old");
  }

  @Test
  void addsAllLinesOrNone() throws IOException {
    for (var blocks = 0; blocks < BLOCKS; blocks++) {
      var file = file(blocks);

      assertThatThrownBy(() -> AtomicFile.append(file, new String(NEW)))
          .hasMessageContaining("'/work/f' could not be added to: out of disk space");

      assertThat(file).hasContent("old");
    }
    var file = file(BLOCKS);
    AtomicFile.append(file, "more\n"); // which also ends the line before
    AtomicFile.append(file, "and more\n");
    assertThat(Files.readString(file)).isEqualTo("old\nmore\nand more\n");
  }

  @Test
  void removesWhatFailedForAnyOtherReason() throws IOException {
    var file = folder.resolve("f");

    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    to -> {
                      throw new IllegalStateException("no content");
                    }))
        .hasMessage("no content");
    assertThatThrownBy(() -> AtomicFile.write(folder.resolve("none/f"), "text"))
        .hasMessageContaining("its folder does not exist");
    assertThatThrownBy(() -> AtomicFile.write(Path.of("/proc/none"), "text"))
        .hasMessage(
            "'/proc/none' could not be written: no file can be made there; name one in another folder");
    Files.createDirectories(folder.resolve("d/full"));
    assertThatThrownBy(() -> AtomicFile.write(folder.resolve("d"), "text"))
        .hasMessageContaining("'" + folder.resolve("d") + "' could not be written: ");

    assertThat(names(folder)).containsExactly("d");
  }

  @Test
  void movesAFileIntoItsPlaceOrRemovesIt() throws IOException {
    var part = Files.writeString(folder.resolve("part"), "whole");
    AtomicFile.move(part, folder.resolve("f"));
    assertThat(folder.resolve("f")).hasContent("whole");
    Files.writeString(part, "whole, too");
    Files.createDirectories(folder.resolve("d/full"));

    assertThatThrownBy(() -> AtomicFile.move(part, folder.resolve("d")))
        .hasMessageContaining("could not be written");

    assertThat(names(folder)).containsExactly("d", "f");
  }

  @Test
  void removesWhatAKilledProgramHasLeft() throws IOException {
    Files.writeString(folder.resolve("f.1f00.unfinished"), "half");
    Files.writeString(folder.resolve("f.txt"), "mine");
    Files.writeString(folder.resolve("other.1f00.unfinished"), "of another file");

    AtomicFile.removeUnfinished(folder.resolve("f"));

    assertThat(names(folder)).containsExactly("f.txt", "other.1f00.unfinished");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void leavesALinkALinkAndGivesANewFileItsPermissions() throws IOException {
    var file = Files.writeString(folder.resolve("f"), "old");
    var link = Files.createSymbolicLink(folder.resolve("link"), file);

    AtomicFile.write(link, "new");
    AtomicFile.write(
        folder.resolve("secret"),
        to -> {},
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
    assertThat(Files.getPosixFilePermissions(folder.resolve("secret")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  @EnabledOnOs(OS.LINUX) // the test needs /dev/full
  void writesToADeviceAndSaysThatItIsFull() throws IOException {
    assertThat(AtomicFile.isOverwritten(Path.of("/dev/null"))).isTrue();
    assertThat(AtomicFile.isOverwritten(folder.resolve("none"))).isFalse();
    assertThat(AtomicFile.isOverwritten(Files.writeString(folder.resolve("f"), "old"))).isFalse();
    AtomicFile.write(Path.of("/dev/null"), "text");

    assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/full"), "text"))
        .hasMessage(
            "'/dev/full' could not be written: No space left on device; its content is incomplete");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void keepsThePermissionsOfWhatItReplaces() throws IOException {
    for (var mode : List.of("rw-------", "rw-rw-r--", "rwxrwxrwx")) {
      var file = Files.writeString(folder.resolve("f"), "old");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

      AtomicFile.write(file, "new");

      assertThat(file).hasContent("new");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo(mode);
    }
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void refusesAFileThatIsReadOnly() throws IOException {
    var file = Files.writeString(folder.resolve("f"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assumeThat(Files.isWritable(file)).as("root may write all").isFalse();

    assertThatThrownBy(() -> AtomicFile.write(file, "new")).hasMessageContaining("read-only");

    assertThat(file).hasContent("old");
    assertThat(names(folder)).containsExactly("f");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void writesWhereALinkLeadsThatLeadsNowhereYet() throws IOException {
    var link = Files.createSymbolicLink(folder.resolve("link"), Path.of("f"));

    AtomicFile.write(link, "new");

    assertThat(link).isSymbolicLink();
    assertThat(folder.resolve("f")).hasContent("new");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void checksWithoutTouchingTheFile() throws IOException {
    var link = Files.createSymbolicLink(folder.resolve("link"), Path.of("f"));

    AtomicFile.check(link);
    AtomicFile.check(folder.resolve("g"));
    assertThatThrownBy(() -> AtomicFile.check(folder.resolve("none/f")))
        .isInstanceOf(IOException.class);

    assertThat(names(folder)).containsExactly("link");
    var file = Files.writeString(folder.resolve("f"), "of another program");
    AtomicFile.check(link);
    assertThat(file).hasContent("of another program");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void writesToAFileThatIsMounted() throws Exception {
    assumeThat(new ProcessBuilder("unshare", "--mount", "true").start().waitFor())
        .as("may mount")
        .isZero();
    var outside = Files.writeString(folder.resolve("outside"), "old");
    var mounted = Files.writeString(folder.resolve("mount point"), "none");

    var program =
        new ProcessBuilder(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount --bind \"$1\" \"$2\" && exec \"$3\" -cp \"$4\" \"$5\" \"$2\"",
                "sh",
                outside.toString(),
                mounted.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"),
                Printing.class.getName())
            .redirectErrorStream(true)
            .start();

    assertThat(program.getInputStream()).hasContent("before after");
    assertThat(program.waitFor()).isZero();
    assertThat(outside).hasContent("file ");
    assertThat(names(folder)).containsExactly("mount point", "outside");
  }

  /** The program of {@link #writesToTheStandardOutputAmongWhatIsPrinted}. */
  static final class Printing {
    public static void main(String[] arguments) throws IOException {
      System.out.print("before ");
      AtomicFile.write(Path.of(arguments[0]), "file ");
      System.out.println("after");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void writesToTheStandardOutputAmongWhatIsPrinted() throws Exception {
    for (var name : List.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")) {
      var program =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Printing.class.getName(),
                  name)
              .redirectError(ProcessBuilder.Redirect.INHERIT);
      var piped = program.start();
      assertThat(piped.getInputStream()).as(name).hasContent("before file after");

      var file = folder.resolve("out");
      assertThat(program.redirectOutput(file.toFile()).start().waitFor()).isZero();
      assertThat(file).as(name).hasContent("before file after");
    }
  }
}
