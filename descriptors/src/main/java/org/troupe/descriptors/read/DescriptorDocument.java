package org.troupe.descriptors.read;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.xml.Element;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.xml.XmlMapper;

/**
 * The checked elements of a descriptor as records, with values and names as the file has them;
 * {@link DescriptorBuilder} resolves them. An attribute that is absent is null.
 *
 * <p>Each entry has its position and its index among the entries of all kinds in its part.
 */
record DescriptorDocument(
    VirtualNodeEntries virtualNodes, MappingEntries mapping, InfrastructureEntries infrastructure) {

  /*
   * Jackson fills the records from a tree of nodes, which has an object for each element, a field for each attribute,
   * and an array for the children of each name. A position is in the tree as the object itself. A field without a
   * record component is an error, so that an element or attribute that is new in the schema cannot be ignored here.
   */

  private static final XmlMapper MAPPER =
      XmlMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** Binds a document that has passed all checks. */
  static DescriptorDocument of(Element root) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    for (Element part : root.children()) {
      if (!part.name().equals("variables")) { // variables are replaced already
        tree.set(part.name(), entries(part));
      }
    }
    return MAPPER.treeToValue(tree, DescriptorDocument.class);
  }

  private static ObjectNode entries(Element part) {
    ObjectNode entries = JsonNodeFactory.instance.objectNode();
    List<Element> elements = part.children();
    for (int i = 0; i < elements.size(); i++) {
      ObjectNode entry = entries.withArray(elements.get(i).name()).addObject();
      fill(entry, elements.get(i));
      entry.put("index", i).putPOJO("place", elements.get(i).place());
    }
    return entries;
  }

  private static void fill(ObjectNode node, Element element) {
    element.attributes().forEach((name, value) -> node.put(name, value.text()));
    for (Element child : element.children()) {
      child
          .text()
          .ifPresentOrElse(
              text -> node.withArray(child.name()).add(text.text()),
              () -> fill(node.withArray(child.name()).addObject(), child));
    }
  }

  /** The part {@code virtualNodes}. */
  record VirtualNodeEntries(List<NodeEntry> virtualNode) {}

  /** The part {@code mapping}. */
  record MappingEntries(List<MapEntry> map) {}

  record NodeEntry(String name, int index, SourcePosition place) {}

  record MapEntry(String virtualNode, String to, int index, SourcePosition place) {}

  /** The part {@code infrastructure}: a list for each kind of element. */
  record InfrastructureEntries(
      List<LoginEntry> login,
      List<ClusterEntry> cluster,
      List<JvmEntry> jvm,
      List<LocalEntry> local,
      List<SshEntry> ssh,
      List<BatchEntry> slurm,
      List<BatchEntry> pbs,
      List<BatchEntry> gridEngine,
      List<BatchEntry> oar,
      List<BatchEntry> flux,
      List<BatchEntry> htcondor,
      List<BatchEntry> lsf,
      List<BatchEntry> drmaa,
      List<KubernetesEntry> kubernetes) {
    InfrastructureEntries {
      login = orEmpty(login);
      cluster = orEmpty(cluster);
      jvm = orEmpty(jvm);
      local = orEmpty(local);
      ssh = orEmpty(ssh);
      slurm = orEmpty(slurm);
      pbs = orEmpty(pbs);
      gridEngine = orEmpty(gridEngine);
      oar = orEmpty(oar);
      flux = orEmpty(flux);
      htcondor = orEmpty(htcondor);
      lsf = orEmpty(lsf);
      drmaa = orEmpty(drmaa);
      kubernetes = orEmpty(kubernetes);
    }
  }

  record LoginEntry(
      String id,
      String host,
      @Nullable Integer port,
      @Nullable String user,
      @Nullable String identity,
      @Nullable String hostKeys,
      @Nullable String via,
      int index,
      SourcePosition place) {}

  record ClusterEntry(
      String id,
      @Nullable String networks,
      @Nullable Boolean reachable,
      @Nullable Boolean trusted,
      int index,
      SourcePosition place) {}

  record JvmEntry(
      String id,
      @Nullable String javaHome,
      @Nullable Boolean sharedFiles,
      List<String> option,
      List<String> classPath,
      List<Setting> environment,
      List<Setting> property,
      int index,
      SourcePosition place) {
    JvmEntry {
      option = orEmpty(option);
      classPath = orEmpty(classPath);
      environment = orEmpty(environment);
      property = orEmpty(property);
    }
  }

  record Setting(String name, String value) {}

  record LocalEntry(
      String id,
      @Nullable Integer jvms,
      @Nullable String jvm,
      @Nullable String cluster,
      @Nullable String workingDirectory,
      int index,
      SourcePosition place) {}

  record SshEntry(
      String id,
      String hosts,
      @Nullable Integer jvms,
      @Nullable Integer port,
      @Nullable String user,
      @Nullable String identity,
      @Nullable String hostKeys,
      @Nullable String via,
      @Nullable String jvm,
      @Nullable String cluster,
      @Nullable String workingDirectory,
      int index,
      SourcePosition place) {}

  /** A job of any batch system, with the union of their attributes. */
  record BatchEntry(
      String id,
      @Nullable String via,
      @Nullable Integer nodes,
      @Nullable Integer jvmsPerNode,
      @Nullable Integer cpus,
      @Nullable String memory,
      @Nullable String wallTime,
      @Nullable String queue,
      @Nullable String account,
      @Nullable String parallelEnvironment,
      @Nullable String library,
      @Nullable String nodesOption,
      @Nullable String skip,
      List<String> option,
      List<String> prologue,
      @Nullable String jvm,
      @Nullable String cluster,
      @Nullable String workingDirectory,
      int index,
      SourcePosition place) {
    BatchEntry {
      option = orEmpty(option);
      prologue = orEmpty(prologue);
    }
  }

  record KubernetesEntry(
      String id,
      String image,
      @Nullable Integer pods,
      @Nullable String via,
      @Nullable String context,
      @Nullable String namespace,
      @Nullable String nodeSelector,
      @Nullable Integer cpus,
      @Nullable String memory,
      @Nullable String wallTime,
      @Nullable String patch,
      List<MountEntry> mount,
      @Nullable String jvm,
      @Nullable String cluster,
      @Nullable String workingDirectory,
      int index,
      SourcePosition place) {
    KubernetesEntry {
      mount = orEmpty(mount);
    }
  }

  record MountEntry(
      String path, @Nullable String host, @Nullable String claim, @Nullable Boolean readOnly) {}

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
