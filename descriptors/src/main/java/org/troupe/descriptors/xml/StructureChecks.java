package org.troupe.descriptors.xml;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.descriptors.xml.Element.Value;
import org.troupe.descriptors.xml.ElementSchema.Occurs;
import org.troupe.descriptors.xml.ElementSchema.Rule;

/**
 * Checks which elements and attributes a file has, but not their values.
 *
 * <p>Misspelt names are corrected after they are reported, and unknown parts are removed, so that
 * one mistake is one problem and later checks see the intended document.
 */
final class StructureChecks {

  private final ProblemCollector problems;

  private StructureChecks(ProblemCollector problems) {
    this.problems = problems;
  }

  /**
   * Reports the problems of one file and returns the corrected document.
   *
   * @throws org.troupe.descriptors.DescriptorException if it is another kind of file
   */
  static Element check(
      XmlDocument xml, XmlForm form, ElementSchema shape, ProblemCollector problems) {
    Element root = xml.root();
    String right = form.start();
    String name = form.root().name();
    boolean isMeant = SpellingHints.closest(root.name(), List.of(name)).isPresent();
    if (!root.name().equals(name)) {
      problems.error(
          root.place(),
          "the root element is " + quote(root.name()) + ", so this is no " + form.kind(),
          isMeant ? "did you mean '" + name + "'?" : "a " + form.kind() + " starts with " + right);
    }
    if (!isMeant) {
      problems.throwIfAny();
    }
    if (!xml.namespace().equals(form.namespace())) {
      String namespace =
          xml.namespace().isEmpty() ? "no namespace" : "the namespace " + quote(xml.namespace());
      problems.error(root.place(), "the root element is of " + namespace, "write " + right);
    }
    return new StructureChecks(problems).check(root, shape);
  }

  /** Reports parts that neither the descriptor nor any included file has. */
  static void checkComplete(Element root, ProblemCollector problems) {
    for (ElementSchema part : ElementSchema.TROUPE.children()) {
      if (part.occurs() == Occurs.ONCE && root.children(part.name()).isEmpty()) {
        problems.error(
            root.place(),
            "'troupe' lacks the element '" + part.name() + "'",
            "add <" + part.name() + ">" + part.entry().orElse("") + "</" + part.name() + ">");
      }
    }
  }

  private Element check(Element element, ElementSchema shape) {
    return new Element(
        shape.name(),
        element.place(),
        attributes(element, shape),
        children(element, shape),
        text(element, shape));
  }

  private Map<String, Value> attributes(Element element, ElementSchema shape) {
    Map<String, Value> known = new LinkedHashMap<>(element.attributes());
    known.keySet().retainAll(shape.attributeNames());
    element
        .attributes()
        .forEach(
            (name, value) -> {
              if (shape.attribute(name).isPresent()) {
                return;
              }
              problems.error(
                  value.place(),
                  "attribute " + quote(name) + " is unknown in '" + shape.name() + "'",
                  remedy(name, shape, shape.attributeNames()));
              meant(name, shape, shape.attributeNames())
                  .ifPresent(meant -> known.putIfAbsent(meant, value));
            });
    for (Rule rule : shape.attributes()) {
      if (rule.isRequired() && !known.containsKey(rule.name())) {
        problems.error(
            element.place(),
            "'" + shape.name() + "' lacks the attribute '" + rule.name() + "'",
            "add " + rule.name() + "=\"...\"");
      }
    }
    return known;
  }

  private List<Element> children(Element element, ElementSchema shape) {
    List<Element> known = new ArrayList<>();
    Map<String, SourcePosition> first = new LinkedHashMap<>();
    for (Element child : element.children()) {
      Optional<ElementSchema> exact = shape.child(child.name());
      if (exact.isEmpty()) {
        problems.error(
            child.place(),
            "element " + quote(child.name()) + " is unknown in '" + shape.name() + "'",
            remedy(child.name(), shape, shape.childNames()));
      }
      exact
          .or(() -> meant(child.name(), shape, shape.childNames()).flatMap(shape::child))
          .ifPresent(
              meant -> {
                checkOnce(child, meant, first);
                known.add(check(child, meant));
              });
    }
    if (element.children().isEmpty() && shape.entry().isPresent()) {
      problems.error(
          element.place(), "'" + shape.name() + "' is empty", "add " + shape.entry().get());
    }
    return known;
  }

  private void checkOnce(Element child, ElementSchema shape, Map<String, SourcePosition> first) {
    SourcePosition before = first.putIfAbsent(shape.name(), child.place());
    if (before != null && shape.occurs() != Occurs.ANY_NUMBER) {
      problems.error(
          child.place(),
          "there is a '" + shape.name() + "' already, in line " + before.line(),
          "make them one");
    }
  }

  private Optional<Value> text(Element element, ElementSchema shape) {
    if (shape.text().isPresent()) {
      // An empty text is an invalid value, not a missing one, so the check of the type reports it.
      return element.text().or(() -> Optional.of(new Value("", element.place())));
    }
    element
        .text()
        .ifPresent(
            text ->
                problems.error(
                    text.place(),
                    "text " + quote(text.text()) + " has no meaning in '" + shape.name() + "'",
                    "remove it, or make it a comment: <!-- ... -->"));
    return Optional.empty();
  }

  private static String remedy(String name, ElementSchema shape, List<String> known) {
    return MisplacedParts.remedy(bare(name), shape.name())
        .orElseGet(() -> SpellingHints.choice(bare(name), known, "remove it"));
  }

  /** Returns the known name that a misspelt one stands for; empty if that belongs elsewhere. */
  private static Optional<String> meant(String name, ElementSchema shape, List<String> known) {
    return MisplacedParts.remedy(bare(name), shape.name()).isPresent()
        ? Optional.empty()
        : SpellingHints.closest(bare(name), known);
  }

  /** Returns the name without the prefix or namespace that makes it foreign. */
  private static String bare(String name) {
    return name.substring(Math.max(name.lastIndexOf(':'), name.lastIndexOf('}')) + 1);
  }
}
