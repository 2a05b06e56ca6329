package org.troupe.descriptors.read;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.SourcePosition;
import tools.jackson.dataformat.xml.XmlMapper;
import tools.jackson.dataformat.xml.annotation.JacksonXmlElementWrapper;
import tools.jackson.dataformat.xml.annotation.JacksonXmlProperty;

/**
 * The document as it is written, bound to records; {@link DescriptorBuilder} makes of it what it
 * means.
 */
@JsonIgnoreProperties("variables")
public record Document(
    @JacksonXmlElementWrapper(localName = "virtualNodes")
        @JacksonXmlProperty(localName = "virtualNode")
        List<NodeEntry> virtualNodes,
    @JacksonXmlElementWrapper(localName = "mapping") @JacksonXmlProperty(localName = "map")
        List<MapEntry> mapping,
    Kinds infrastructure) {

  private static final XmlMapper MAPPER = new XmlMapper();

  /** Where an entry stands: its number among its neighbours of all kinds, and its place. */
  record Spot(int number, SourcePosition place) {

    /** Reads what {@link ElementReader} writes; a file name may have colons. */
    @JsonCreator
    static Spot of(String text) {
      String[] parts = text.split(":", 4);
      SourcePosition place =
          new SourcePosition(parts[3], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
      return new Spot(Integer.parseInt(parts[0]), place);
    }
  }

  record NodeEntry(String name, Spot spot) {}

  record MapEntry(String virtualNode, String to, Spot spot) {}

  /** The infrastructure, one list per kind. */
  record Kinds(
      @JacksonXmlElementWrapper(useWrapping = false) List<LoginEntry> login,
      @JacksonXmlElementWrapper(useWrapping = false) List<ClusterEntry> cluster,
      @JacksonXmlElementWrapper(useWrapping = false) List<JvmEntry> jvm,
      @JacksonXmlElementWrapper(useWrapping = false) List<LocalEntry> local,
      @JacksonXmlElementWrapper(useWrapping = false) List<SshEntry> ssh,
      @JacksonXmlElementWrapper(useWrapping = false) List<BatchEntry> slurm,
      @JacksonXmlElementWrapper(useWrapping = false) List<BatchEntry> pbs,
      @JacksonXmlElementWrapper(useWrapping = false) List<BatchEntry> gridEngine,
      @JacksonXmlElementWrapper(useWrapping = false) List<BatchEntry> drmaa) {
    Kinds {
      login = orEmpty(login);
      cluster = orEmpty(cluster);
      jvm = orEmpty(jvm);
      local = orEmpty(local);
      ssh = orEmpty(ssh);
      slurm = orEmpty(slurm);
      pbs = orEmpty(pbs);
      gridEngine = orEmpty(gridEngine);
      drmaa = orEmpty(drmaa);
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
      Spot spot) {}

  record ClusterEntry(
      String id,
      @Nullable String networks,
      @Nullable Boolean reachable,
      @Nullable Boolean trusted,
      Spot spot) {}

  record JvmEntry(
      String id,
      @Nullable String javaHome,
      @Nullable Boolean sharedFiles,
      @JacksonXmlElementWrapper(useWrapping = false) List<String> option,
      @JacksonXmlElementWrapper(useWrapping = false) List<String> classPath,
      @JacksonXmlElementWrapper(useWrapping = false) List<Setting> environment,
      @JacksonXmlElementWrapper(useWrapping = false) List<Setting> property,
      Spot spot) {
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
      Spot spot) {}

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
      Spot spot) {}

  /** A job of any batch system; what is not in its shape is null. */
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
      @JacksonXmlElementWrapper(useWrapping = false) List<String> option,
      @Nullable String jvm,
      @Nullable String cluster,
      @Nullable String workingDirectory,
      Spot spot) {
    BatchEntry {
      option = orEmpty(option);
    }
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  /** Binds a document that is known to be right. */
  public static Document of(Element root) {
    try {
      return MAPPER.readValue(new ElementReader(root), Document.class);
    } catch (IOException e) {
      throw new UncheckedIOException("nothing was read from anywhere but memory", e);
    }
  }
}
