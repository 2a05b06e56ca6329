package org.troupe.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.hosting.TroupeProperties;
import org.troupe.descriptors.DescriptorSchema;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Files, methods, properties and samples that documents, messages and Javadoc name exist. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentsTest {

  /** Code between backquotes or fences, which users may copy. */
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]+`");

  private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:|#)([^)#]+)[^)]*\\)");
  private static final Pattern ANCHOR = Pattern.compile("\\]\\((?!\\w+:)([^)#]*)#([^)]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");
  private static final Pattern CALL = Pattern.compile("(?<![\\w.])([A-Z]\\w*)(?:\\.|::)(\\w+)\\(");
  private static final Pattern PROPERTY =
      Pattern.compile("(?<![\\w.-])troupe\\.[a-z]\\w*(\\.\\w+)*");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+\\b");
  private static final Pattern ATTRIBUTE = Pattern.compile("(?<![\\w-])(\\w+)=\\\\?\"([^\"\\\\]*)");

  /** Options of schedulers and of git in examples. */
  private static final Set<String> FOREIGN_OPTIONS = Set.of("--exclusive", "--short");

  private static final Pattern SNIPPET =
      Pattern.compile("\\{@snippet file=\"([^\"]+)\"\\s+(?:\\* )?region=\"([^\"]+)\"");

  private final Map<String, Set<String>> methods = new HashMap<>(); // by simple name of the class
  private final Set<String> constants = new HashSet<>();
  private final Set<String> notOfTraces = new HashSet<>(); // whose names look like properties

  @BeforeAll
  void readClasses() {
    List<ClassModel> models =
        Modules.read().stream().flatMap(each -> Modules.classes(each).stream()).toList();
    Map<String, List<ClassModel>> byName =
        models.stream().collect(groupingBy(each -> each.thisClass().asInternalName()));
    for (ClassModel model : models) {
      String name = model.thisClass().asInternalName();
      methods
          .computeIfAbsent(name.substring(name.lastIndexOf('/') + 1), key -> new HashSet<>())
          .addAll(methods(name, byName));
      if (name.endsWith("/TroupeProperties")) {
        continue; // it names them, and reads none
      }
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof Utf8Entry text) {
          constants.add(text.stringValue());
          if (!name.endsWith("/SemanticConventions") && !name.endsWith("/Instruments")) {
            notOfTraces.add(text.stringValue());
          }
        }
      }
    }
  }

  /** Returns the methods of a class, including inherited ones of Troupe and of the platform. */
  private static Set<String> methods(String name, Map<String, List<ClassModel>> byName) {
    Set<String> found = new HashSet<>();
    if (!byName.containsKey(name)) {
      try {
        Class<?> type = Class.forName(name.replace('/', '.'), false, null);
        Arrays.stream(type.getMethods()).forEach(each -> found.add(each.getName()));
      } catch (ClassNotFoundException e) {
        // A class of a library, whose methods the documents do not name.
      }
      return found;
    }
    for (ClassModel model : byName.get(name)) {
      model.methods().stream()
          .map(MethodModel::methodName)
          .forEach(each -> found.add(each.stringValue()));
      model.superclass().ifPresent(each -> found.addAll(methods(each.asInternalName(), byName)));
      model.interfaces().forEach(each -> found.addAll(methods(each.asInternalName(), byName)));
    }
    return found;
  }

  static Stream<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of("", "docs", "apps", "benchmarks", "examples", "testgrid")) {
      try (Stream<Path> files =
          Files.walk(Modules.checkout().resolve(folder), folder.isEmpty() ? 1 : 2)) {
        files.filter(each -> each.toString().endsWith(".md")).sorted().forEach(found::add);
      }
    }
    return found.stream();
  }

  private static String code(Path document) throws IOException {
    StringBuilder code = new StringBuilder();
    CODE.matcher(Files.readString(document))
        .results()
        .forEach(each -> code.append(each.group()).append('\n'));
    return code.toString();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linkToFilesThatAreThere(Path document) throws IOException {
    List<String> links =
        LINK.matcher(Files.readString(document)).results().map(each -> each.group(1)).toList();

    assertThat(links).allSatisfy(each -> assertThat(document.resolveSibling(each)).exists());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linkToHeadingsThatAreThere(Path document) throws IOException {
    Set<String> missing = new TreeSet<>();
    for (MatchResult each : ANCHOR.matcher(Files.readString(document)).results().toList()) {
      Path target = each.group(1).isEmpty() ? document : document.resolveSibling(each.group(1));
      if (target.toString().endsWith(".md") && !anchors(target).contains(each.group(2))) {
        missing.add(each.group(1) + "#" + each.group(2));
      }
    }

    assertThat(missing).as("headings that no document has").isEmpty();
  }

  /** Returns the anchors of a document's headings, as renderers of Markdown make them. */
  private static Set<String> anchors(Path document) throws IOException {
    return HEADING
        .matcher(Files.readString(document))
        .results()
        .map(each -> each.group(1).strip().toLowerCase(Locale.ROOT))
        .map(each -> each.replaceAll("[^\\w -]", "").replace(' ', '-'))
        .collect(toSet());
  }

  @Test
  void theSiteHasAllDocuments() throws IOException {
    String pages = Files.readString(Modules.checkout().resolve("site/SUMMARY.md"));
    try (Stream<Path> files = Files.list(Modules.checkout().resolve("docs"))) {
      assertThat(files.map(each -> "(docs/" + each.getFileName() + ")"))
          .isNotEmpty()
          .allSatisfy(each -> assertThat(pages).contains(each));
    }
  }

  @Test
  void theSiteHasOnlyPagesThatAreThere() throws IOException {
    List<String> made = List.of("commands.md", "api.md", "charts.md"); // by site/build
    String summary = Files.readString(Modules.checkout().resolve("site/SUMMARY.md"));

    assertThat(LINK.matcher(summary).results().map(each -> each.group(1)))
        .hasSizeGreaterThan(20)
        .filteredOn(each -> !made.contains(each))
        .allSatisfy(each -> assertThat(Modules.checkout().resolve(each)).exists());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void nameMethodsThatAreThere(Path document) throws IOException {
    Set<String> missing = new TreeSet<>();
    CALL.matcher(code(document))
        .results()
        .filter(call -> methods.containsKey(call.group(1)))
        .filter(call -> !methods.get(call.group(1)).contains(call.group(2)))
        .forEach(call -> missing.add(call.group(1) + "." + call.group(2)));

    assertThat(missing).as("methods that no class has").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void namePropertiesThatAreRead(Path document) throws IOException {
    Set<String> missing = new TreeSet<>();
    PROPERTY
        .matcher(code(document))
        .results()
        .map(each -> each.group())
        .filter(name -> !name.matches(".*\\.(xml|xsd|jsh)")) // files
        .filter(name -> constants.stream().noneMatch(each -> each.contains(name)))
        .forEach(missing::add);

    assertThat(missing).as("properties that no class reads").isEmpty();
  }

  @Test
  void thePropertiesThatAreReadAreKnown() {
    var read = new Properties();
    notOfTraces.stream()
        .filter(each -> PROPERTY.matcher(each).matches())
        .filter(each -> !each.equals("troupe.xsd") && !each.startsWith("troupe.bench."))
        .forEach(each -> read.setProperty(each, ""));

    assertThat(read).hasSizeGreaterThan(30);
    assertThat(TroupeProperties.unknown(read)).isEmpty();
  }

  @Test
  void theTablesOfConfigurationHaveEachProperty() throws IOException {
    var tables = Files.readString(Modules.checkout().resolve("docs/configuration.md"));

    assertThat(
            Stream.of(tables.split("\n"))
                .filter(line -> line.startsWith("| `troupe."))
                .flatMap(line -> PROPERTY.matcher(line.split(" \\| ")[0]).results())
                .map(MatchResult::group))
        .containsExactlyInAnyOrderElementsOf(TroupeProperties.names());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void nameOptionsThatAreRead(Path document) throws IOException {
    Set<String> missing = new TreeSet<>();
    OPTION
        .matcher(code(document))
        .results()
        .map(each -> each.group())
        .filter(name -> !FOREIGN_OPTIONS.contains(name))
        .filter(name -> constants.stream().noneMatch(each -> each.startsWith(name)))
        .forEach(missing::add);

    assertThat(missing).as("options that no command has").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void giveAttributesValuesThatTheSchemaAllows(Path document) throws Exception {
    assertThat(refused(code(document))).isEmpty();
  }

  @Test
  void messagesGiveAttributesValuesThatTheSchemaAllows() throws Exception {
    assertThat(refused(String.join("\n", constants))).isEmpty();
  }

  /** Each sample is a region of a test source, which the build compiles. */
  @Test
  void javadocHasSamplesThatAreCompiled() throws IOException {
    Set<String> missing = new TreeSet<>();
    int found = 0;
    for (Path source : sources()) {
      String text = Files.readString(source);
      Path tests = testSources(source);
      for (MatchResult each : SNIPPET.matcher(text).results().toList()) {
        Path file = tests.resolve(each.group(1));
        if (!Files.exists(file)
            || !Files.readString(file).contains("@start region=\"" + each.group(2) + "\"")) {
          missing.add(source.getFileName() + ": " + each.group(1) + " " + each.group(2));
        }
        found++;
      }
      if (text.contains(" * <pre>{@code")) {
        missing.add(source.getFileName() + ": a sample that is text only");
      }
    }

    assertThat(missing).as("samples that no build compiles").isEmpty();
    assertThat(found).isPositive();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Modules.checkout())) {
      return files
          .filter(each -> each.toString().endsWith(".java"))
          .filter(each -> each.toString().contains("/src/main/java/"))
          .toList();
    }
  }

  private static Path testSources(Path source) {
    String path = source.toString();
    return Path.of(path.substring(0, path.indexOf("/src/main/java/")), "src/test/java");
  }

  /**
   * Returns each {@code name="value"} whose name is an attribute with fixed values that do not
   * include this one.
   */
  private static Set<String> refused(String text) throws Exception {
    Map<String, Set<String>> allowed = enumerated();
    assertThat(allowed).containsKey("hostKeys");
    Set<String> refused = new TreeSet<>();
    ATTRIBUTE
        .matcher(text)
        .results()
        .filter(each -> allowed.containsKey(each.group(1)))
        .filter(each -> !each.group(2).contains("${"))
        .filter(each -> !allowed.get(each.group(1)).contains(each.group(2)))
        .forEach(each -> refused.add(each.group()));
    return refused;
  }

  /** Returns the attributes of descriptors with fixed values, and these values. */
  private static Map<String, Set<String>> enumerated() throws Exception {
    Element schema =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(DescriptorSchema.xsd())))
            .getDocumentElement();
    Map<String, Set<String>> words = new HashMap<>();
    for (Element type : elements(schema.getElementsByTagName("xs:simpleType"))) {
      words.put(
          type.getAttribute("name"),
          elements(type.getElementsByTagName("xs:enumeration")).stream()
              .map(each -> each.getAttribute("value"))
              .collect(toSet()));
    }
    Map<String, Set<String>> allowed = new HashMap<>();
    for (Element attribute : elements(schema.getElementsByTagName("xs:attribute"))) {
      Set<String> some = words.getOrDefault(attribute.getAttribute("type"), Set.of());
      if (!some.isEmpty()) {
        allowed.put(attribute.getAttribute("name"), some);
      }
    }
    return allowed;
  }

  private static List<Element> elements(NodeList nodes) {
    return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1)
        .map(nodes::item)
        .map(Element.class::cast)
        .toList();
  }
}
