package org.troupe.cli.descriptor;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.convert.LegacyConversion;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code convert}: converts legacy descriptors. */
@Command(
    name = "convert",
    description = {
      "Converts descriptors of ProActive and of GCM.",
      "%nA GCM application is converted with its deployment. The descriptor is "
          + "printed; each element without a counterpart is a line on standard error."
    })
public final class ConvertCommand extends CliCommand {

  @Parameters(
      paramLabel = "FILE",
      arity = "1..2",
      description =
          "The descriptor to convert; for GCM the application, which names its deployments, or both"
              + " files.")
  private List<Path> files;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file to write instead of printing the descriptor.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Replaces the output if it is there already.")
  private boolean isForced;

  @Override
  public Integer call() {
    if (isForced && output == null) {
      throw wrong("'--force' is for '--output'; name a file with it");
    }
    LegacyConversion conversion = LegacyConversion.of(files);
    if (output == null) {
      out().print(conversion.descriptor());
      out().flush();
    } else {
      try {
        write(output, conversion.descriptor());
      } catch (IOException e) {
        err().println(e.getMessage());
        return ExitCode.SOFTWARE;
      }
    }
    for (SourceProblem loss : conversion.losses()) {
      err().println(loss);
    }
    return ExitCode.OK;
  }

  private void write(Path target, String descriptor) throws IOException {
    if (isForced) {
      AtomicFile.write(target, descriptor);
      return;
    }
    try {
      AtomicFile.create(
          target,
          file ->
              Channels.newOutputStream(file).write(descriptor.getBytes(StandardCharsets.UTF_8)));
    } catch (FileAlreadyExistsException e) {
      throw wrong("'" + target + "' is there already; replace it with --force");
    }
  }
}
