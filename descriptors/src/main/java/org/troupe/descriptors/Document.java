package org.troupe.descriptors;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.dataformat.xml.XmlMapper;
import tools.jackson.dataformat.xml.annotation.JacksonXmlElementWrapper;
import tools.jackson.dataformat.xml.annotation.JacksonXmlProperty;

/** The document as it is written, bound to records; the model follows from it without errors. */
@JsonIgnoreProperties("variables")
record Document(
    @JacksonXmlElementWrapper(localName = "virtualNodes")
        @JacksonXmlProperty(localName = "virtualNode")
        List<NodeEntry> virtualNodes,
    @JacksonXmlElementWrapper(localName = "mapping") @JacksonXmlProperty(localName = "map")
        List<MapEntry> mapping,
    Kinds infrastructure) {

  private static final XmlMapper MAPPER = new XmlMapper();

  /** The line and column of an entry. */
  record Spot(int line, int column) {
    @JsonCreator
    static Spot of(String text) {
      int colon = text.indexOf(':');
      return new Spot(
          Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }
  }

  record NodeEntry(String name, Spot place) {}

  record MapEntry(String virtualNode, String to, Spot place) {}

  /** The infrastructure, one list per kind. */
  record Kinds(
      @JacksonXmlElementWrapper(useWrapping = false) List<JvmEntry> jvm,
      @JacksonXmlElementWrapper(useWrapping = false) List<LocalEntry> local) {
    Kinds {
      jvm = orEmpty(jvm);
      local = orEmpty(local);
    }
  }

  record JvmEntry(
      String id,
      String javaHome,
      @JacksonXmlElementWrapper(useWrapping = false) List<String> option,
      @JacksonXmlElementWrapper(useWrapping = false) List<String> classPath,
      @JacksonXmlElementWrapper(useWrapping = false) List<Setting> environment,
      @JacksonXmlElementWrapper(useWrapping = false) List<Setting> property,
      Spot place) {
    JvmEntry {
      option = orEmpty(option);
      classPath = orEmpty(classPath);
      environment = orEmpty(environment);
      property = orEmpty(property);
    }
  }

  record Setting(String name, String value) {}

  record LocalEntry(String id, Integer jvms, String jvm, String workingDirectory, Spot place) {}

  private static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : list;
  }

  /** Binds a document that is known to be right. */
  static Document of(Element root) {
    try {
      return MAPPER.readValue(new ElementReader(root), Document.class);
    } catch (IOException e) {
      throw new UncheckedIOException("nothing was read from anywhere but memory", e);
    }
  }

  /** Returns the model, with relative paths resolved against the folder of the file. */
  Descriptor toDescriptor(Path file, List<Variable> variables, List<Problem> warnings) {
    return new Modelling(file).descriptor(this, variables, warnings);
  }

  /** What the entries of one file need to become the model. */
  private record Modelling(Path file, Map<String, Jvm> jvms) {

    Modelling(Path file) {
      this(file, new LinkedHashMap<>());
    }

    Descriptor descriptor(Document document, List<Variable> variables, List<Problem> warnings) {
      document.infrastructure.jvm.forEach(entry -> jvms.put(entry.id, jvm(entry)));
      List<Infrastructure> infrastructure = new ArrayList<>();
      document.infrastructure.local.forEach(entry -> infrastructure.add(local(entry)));
      infrastructure.sort(Comparator.comparing(Infrastructure::place));
      return new Descriptor(
          variables,
          document.virtualNodes.stream()
              .map(entry -> new VirtualNode(entry.name, place(entry.place)))
              .toList(),
          document.mapping.stream()
              .map(entry -> new Mapping(entry.virtualNode, entry.to, place(entry.place)))
              .toList(),
          infrastructure,
          warnings);
    }

    private Jvm jvm(JvmEntry entry) {
      return new Jvm(
          entry.id,
          Optional.ofNullable(entry.javaHome).map(this::path),
          entry.option,
          entry.classPath.stream().map(this::path).toList(),
          settings(entry.environment),
          settings(entry.property),
          false,
          place(entry.place));
    }

    private Local local(LocalEntry entry) {
      Place place = place(entry.place);
      return new Local(
          entry.id,
          entry.jvms == null ? 1 : entry.jvms,
          entry.jvm == null ? Jvm.undescribed(place) : jvms.get(entry.jvm),
          Cluster.undescribed(entry.id, place),
          Optional.ofNullable(entry.workingDirectory).map(this::path),
          place);
    }

    private static Map<String, String> settings(List<Setting> settings) {
      Map<String, String> byName = new LinkedHashMap<>();
      settings.forEach(setting -> byName.put(setting.name, setting.value));
      return byName;
    }

    private Path path(String written) {
      return file.toAbsolutePath().resolveSibling(written).normalize();
    }

    private Place place(Spot spot) {
      return new Place(file.toString(), spot.line, spot.column);
    }
  }
}
