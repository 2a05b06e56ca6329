package org.troupe.descriptors;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.descriptors.read.DescriptorBuilder;
import org.troupe.descriptors.read.Document;
import org.troupe.descriptors.read.ReferenceChecks;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.ElementSchema;
import org.troupe.descriptors.xml.IncludeResolver;
import org.troupe.descriptors.xml.Problem;
import org.troupe.descriptors.xml.Problems;
import org.troupe.descriptors.xml.SourcePosition;
import org.troupe.descriptors.xml.SpellingHints;
import org.troupe.descriptors.xml.ValueChecks;
import org.troupe.descriptors.xml.Variable;
import org.troupe.descriptors.xml.Variables;

/**
 * What an XML deployment descriptor says, checked as a whole: every name in it leads somewhere.
 * Reading one starts nothing and looks at no file but the descriptor and what it includes, which
 * comes before what it says itself. Immutable.
 *
 * @param variables the declared ones in the order of the file, then the environment variables used
 *     directly; each with its value and where that came from
 * @param virtualNodes in the order of the file
 * @param mapping in the order of the file
 * @param infrastructure in the order of the file
 * @param warnings what is probably not meant, sorted by place
 */
public record Descriptor(
    List<Variable> variables,
    List<VirtualNode> virtualNodes,
    List<Mapping> mapping,
    List<Infrastructure> infrastructure,
    List<Problem> warnings) {

  /** Copies the lists. */
  public Descriptor {
    variables = List.copyOf(variables);
    virtualNodes = List.copyOf(virtualNodes);
    mapping = List.copyOf(mapping);
    infrastructure = List.copyOf(infrastructure);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads and checks a descriptor.
   *
   * @param variables values that win over those of the environment and the descriptor, usually from
   *     the command line; taken literally
   * @throws org.troupe.descriptors.xml.DescriptorException with every problem, if there is any
   */
  public static Descriptor read(Path file, Map<String, String> variables) {
    return read(file, variables, System.getenv());
  }

  public static Descriptor read(
      Path file, Map<String, String> variables, Map<String, String> environment) {
    Problems problems = new Problems();
    Element root = IncludeResolver.read(file, problems);
    SourcePosition whole = new SourcePosition(file.toString(), 0, 0);
    Variables known = new Variables(root, variables, environment, whole, problems);
    Element checked = ValueChecks.check(root, ElementSchema.TROUPE, known, problems);
    known.warnOfUnused();
    ReferenceChecks.check(root, checked, problems);
    problems.throwIfAny();
    return DescriptorBuilder.of(Document.of(checked), known.all(), problems.warnings());
  }

  /**
   * Returns the descriptor of a grid on this machine alone: one virtual node named {@code default}
   * on so many JVMs.
   *
   * @throws IllegalArgumentException if {@code jvms} is not from 1 to 10000
   */
  public static Descriptor local(int jvms) {
    SourcePosition nowhere = new SourcePosition("local(" + jvms + ")", 0, 0);
    return new Descriptor(
        List.of(),
        List.of(new VirtualNode("default", nowhere)),
        List.of(new Mapping("default", "local", nowhere)),
        List.of(
            new Local(
                "local",
                jvms,
                Jvm.undescribed(nowhere),
                Cluster.undescribed("local", nowhere),
                Optional.empty(),
                nowhere)),
        List.of());
  }

  /**
   * Returns what a virtual node is mapped to, in the order of the mapping; never empty.
   *
   * @throws IllegalArgumentException if there is no such virtual node
   */
  public List<Infrastructure> infrastructureOf(String virtualNode) {
    List<String> names = virtualNodes.stream().map(VirtualNode::name).toList();
    if (!names.contains(virtualNode)) {
      throw new IllegalArgumentException(
          "there is no virtual node '"
              + virtualNode
              + "'; "
              + SpellingHints.choice(virtualNode, names, "it declares none"));
    }
    return mapping.stream()
        .filter(map -> map.virtualNode().equals(virtualNode))
        .map(map -> infrastructure.stream().filter(i -> i.id().equals(map.to())).findFirst())
        .flatMap(Optional::stream)
        .toList();
  }
}
