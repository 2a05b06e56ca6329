package org.troupe.descriptors.xml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.troupe.descriptors.DescriptorSchema;
import org.troupe.descriptors.text.ValueType;

/**
 * A kind of XML file that is read as descriptors are: every element and attribute knows its place,
 * variables have values, and all that is wrong is told at once. What the values of attributes mean
 * is the reader's own affair. Immutable.
 *
 * @param kind what such a file is called in messages
 */
public record XmlForm(String kind, String namespace, Rule root) {

  public static final XmlForm DESCRIPTOR =
      new XmlForm(
          "descriptor", DescriptorSchema.NAMESPACE, new Rule("troupe", true, List.of(), List.of()));

  /** What declares variables in files of every kind. */
  private static final String VARIABLES = "variables";

  /**
   * What an element may hold.
   *
   * @param isSingle whether it stands at most once in its parent
   * @param attributes their names; those of optional ones end with a question mark
   */
  public record Rule(String name, boolean isSingle, List<String> attributes, List<Rule> children) {

    /** Copies the lists. */
    public Rule {
      attributes = List.copyOf(attributes);
      children = List.copyOf(children);
    }

    /** An element that may stand any number of times, with attributes only. */
    public static Rule of(String name, String... attributes) {
      return new Rule(name, false, List.of(attributes), List.of());
    }

    /** The same element with these children. */
    public Rule holding(Rule... others) {
      return new Rule(name, isSingle, attributes, List.of(others));
    }

    /** The same element, at most once. */
    public Rule once() {
      return new Rule(name, true, attributes, children);
    }

    private ElementSchema shape() {
      return new ElementSchema(
          name,
          isSingle ? ElementSchema.Occurs.AT_MOST_ONCE : ElementSchema.Occurs.ANY_NUMBER,
          attributes.stream().map(Rule::attribute).toList(),
          children.stream().map(Rule::shape).toList(),
          Optional.empty(),
          Optional.empty());
    }

    private static ElementSchema.Rule attribute(String name) {
      boolean isOptional = name.endsWith("?");
      String bare = isOptional ? name.substring(0, name.length() - 1) : name;
      return new ElementSchema.Rule(bare, ValueType.TEXT, !isOptional);
    }
  }

  /**
   * A file as it is meant.
   *
   * @param root without its variables, which have their values everywhere
   * @param variables the names of those that the file declares
   */
  public record Content(Element root, Set<String> variables) {}

  /**
   * Reads a file.
   *
   * @param given values of variables; those of others than the file declares are left to others
   * @throws org.troupe.descriptors.DescriptorException if it cannot be read or is of no such kind;
   *     what is wrong besides is added to the problems, and the rest returned
   */
  public Content read(Path file, Map<String, String> given, ProblemCollector problems) {
    return read(SourceText.read(file, kind), given, problems);
  }

  /** The same with a text that is there already; messages call it by this name. */
  public Content read(
      String name, String text, Map<String, String> given, ProblemCollector problems) {
    return read(new SourceText(name, text), given, problems);
  }

  private Content read(SourceText source, Map<String, String> given, ProblemCollector problems) {
    ElementSchema shape = shape();
    Element root = StructureChecks.check(XmlDocument.parse(source, this), this, shape, problems);
    Set<String> declared = new HashSet<>();
    for (Element variable : root.entries(VARIABLES)) {
      variable.attribute("name").ifPresent(name -> declared.add(name.text()));
    }
    Map<String, String> own = new HashMap<>(given);
    own.keySet().retainAll(declared);
    VariableResolver known =
        new VariableResolver(root, own, System.getenv(), source.whole(), problems);
    Element checked = ValueChecks.check(root, shape, known, problems);
    return new Content(
        checked.holding(
            checked.children().stream().filter(each -> !each.name().equals(VARIABLES)).toList()),
        Set.copyOf(declared));
  }

  /** That of the root, with the variables that every kind of file may have. */
  private ElementSchema shape() {
    ElementSchema own = root.shape();
    List<ElementSchema> children = new ArrayList<>(own.children());
    children.add(ElementSchema.TROUPE.child(VARIABLES).orElseThrow());
    return new ElementSchema(
        own.name(), own.occurs(), own.attributes(), children, own.text(), own.entry());
  }

  /** The tag that such a file starts with. */
  String start() {
    return "<" + root.name + " xmlns=\"" + namespace + "\">";
  }
}
