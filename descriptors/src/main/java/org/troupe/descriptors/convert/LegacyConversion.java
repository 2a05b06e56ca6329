package org.troupe.descriptors.convert;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.xml.ProblemCollector;

/**
 * A descriptor made from old ProActive ones: the form with virtual nodes, mapping and processes, or
 * a GCM application with its GCM deployments. Immutable.
 *
 * @param descriptor the text of a file
 * @param losses the parts without counterpart, sorted by position, each with a remedy
 */
public record LegacyConversion(String descriptor, List<SourceProblem> losses) {

  /** Copies the list. */
  public LegacyConversion {
    losses = List.copyOf(losses);
  }

  /**
   * Converts one descriptor, or a GCM application and one of its deployments. Deployments that an
   * application names are read automatically; a given one replaces them.
   *
   * @param files one or two files
   * @throws org.troupe.descriptors.DescriptorException if a file cannot be read, is no legacy
   *     descriptor, or contradicts itself
   */
  public static LegacyConversion of(List<Path> files) {
    ProblemCollector problems = new ProblemCollector();
    List<LegacyElement> applications = new ArrayList<>();
    List<LegacyElement> deployments = new ArrayList<>();
    Optional<LegacyElement> processes = Optional.empty();
    ConversionLosses losses = new ConversionLosses();
    for (Path file : files) {
      LegacyElement root = LegacyElement.read(file, losses);
      switch (root.name()) {
        case "ProActiveDescriptor" -> processes = Optional.of(root);
        case "GCMApplication" -> applications.add(root);
        case "GCMDeployment" -> deployments.add(root);
        default ->
            problems.error(
                root.place(),
                "the root element is "
                    + quote(root.name())
                    + ", not 'ProActiveDescriptor', 'GCMApplication' or 'GCMDeployment'",
                root.name().equals("troupe")
                    ? "use it as it is: it is no old descriptor"
                    : "name an old descriptor");
      }
    }
    int roles = Math.min(1, applications.size()) + Math.min(1, deployments.size());
    if (files.size() > 1 && roles < 2) {
      problems.error(
          new SourcePosition(files.getLast().toString(), 0, 0),
          "is one file too many",
          "name one old descriptor, or a GCMApplication and a GCMDeployment");
    }
    problems.throwIfAny();
    DescriptorDraft draft = new DescriptorDraft(files, losses, problems);
    if (processes.isPresent()) {
      new ProActiveReader(processes.get(), draft).convert();
    } else {
      Optional<LegacyElement> application = applications.stream().findFirst();
      new GcmReader(application, deployments.stream().findFirst(), draft).convert();
    }
    problems.throwIfAny();
    return new LegacyConversion(draft.write(), losses.all());
  }
}
