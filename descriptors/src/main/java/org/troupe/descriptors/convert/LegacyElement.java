package org.troupe.descriptors.convert;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.Element.Value;
import org.troupe.descriptors.xml.SourceText;
import org.troupe.descriptors.xml.XmlDocument;
import org.troupe.descriptors.xml.XmlForm;

/** An element of a legacy descriptor, which records the parts that a reader has asked for. */
record LegacyElement(Element element, Path file, ConversionLosses losses) {

  /** Reads a file, or throws a problem with it. */
  static LegacyElement read(Path file, ConversionLosses losses) {
    return new LegacyElement(
        XmlDocument.parse(SourceText.read(file, XmlForm.DESCRIPTOR.kind()), XmlForm.DESCRIPTOR)
            .root(),
        file,
        losses);
  }

  String name() {
    return element.name();
  }

  SourcePosition place() {
    return element.place();
  }

  Optional<Value> attribute(String name) {
    Optional<Value> value = element.attribute(name);
    value.ifPresent(losses::use);
    return value;
  }

  /** Returns the text of an element of text. */
  Optional<Value> text() {
    return element.text();
  }

  List<LegacyElement> children(String name) {
    return element.children(name).stream().map(this::use).toList();
  }

  List<LegacyElement> children() {
    return element.children().stream().map(this::use).toList();
  }

  Optional<LegacyElement> child(String name) {
    return element.children(name).stream().findFirst().map(this::use);
  }

  /** Returns the descendants at a path of names. */
  List<LegacyElement> at(String... path) {
    List<LegacyElement> here = List.of(this);
    for (String name : path) {
      here = here.stream().flatMap(old -> old.children(name).stream()).toList();
    }
    return here;
  }

  /** Reports a loss that concerns the element. */
  void report(String what, String remedy) {
    losses.report(place(), what, remedy);
  }

  /** Reports the loss of the whole element, so that its parts are not reported. */
  void reportWhole(String what, String remedy) {
    report(what, remedy);
    acceptWhole();
  }

  private void acceptWhole() {
    element.attributes().values().forEach(losses::use);
    children().forEach(LegacyElement::acceptWhole);
  }

  /** Accepts an attribute whose meaning is the default here. */
  void accept(String name) {
    attribute(name);
  }

  /** Accepts an attribute if it has a value that is the default here. */
  void accept(String name, String value) {
    if (element.attribute(name).filter(v -> v.text().strip().equals(value)).isPresent()) {
      attribute(name);
    }
  }

  private LegacyElement use(Element child) {
    losses.use(child);
    return new LegacyElement(child, file, losses);
  }
}
