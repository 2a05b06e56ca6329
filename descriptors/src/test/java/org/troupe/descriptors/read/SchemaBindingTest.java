package org.troupe.descriptors.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.DescriptorSchema;
import org.troupe.descriptors.Infrastructure;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Every kind of infrastructure in the schema reaches the descriptor. */
class SchemaBindingTest {

  /** Elements that others refer to; they start no JVMs by themselves. */
  private static final Set<String> HELPERS = Set.of("login", "cluster", "jvm");

  /** Attributes that an element needs besides its id. */
  private static final Map<String, String> NEEDED =
      Map.of("ssh", "hosts=\"alpha\"", "kubernetes", "image=\"box\"");

  @TempDir private Path folder;

  static Stream<String> startingJvms() throws Exception {
    return infrastructure().stream().filter(name -> !HELPERS.contains(name));
  }

  @ParameterizedTest
  @MethodSource("startingJvms")
  void anElementThatStartsJvmsBecomesInfrastructure(String name) throws Exception {
    Descriptor descriptor = read("<" + name + " id=\"it\" " + NEEDED.getOrDefault(name, "") + "/>");

    assertThat(descriptor.infrastructure()).extracting(Infrastructure::id).containsExactly("it");
  }

  @Test
  void theElementsForOthersAreUsedByThem() throws Exception {
    assertThat(infrastructure()).containsAll(HELPERS);

    Infrastructure element =
        read("""
                <login id="gate" host="gate.example.org"/>
                <cluster id="site" trusted="true"/>
                <jvm id="big"><option>-Xmx1g</option></jvm>
                <slurm id="it" via="gate" cluster="site" jvm="big"/>
                """)
            .infrastructure()
            .getFirst();

    assertThat(element.cluster().isTrusted()).isTrue();
    assertThat(element.jvm().options()).containsExactly("-Xmx1g");
  }

  @Test
  void everyListOfTheDocumentIsAnElementOfTheSchema() throws Exception {
    var lists = DescriptorDocument.InfrastructureEntries.class.getRecordComponents();

    assertThat(Stream.of(lists).map(list -> list.getName()))
        .containsExactlyInAnyOrderElementsOf(infrastructure());
  }

  private Descriptor read(String infrastructure) throws Exception {
    String text =
        "<troupe xmlns=\"%s\"><virtualNodes><virtualNode name=\"n\"/></virtualNodes><mapping><map virtualNode=\"n\" to=\"it\"/></mapping><infrastructure>%s</infrastructure></troupe>"
            .formatted(DescriptorSchema.NAMESPACE, infrastructure);
    Path file = Files.writeString(folder.resolve("grid.xml"), text);
    return DescriptorReader.read(file, Map.of(), Map.of());
  }

  /** Returns the names of the elements that the schema allows as infrastructure. */
  private static Set<String> infrastructure() throws Exception {
    var parser = DocumentBuilderFactory.newInstance();
    parser.setNamespaceAware(true);
    var schema =
        parser
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(DescriptorSchema.xsd())));
    for (Element element : elements(schema.getElementsByTagNameNS("*", "element"))) {
      if (element.getAttribute("name").equals("infrastructure")) {
        return names(element, schema.getDocumentElement());
      }
    }
    throw new AssertionError("the schema has no infrastructure");
  }

  private static Set<String> names(Element infrastructure, Element schema) {
    Element content = infrastructure;
    String type = infrastructure.getAttribute("type");
    if (!type.isEmpty()) {
      String bare = type.substring(type.indexOf(':') + 1);
      content =
          elements(schema.getElementsByTagNameNS("*", "complexType")).stream()
              .filter(each -> each.getAttribute("name").equals(bare))
              .findFirst()
              .orElseThrow();
    }
    Set<String> names = new HashSet<>();
    for (Element each : elements(content.getElementsByTagNameNS("*", "element"))) {
      names.add(each.getAttribute("name"));
    }
    return names;
  }

  private static List<Element> elements(NodeList nodes) {
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }
}
