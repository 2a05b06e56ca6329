package org.troupe.cli.site;

import java.nio.file.Path;
import org.troupe.deployment.site.SiteFolder;
import picocli.CommandLine.Option;

/** The option for the folder of sites. */
final class SiteOptions {

  @Option(
      names = "--sites",
      paramLabel = "DIR",
      description = "The folder of the sites' descriptors (default: sites).")
  private Path folder = Path.of("sites");

  Path path() {
    return folder;
  }

  SiteFolder folder() {
    return new SiteFolder(folder);
  }
}
