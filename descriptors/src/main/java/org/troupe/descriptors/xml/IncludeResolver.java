package org.troupe.descriptors.xml;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.text.DescriptorPaths;
import org.troupe.descriptors.text.QuotedText;
import org.troupe.descriptors.text.ValueType;
import org.troupe.descriptors.xml.Element.Value;

/**
 * Reads a descriptor and the files that it includes as one document, in which every position names
 * its file.
 */
public final class IncludeResolver {

  /*
   * A file is included once, however many files include it, so that two sites may share a third file. The content of
   * included files precedes that of the including file. A variable that the including file declares hides those of the
   * same name in its included files, which so provide defaults. The same name in two files, neither of which includes
   * the other, is an error.
   */

  /** A limit beyond any hand-written file. */
  private static final int DEEPEST = 20;

  /** A file that is being read. */
  private record Open(Path file, Path identity) {}

  private final ProblemCollector problems;
  private final Set<Path> taken = new HashSet<>();
  private final List<Open> open = new ArrayList<>();
  private boolean lacksFiles; // that cannot be included, as a problem says

  private IncludeResolver(ProblemCollector problems) {
    this.problems = problems;
  }

  /**
   * Reads the document, reports its problems and repairs misspelt names.
   *
   * @throws DescriptorException if the file cannot be read, or one of them is no descriptor at all
   */
  public static Element read(Path file, ProblemCollector problems) {
    IncludeResolver resolver = new IncludeResolver(problems);
    Element root = resolver.read(file, parse(file));
    if (!resolver.lacksFiles) { // else a part may be in one of those
      StructureChecks.checkComplete(root, problems);
    }
    return root;
  }

  private Element read(Path file, XmlDocument xml) {
    Open reading = new Open(file, identity(file));
    taken.add(reading.identity);
    open.addLast(reading);
    Element root = StructureChecks.check(xml, XmlForm.DESCRIPTOR, ElementSchema.TROUPE, problems);
    List<Element> included = new ArrayList<>();
    for (Element include : root.children("include")) {
      include.attribute("file").flatMap(name -> include(file, name)).ifPresent(included::add);
    }
    open.removeLast();
    return merge(root, included);
  }

  private Optional<Element> include(Path file, Value name) {
    String text = ValueType.FILE.trim(name.text());
    if (!ValueType.FILE.accepts(text)) {
      problems.error(
          name.place(),
          "attribute 'file' is " + quote(text) + ", which is not " + ValueType.FILE.meaning(),
          ValueType.FILE.remedy());
      return lacking();
    }
    Path path = DescriptorPaths.beside(file, text);
    Path identity = identity(path);
    if (open.stream().anyMatch(reading -> reading.identity.equals(identity))) {
      problems.error(
          name.place(),
          quote(text) + " is included by itself: " + cycle(identity),
          "remove one of these includes");
      return lacking();
    }
    if (taken.contains(identity)) {
      return Optional.empty();
    }
    if (open.size() > DEEPEST) {
      problems.error(
          name.place(),
          "files include one another more than " + DEEPEST + " deep",
          "include some of them higher up");
      return lacking();
    }
    return parse(path, name).map(xml -> read(path, xml));
  }

  private String cycle(Path identity) {
    List<String> files =
        open.stream()
            .dropWhile(reading -> !reading.identity.equals(identity))
            .map(reading -> QuotedText.plain(reading.file.toString()))
            .toList();
    return String.join(" -> ", files) + " -> " + files.getFirst();
  }

  private static XmlDocument parse(Path file) {
    return XmlDocument.parse(SourceText.read(file, XmlForm.DESCRIPTOR.kind()), XmlForm.DESCRIPTOR);
  }

  /** Reads an included file; reports its problems at the include. */
  private Optional<XmlDocument> parse(Path path, Value name) {
    try {
      return Optional.of(parse(path));
    } catch (DescriptorException e) {
      for (SourceProblem problem : e.problems()) {
        if (problem.place().line() == 0) {
          problems.error(
              name.place(),
              "the included file " + quote(path.toString()) + " " + problem.what(),
              problem.remedy());
        } else {
          problems.error(problem.place(), problem.what(), problem.remedy());
        }
      }
      return lacking();
    }
  }

  private <T> Optional<T> lacking() {
    lacksFiles = true;
    return Optional.empty();
  }

  /** Returns the identity of a file, which may have several paths. */
  private static Path identity(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file.toAbsolutePath().normalize(); // it cannot be read either, which is reported then
    }
  }

  private static Element merge(Element root, List<Element> included) {
    Set<String> hidden = new HashSet<>();
    root.entries("variables")
        .forEach(variable -> variable.attribute("name").ifPresent(v -> hidden.add(v.text())));
    Map<String, Element> parts = new LinkedHashMap<>();
    for (Element each : included) {
      for (Element part : each.children()) {
        parts.merge(part.name(), without(part, hidden), IncludeResolver::joined);
      }
    }
    for (Element part : root.children()) {
      if (!part.name().equals("include")) {
        parts.merge(part.name(), part, IncludeResolver::joined);
      }
    }
    return new Element(
        root.name(),
        root.place(),
        root.attributes(),
        List.copyOf(parts.values()),
        Optional.empty());
  }

  private static Element without(Element part, Set<String> variables) {
    return part.name().equals("variables")
        ? part.holding(
            part.children().stream()
                .filter(
                    v -> v.attribute("name").map(Value::text).filter(variables::contains).isEmpty())
                .toList())
        : part;
  }

  private static Element joined(Element before, Element part) {
    return part.holding(
        Stream.concat(before.children().stream(), part.children().stream()).toList());
  }
}
