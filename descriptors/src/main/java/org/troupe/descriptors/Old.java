package org.troupe.descriptors;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.troupe.descriptors.Element.Value;

/** An element of an old descriptor; whoever asks for a part of it makes something of that part. */
record Old(Element element, Path file, Losses losses) {

  /** Reads a file, or throws a problem with it. */
  static Old read(Path file, Losses losses) {
    return new Old(
        Xml.parse(Source.read(file, XmlForm.DESCRIPTOR.kind()), XmlForm.DESCRIPTOR).root(),
        file,
        losses);
  }

  String name() {
    return element.name();
  }

  Place place() {
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

  List<Old> children(String name) {
    return element.children(name).stream().map(this::use).toList();
  }

  List<Old> children() {
    return element.children().stream().map(this::use).toList();
  }

  Optional<Old> child(String name) {
    return element.children(name).stream().findFirst().map(this::use);
  }

  /** Returns the children at a path of names, from all elements on the way. */
  List<Old> at(String... path) {
    List<Old> here = List.of(this);
    for (String name : path) {
      here = here.stream().flatMap(old -> old.children(name).stream()).toList();
    }
    return here;
  }

  /** Says that something about the element is lost. */
  void lose(String what, String remedy) {
    losses.lose(place(), what, remedy);
  }

  /** Says that the element is lost as a whole, so that its parts need not be told. */
  void loseWhole(String what, String remedy) {
    lose(what, remedy);
    passWhole();
  }

  private void passWhole() {
    element.attributes().values().forEach(losses::use);
    children().forEach(Old::passWhole);
  }

  /** Lets an attribute pass in silence: it says what goes without saying here. */
  void pass(String name) {
    attribute(name);
  }

  /** Lets an attribute pass in silence if it has that value. */
  void pass(String name, String value) {
    if (element.attribute(name).filter(v -> v.text().strip().equals(value)).isPresent()) {
      attribute(name);
    }
  }

  private Old use(Element child) {
    losses.use(child);
    return new Old(child, file, losses);
  }
}
