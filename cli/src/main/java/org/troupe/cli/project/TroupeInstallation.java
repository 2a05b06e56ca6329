package org.troupe.cli.project;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where this command is installed: in an unpacked archive, or in a checkout.
 *
 * @param jars the folder with all jars
 * @param command the script that starts this command
 * @param modules the Maven repository with Troupe's modules, which an archive has
 */
record TroupeInstallation(Path jars, Path command, Optional<Path> modules) {

  /** Returns the installation that this class was loaded from; none in a test. */
  static Optional<TroupeInstallation> here() {
    CodeSource code = TroupeInstallation.class.getProtectionDomain().getCodeSource();
    return code == null
        ? Optional.empty()
        : of(new File(URI.create(code.getLocation().toString())).toPath());
  }

  /** Returns the installation that has a jar of this command. */
  static Optional<TroupeInstallation> of(Path jar) {
    Path jars = jar.toAbsolutePath().getParent();
    if (jars == null) {
      return Optional.empty();
    }
    Path modules = jars.resolveSibling("maven");
    return Stream.of(
            "bin/troupe", "../../../troupe") // beside lib/, and above cli/target/troupe/lib/
        .map(command -> jars.resolveSibling(command).normalize())
        .filter(Files::isRegularFile)
        .findFirst()
        .map(
            command ->
                new TroupeInstallation(
                    jars, command, Optional.of(modules).filter(Files::isDirectory)));
  }
}
