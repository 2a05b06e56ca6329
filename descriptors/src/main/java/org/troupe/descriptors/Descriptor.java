package org.troupe.descriptors;

import java.util.List;
import java.util.Optional;
import org.troupe.descriptors.text.SpellingHints;

/**
 * The content of an XML deployment descriptor, checked as a whole: every name in it refers to a
 * declared element. {@code DescriptorReader} reads one from a file. Immutable.
 *
 * @param variables the declared variables in the order of the file, then the environment variables
 *     used directly; each with its value and the origin of the value
 * @param virtualNodes the virtual nodes, in the order of the file
 * @param mapping the mappings, in the order of the file
 * @param infrastructure the sources of JVMs, in the order of the file
 * @param warnings probable mistakes, sorted by position
 */
public record Descriptor(
    List<Variable> variables,
    List<VirtualNode> virtualNodes,
    List<Mapping> mapping,
    List<Infrastructure> infrastructure,
    List<SourceProblem> warnings) {

  /** Copies the lists. */
  public Descriptor {
    variables = List.copyOf(variables);
    virtualNodes = List.copyOf(virtualNodes);
    mapping = List.copyOf(mapping);
    infrastructure = List.copyOf(infrastructure);
    warnings = List.copyOf(warnings);
  }

  /**
   * Returns the descriptor of a grid on this machine alone, with one virtual node named {@code
   * default}.
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
            new LocalJvms(
                "local",
                jvms,
                Jvm.undescribed(nowhere),
                Cluster.undescribed("local", nowhere),
                Optional.empty(),
                nowhere)),
        List.of());
  }

  /**
   * Returns the infrastructure that a virtual node is mapped to, in the order of the mapping; never
   * empty.
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
