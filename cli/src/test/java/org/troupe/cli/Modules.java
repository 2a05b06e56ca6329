package org.troupe.cli;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The modules of this checkout, as their poms, descriptors and classes show them. */
final class Modules {

  /** The name of a class of Troupe in a constant pool: alone, or in a descriptor or signature. */
  private static final Pattern OURS =
      Pattern.compile("(?:org/troupe|(?<!/)ibis)/(?:[a-z0-9]+/)*[A-Z][\\w$]*");

  private static final String BILL_OF_MATERIALS = "bom";

  /** The modules that only tests use, and those that consist of tests alone. */
  private static final Set<String> FOR_TESTS = Set.of("test-support", "verification");

  private Modules() {}

  /**
   * One module.
   *
   * @param folder its folder from the top, with slashes
   * @param groupId as its pom says, or its parent
   * @param dependencies artifact ids of Troupe in its pom that it compiles against
   * @param companions artifact ids of Troupe in its pom that it needs only at run time
   * @param descriptor of its main classes
   * @param packages of its main classes, {@code module-info} aside
   * @param references names of the classes of Troupe that its classes name, with dots
   */
  record Module(
      String folder,
      String groupId,
      String artifactId,
      Set<String> dependencies,
      Set<String> companions,
      ModuleDescriptor descriptor,
      Set<String> packages,
      Set<String> references) {}

  /** Returns the top folder. */
  static Path checkout() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("troupe"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  /** Reads all modules of main classes, in the order of the top pom. */
  static List<Module> read() {
    Element modules = only(pom(checkout()).getElementsByTagName("modules"));
    return elements(modules.getElementsByTagName("module")).stream()
        .map(Element::getTextContent)
        .filter(folder -> !folder.equals(BILL_OF_MATERIALS) && !FOR_TESTS.contains(folder))
        .map(Modules::read)
        .toList();
  }

  /** Returns the main classes of a module. */
  static List<ClassModel> classes(Module module) {
    return classes(checkout().resolve(module.folder()).resolve("target/classes"));
  }

  /** Returns for each package of a module the packages of the module that its classes name. */
  static Map<String, Set<String>> arrows(Module module) {
    Map<String, Set<String>> arrows = new TreeMap<>();
    for (ClassModel model : classes(module)) {
      Set<String> used = arrows.computeIfAbsent(packageOf(model), _ -> new TreeSet<>());
      for (String name : references(List.of(model))) {
        String other = name.substring(0, name.lastIndexOf('.'));
        if (!other.equals(packageOf(model)) && module.packages().contains(other)) {
          used.add(other);
        }
      }
    }
    return arrows;
  }

  /** Returns the version of the top pom. */
  static String version() {
    return child(pom(checkout()), "version", "");
  }

  /** Returns the artifact ids that the bill of materials manages, each with its version. */
  static Map<String, String> billOfMaterials() {
    Element pom = pom(checkout().resolve(BILL_OF_MATERIALS));
    String version = child(pom, "version", "");
    return elements(pom.getElementsByTagName("dependency")).stream()
        .collect(
            toUnmodifiableMap(
                dependency -> child(dependency, "artifactId", ""),
                dependency ->
                    child(dependency, "version", "").replace("${project.version}", version)));
  }

  private static Module read(String folder) {
    Element pom = pom(checkout().resolve(folder));
    Path classes = checkout().resolve(folder).resolve("target/classes");
    List<ClassModel> models = classes(classes);
    return new Module(
        folder,
        child(pom, "groupId", child(only(pom.getElementsByTagName("parent")), "groupId", "")),
        child(pom, "artifactId", ""),
        dependencies(pom, "compile"),
        dependencies(pom, "runtime"),
        descriptor(classes),
        models.stream().map(Modules::packageOf).collect(toUnmodifiableSet()),
        references(models));
  }

  private static Set<String> dependencies(Element pom, String scope) {
    return elements(pom.getElementsByTagName("dependency")).stream()
        .filter(dependency -> child(dependency, "groupId", "").equals("org.troupe"))
        .filter(dependency -> child(dependency, "scope", "compile").equals(scope))
        .map(dependency -> child(dependency, "artifactId", ""))
        .collect(toUnmodifiableSet());
  }

  private static ModuleDescriptor descriptor(Path classes) {
    try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
      return ModuleDescriptor.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(classes + " has no module descriptor", e);
    }
  }

  private static List<ClassModel> classes(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.endsWith("module-info.class"))
          .map(Modules::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String packageOf(ClassModel model) {
    return model.thisClass().asSymbol().packageName();
  }

  private static Set<String> references(List<ClassModel> models) {
    Set<String> references = new TreeSet<>();
    for (ClassModel model : models) {
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof Utf8Entry text) {
          Matcher matcher = OURS.matcher(text.stringValue());
          while (matcher.find()) {
            references.add(matcher.group().replace('/', '.'));
          }
        }
      }
    }
    return new HashSet<>(references);
  }

  private static Element pom(Path folder) {
    try {
      Document document =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(folder.resolve("pom.xml").toFile());
      return document.getDocumentElement();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SAXException | ParserConfigurationException e) {
      throw new IllegalStateException(folder + " has a malformed pom", e);
    }
  }

  private static String child(Element parent, String name, String otherwise) {
    return elements(parent.getChildNodes()).stream()
        .filter(child -> child.getTagName().equals(name))
        .map(child -> child.getTextContent().strip())
        .findFirst()
        .orElse(otherwise);
  }

  private static Element only(NodeList nodes) {
    return elements(nodes).getFirst();
  }

  private static List<Element> elements(NodeList nodes) {
    return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1)
        .map(nodes::item)
        .filter(Element.class::isInstance)
        .map(Element.class::cast)
        .toList();
  }
}
