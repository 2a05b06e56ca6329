package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;
import static org.troupe.descriptors.Descriptors.example;
import static org.troupe.descriptors.Descriptors.write;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.descriptors.xml.ElementSchema;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The XML schema agrees with the checks of the reader. */
class DescriptorSchemaTest {

  private static final Pattern ATTRIBUTE =
      Pattern.compile(" (?!xmlns|xsi|version|encoding)(\\w+)=\"([^\"]*)\"");
  private static final Pattern ELEMENT = Pattern.compile("<(\\w+)([^<>]*/>|[^<>]*>[^<>]*</\\1>)");

  private static final List<String> VALUES =
      List.of(
          "",
          " ",
          "x",
          "two",
          "0",
          "1",
          " 4 ",
          "007",
          "10000",
          "10001",
          "-1",
          "+1",
          "a b",
          "a.b-c_d",
          "1a",
          "x=y",
          "${jvms}",
          "${run}/x",
          "big",
          "here",
          "there",
          "solvers",
          "true",
          "false",
          "~",
          "A",
          "-Xmx1g",
          "é",
          "${env.HOME}",
          "\n",
          "a\tb",
          "~/x",
          "~ada/x",
          "/a b/$c",
          "alphaFe gateway",
          "node[01-16] x[1,3-4]y-[7]",
          "node[1-",
          "-host",
          "a,b",
          "10.1.0.0/16 fd00::/8",
          "10.1.0.0",
          "65535",
          "65536",
          "512m",
          "2G",
          "512",
          "01:30:00",
          "90m",
          "1:2",
          "strict",
          "acceptNew",
          "-l nodes=%d",
          "%d%",
          "/a:b",
          "disk=ssd zone=",
          "=ssd");

  private static final List<String> NAMES =
      List.of(
          "id",
          "name",
          "value",
          "jvm",
          "jvms",
          "default",
          "required",
          "environment",
          "to",
          "x",
          "via",
          "hosts",
          "nodes",
          "memory",
          "networks",
          "workingDirectory",
          "hostKeys",
          "file",
          "path",
          "claim",
          "nodeSelector",
          "readOnly");

  /** Errors that depend on the values of variables, or on names elsewhere in the document. */
  private static final Pattern BEYOND_A_SCHEMA =
      Pattern.compile(
          "\\(written |variable |mapped|names (jvm|login|cluster) "
              + "|environment variable '\\w+' is not set|(id|property) '.*' is declared already"
              + "|lacks the element '(virtualNodes|mapping|infrastructure)'|there is a '\\w+' already"
              + "|goes through|in the list more than once|ends before it begins"
              + "|JVMs each are more|'mount' has (both|neither)|two mounts have|more than one machine needs|'javaHome' is .* on the machines of"
              + "|not a list of networks|'0+:00:00', which is not a time|included");

  @TempDir private Path folder;

  private final Validator validator = validator();

  private static Validator validator() {
    try {
      return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
          .newSchema(new StreamSource(new StringReader(DescriptorSchema.xsd())))
          .newValidator();
    } catch (SAXException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"full.xml", "everywhere.xml", "pods.xml", "small.xml", "prefixed.xml"})
  void acceptsEveryExample(String name) {
    assertThat(refusal(example(name))).isNull();
  }

  @Test
  void refusesTheWrongExample() {
    assertThat(refusal(example("wrong.xml"))).isNotNull();
  }

  @Test
  void hasTheSameElementsAndAttributes() throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    org.w3c.dom.Document schema =
        factory
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(DescriptorSchema.xsd())));

    assertThat(declared(schema, "complexType", "troupe")).isEqualTo(expected(ElementSchema.TROUPE));
    for (ElementSchema part : ElementSchema.TROUPE.children()) {
      assertThat(declared(schema, "complexType", part.name())).isEqualTo(expected(part));
      for (ElementSchema entry : part.children()) {
        assertThat(declared(schema, "complexType", entry.name())).isEqualTo(expected(entry));
      }
    }
  }

  private static Set<String> expected(ElementSchema shape) {
    Set<String> names = new TreeSet<>();
    shape.children().forEach(child -> names.add("<" + child.name() + ">"));
    shape.attributes().forEach(rule -> names.add(rule.name() + (rule.isRequired() ? "!" : "")));
    return names;
  }

  private static Set<String> declared(org.w3c.dom.Document schema, String kind, String name) {
    Set<String> names = new TreeSet<>();
    NodeList types = schema.getElementsByTagName("xs:" + kind);
    for (int i = 0; i < types.getLength(); i++) {
      org.w3c.dom.Element type = (org.w3c.dom.Element) types.item(i);
      if (type.getAttribute("name").equals(name)) {
        NodeList all = type.getElementsByTagName("*");
        for (int j = 0; j < all.getLength(); j++) {
          org.w3c.dom.Element part = (org.w3c.dom.Element) all.item(j);
          switch (part.getTagName()) {
            case "xs:element" -> names.add("<" + part.getAttribute("name") + ">");
            case "xs:attribute" ->
                names.add(
                    part.getAttribute("name")
                        + (part.getAttribute("use").equals("required") ? "!" : ""));
            case "xs:attributeGroup" ->
                names.addAll(declared(schema, "attributeGroup", part.getAttribute("ref")));
            default -> {} // documentation, keys
          }
        }
      }
    }
    return names;
  }

  /** Changes one attribute or element, in every place and in many ways. */
  @ParameterizedTest
  @ValueSource(strings = {"full.xml", "everywhere.xml", "pods.xml"})
  void agreesWithOurOwnChecks(String name) {
    Random random = new Random(20261121);
    String right = example(name);
    int accepted = 0;
    for (int i = 0; i < 1500; i++) {
      String changed = change(right, random);
      List<String> errors = Descriptors.errors(folder, changed, Map.of());
      String refusal = refusal(changed);
      if (errors.isEmpty()) {
        accepted++;
        assertThat(refusal).as("valid for us: %s", changed).isNull();
      } else if (errors.stream().anyMatch(e -> !BEYOND_A_SCHEMA.matcher(e).find())) {
        assertThat(refusal).as("%s: %s", errors, changed).isNotNull();
      }
    }
    assertThat(accepted).isBetween(150, 1350);
  }

  private static String change(String text, Random random) {
    boolean ofAttribute = random.nextInt(3) > 0;
    List<MatchResult> found = (ofAttribute ? ATTRIBUTE : ELEMENT).matcher(text).results().toList();
    MatchResult at = found.get(random.nextInt(found.size()));
    String now =
        ofAttribute
            ? switch (random.nextInt(8)) {
              case 0 -> "";
              case 1 -> " " + pick(NAMES, random) + "=\"" + at.group(2) + "\"";
              case 2 -> at.group() + " extra=\"1\"";
              default -> " " + at.group(1) + "=\"" + pick(VALUES, random) + "\"";
            }
            : switch (random.nextInt(5)) {
              case 0 -> "";
              case 1 -> at.group() + at.group();
              case 2 -> at.group() + "text";
              case 3 -> at.group() + "<other/>";
              default -> "<option>" + pick(VALUES, random) + "</option>";
            };
    return text.substring(0, at.start()) + now + text.substring(at.end());
  }

  private static String pick(List<String> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }

  /** Returns the validator's first error, or null. */
  private String refusal(String text) {
    try {
      validator.validate(new StreamSource(new StringReader(text)));
      return null;
    } catch (SAXException e) {
      return e.getMessage();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void survivesAnyMutation() {
    Random random = new Random(42);
    List<String> examples =
        Stream.of("full.xml", "everywhere.xml", "wrong.xml", "prefixed.xml")
            .map(Descriptors::example)
            .toList();
    int refused = 0;
    for (int i = 0; i < 4000; i++) {
      StringBuilder text = new StringBuilder(examples.get(i % examples.size()));
      int changes = 1 + random.nextInt(4);
      for (int c = 0; c < changes; c++) {
        mutate(text, random);
      }
      Path file = write(folder, text.toString());
      try {
        DescriptorReader.read(file, Map.of(), ENVIRONMENT);
      } catch (DescriptorException e) {
        assertThat(e.problems()).isNotEmpty().allMatch(p -> p.toString().lines().count() == 1);
        refused++;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("in change " + i + " of:\n" + text, e);
      }
    }
    assertThat(refused).isPositive();
  }

  private static void mutate(StringBuilder text, Random random) {
    String marks = "<>\"'/=&;!?-[]{}$: \n\r\t\0\u0001\uFFFEaé𝄞";
    int from = random.nextInt(text.length());
    int to = Math.min(text.length(), from + 1 + random.nextInt(20));
    switch (random.nextInt(4)) {
      case 0 -> text.delete(from, to);
      case 1 -> text.insert(random.nextInt(text.length()), text.substring(from, to));
      case 2 -> text.setCharAt(from, marks.charAt(random.nextInt(marks.length())));
      default -> text.insert(from, marks.charAt(random.nextInt(marks.length())));
    }
  }
}
