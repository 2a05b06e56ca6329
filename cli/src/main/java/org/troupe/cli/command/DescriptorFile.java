package org.troupe.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.read.DescriptorReader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that name a descriptor and the values of its variables. */
public final class DescriptorFile {

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Parameters(paramLabel = "FILE", description = "The deployment descriptor.")
  private Path file;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "The value of a variable; overrides the environment and the descriptor.")
  private List<String> definitions = List.of();

  /** Returns the file as the user wrote it. */
  public Path file() {
    return file;
  }

  /** Reads and checks the descriptor; prints its warnings. */
  public Descriptor read() {
    Descriptor descriptor = DescriptorReader.read(file, variables());
    for (SourceProblem warning : descriptor.warnings()) {
      command.commandLine().getErr().println("warning: " + warning);
    }
    return descriptor;
  }

  private Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String definition : definitions) {
      int equals = definition.indexOf('=');
      if (equals < 1) {
        throw wrong(
            "'-D %s' gives no %s; write -D name=value"
                .formatted(definition, equals == 0 ? "name" : "value"));
      }
      String name = definition.substring(0, equals);
      if (variables.put(name, definition.substring(equals + 1)) != null) {
        throw wrong("variable '" + name + "' is given twice; give it once");
      }
    }
    return variables;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
