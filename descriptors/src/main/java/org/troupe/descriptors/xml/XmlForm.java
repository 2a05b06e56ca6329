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
 * A kind of XML file that is read like descriptors: every element and attribute has its position,
 * variables are replaced, and all problems are reported at once. The caller interprets the values
 * of attributes. Immutable.
 *
 * @param kind the name of this kind of file in messages
 */
public record XmlForm(String kind, String namespace, Rule root) {

  public static final XmlForm DESCRIPTOR =
      new XmlForm(
          "descriptor", DescriptorSchema.NAMESPACE, new Rule("troupe", true, List.of(), List.of()));

  /** The part that declares variables in files of every kind. */
  private static final String VARIABLES = "variables";

  /**
   * The schema of an element.
   *
   * @param isSingle whether it occurs at most once in its parent
   * @param attributes their names; those of optional ones end with a question mark
   */
  public record Rule(String name, boolean isSingle, List<String> attributes, List<Rule> children) {

    /** Copies the lists. */
    public Rule {
      attributes = List.copyOf(attributes);
      children = List.copyOf(children);
    }

    /** Returns the rule of an element that may occur any number of times, with attributes only. */
    public static Rule of(String name, String... attributes) {
      return new Rule(name, false, List.of(attributes), List.of());
    }

    /** Returns a copy with children. */
    public Rule holding(Rule... others) {
      return new Rule(name, isSingle, attributes, List.of(others));
    }

    /** Returns a copy for an element that occurs at most once. */
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
   * The content of a file.
   *
   * @param root the root element, without the part of variables, which are replaced everywhere
   * @param variables the names of the variables that the file declares
   */
  public record Content(Element root, Set<String> variables) {}

  /**
   * Reads a file.
   *
   * @param given the values of variables; may contain variables of other files
   * @throws org.troupe.descriptors.DescriptorException if the file cannot be read or is of another
   *     kind; other problems are added to {@code problems}, and the rest of the content is returned
   */
  public Content read(Path file, Map<String, String> given, ProblemCollector problems) {
    return read(SourceText.read(file, kind), given, problems);
  }

  /** Reads a text, which messages refer to by a name. */
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

  /**
   * Returns the schema of the root, with the part of variables that every kind of file may have.
   */
  private ElementSchema shape() {
    ElementSchema own = root.shape();
    List<ElementSchema> children = new ArrayList<>(own.children());
    children.add(ElementSchema.TROUPE.child(VARIABLES).orElseThrow());
    return new ElementSchema(
        own.name(), own.occurs(), own.attributes(), children, own.text(), own.entry());
  }

  /** Returns the tag that such a file starts with. */
  String start() {
    return "<" + root.name + " xmlns=\"" + namespace + "\">";
  }
}
