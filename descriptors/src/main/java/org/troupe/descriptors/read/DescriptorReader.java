package org.troupe.descriptors.read;

import java.nio.file.Path;
import java.util.Map;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.ElementSchema;
import org.troupe.descriptors.xml.IncludeResolver;
import org.troupe.descriptors.xml.ProblemCollector;
import org.troupe.descriptors.xml.ValueChecks;
import org.troupe.descriptors.xml.VariableResolver;

/**
 * Reads descriptors from files. Reading starts nothing, and opens no file but the descriptor and
 * the files that it includes.
 */
public final class DescriptorReader {

  private DescriptorReader() {}

  /**
   * Reads and checks a descriptor with the environment variables of this process.
   *
   * @param variables values that override those of the environment and of the descriptor, usually
   *     from the command line; no variable in them is replaced
   * @throws org.troupe.descriptors.DescriptorException with every problem, if there is any
   */
  public static Descriptor read(Path file, Map<String, String> variables) {
    return read(file, variables, System.getenv());
  }

  /**
   * Reads and checks a descriptor.
   *
   * @param variables values that override those of the environment and of the descriptor; no
   *     variable in them is replaced
   * @param environment the environment variables that the descriptor may use
   * @throws org.troupe.descriptors.DescriptorException with every problem, if there is any
   */
  public static Descriptor read(
      Path file, Map<String, String> variables, Map<String, String> environment) {
    ProblemCollector problems = new ProblemCollector();
    Element root = IncludeResolver.read(file, problems);
    SourcePosition whole = new SourcePosition(file.toString(), 0, 0);
    VariableResolver known = new VariableResolver(root, variables, environment, whole, problems);
    Element checked = ValueChecks.check(root, ElementSchema.TROUPE, known, problems);
    known.warnOfUnused();
    ReferenceChecks.check(root, checked, problems);
    problems.throwIfAny();
    return DescriptorBuilder.of(DescriptorDocument.of(checked), known.all(), problems.warnings());
  }
}
