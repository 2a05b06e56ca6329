package org.troupe.cli.project;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.deployment.files.AtomicFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code init}: makes a project of the user's own. */
@Command(
    name = "init",
    description = {
      "Makes a project: a program for a grid, and its build.",
      "%nIt has a test, a descriptor, and a build by Maven. With --single it is one "
          + "file, which 'java' runs without a build."
    })
public final class InitCommand extends CliCommand {

  @Option(
      names = "--single",
      description = "Makes a single file DIR/Pi.java, on nodes within one JVM.")
  private boolean isSingle;

  @Parameters(
      paramLabel = "DIR",
      description =
          "The folder of the project, which is new or empty; its last name is the project's.")
  private Path folder;

  @Override
  public Integer call() {
    Path target = folder.toAbsolutePath().normalize();
    Path parent = target.getParent();
    if (parent == null || target.getFileName() == null) {
      throw wrong("'" + folder + "' has no name that a project could have; name a new folder");
    }
    Optional<TroupeInstallation> installation = TroupeInstallation.here();
    Path made = null;
    try {
      refuseIfUsed(target);
      ProjectFiles files = ProjectFiles.of(target.getFileName().toString(), installation);
      Files.createDirectories(parent);
      made = Files.createDirectory(parent.resolve(".troupe-init-" + UUID.randomUUID()));
      if (isSingle) {
        files.writeSingle(made);
      } else {
        files.write(made);
      }
      Files.deleteIfExists(target); // it is empty
      Files.move(made, target);
    } catch (IOException e) {
      delete(made);
      throw wrong(
          "no project can be made in '%s': %s; mend that, or name another folder"
              .formatted(folder, reason(e)),
          e);
    }
    out().println("made '" + folder + "'; " + next(installation));
    return ExitCode.OK;
  }

  private void refuseIfUsed(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    boolean isEmpty = false;
    if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      try (var files = Files.list(target)) {
        isEmpty = files.findAny().isEmpty();
      }
    }
    if (!isEmpty) {
      throw wrong("'" + folder + "' exists and is no empty folder; name a new one");
    }
  }

  private static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ ->
          "its file system takes no new files"; // the folder above is there
      case FileAlreadyExistsException file -> "'" + file.getFile() + "' is no folder";
      default -> AtomicFile.reason(failure);
    };
  }

  private String next(Optional<TroupeInstallation> installation) {
    if (isSingle) {
      return "its first lines say how it is run";
    }
    String build = "cd '" + folder + "' && ./mvnw package";
    return installation.flatMap(TroupeInstallation::modules).isPresent()
        ? "next: " + build
        : "next: once './mvnw -DskipTests install' in Troupe's checkout, for its modules; then "
            + build;
  }

  private static void delete(@Nullable Path made) {
    if (made == null) {
      return;
    }
    try {
      Files.walkFileTree(
          made,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      // What remains has a name that begins with a dot and says what it is.
    }
  }
}
