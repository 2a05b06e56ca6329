package org.troupe.descriptors.xml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.descriptors.SourcePosition;

/**
 * An XML element with its position and those of its attributes.
 *
 * @param attributes the attributes by name, in the order of the file
 * @param text the whole text, stripped; empty if there is only white space
 */
public record Element(
    String name,
    SourcePosition place,
    Map<String, Value> attributes,
    List<Element> children,
    Optional<Value> text) {

  /** The value of an attribute, or a text. */
  public record Value(String text, SourcePosition place) {}

  /** Copies the attributes and children. */
  public Element {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    children = List.copyOf(children);
  }

  /** Returns a copy with other children. */
  Element holding(List<Element> others) {
    return new Element(name, place, attributes, others, text);
  }

  /** Returns the attribute of that name. */
  public Optional<Value> attribute(String name) {
    return Optional.ofNullable(attributes.get(name));
  }

  /** Returns the children of that name. */
  public List<Element> children(String name) {
    return children.stream().filter(child -> child.name.equals(name)).toList();
  }

  /** Returns the children of all children of that name: the entries of a part. */
  public List<Element> entries(String part) {
    return children(part).stream().flatMap(child -> child.children.stream()).toList();
  }
}
