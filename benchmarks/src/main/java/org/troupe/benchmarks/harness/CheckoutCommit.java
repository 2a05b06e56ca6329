package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.util.List;

/** Finds the commit that is measured. */
public final class CheckoutCommit {

  private CheckoutCommit() {}

  /** Returns the abbreviated commit of the checkout; says so if files differ from it. */
  public static String describe() throws IOException, InterruptedException {
    var troupe = DistributionCommand.path();
    if (troupe.isEmpty() || !ExternalCommand.isInstalled("git")) {
      return "unknown commit";
    }
    var folder = troupe.get().toAbsolutePath().resolveSibling(".").normalize();
    try {
      var commit =
          ExternalCommand.run("git", folder, List.of("git", "rev-parse", "--short", "HEAD"));
      var changes =
          ExternalCommand.run(
              "git", folder, List.of("git", "status", "--porcelain", "--untracked-files=no"));
      return commit.strip() + (changes.isBlank() ? "" : " with changes");
    } catch (IOException e) {
      return "unknown commit"; // a copy without its repository
    }
  }
}
