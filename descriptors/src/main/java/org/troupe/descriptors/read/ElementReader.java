package org.troupe.descriptors.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import javax.xml.namespace.NamespaceContext;
import javax.xml.namespace.QName;
import javax.xml.stream.Location;
import javax.xml.stream.util.StreamReaderDelegate;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.xml.Element;
import org.troupe.descriptors.xml.Element.Value;
import org.troupe.descriptors.xml.SourcePosition;

/**
 * Reads a checked document as if it were parsed from a file, so that it can be bound.
 *
 * <p>Children come sorted by name: a binding takes those of one name as one list only if they stand
 * together, and a descriptor may mix them.
 */
final class ElementReader extends StreamReaderDelegate {

  /*
   * The entries of the parts get one attribute more, their number and place; the parts themselves
   * may have none, as the binding takes them for mere wrappers of lists.
   */

  private static final int DEPTH_OF_ENTRIES = 3;

  private record Event(
      int type, String name, List<Map.Entry<String, String>> attributes, String text) {}

  private final List<Event> events = new ArrayList<>();
  private int at;

  ElementReader(Element root) {
    events.add(new Event(START_DOCUMENT, "", List.of(), ""));
    add(root, 1, 0);
    events.add(new Event(END_DOCUMENT, "", List.of(), ""));
  }

  private void add(Element element, int depth, int number) {
    List<Map.Entry<String, String>> attributes = new ArrayList<>();
    element.attributes().forEach((name, value) -> attributes.add(Map.entry(name, value.text())));
    if (depth == DEPTH_OF_ENTRIES) {
      SourcePosition place = element.place();
      String spot = number + ":" + place.line() + ":" + place.column() + ":" + place.file();
      attributes.add(Map.entry("spot", spot));
    }
    events.add(new Event(START_ELEMENT, element.name(), attributes, ""));
    element
        .text()
        .map(Value::text)
        .ifPresent(text -> events.add(new Event(CHARACTERS, "", List.of(), text)));
    List<Element> children = element.children();
    IntStream.range(0, children.size())
        .boxed()
        .sorted(Comparator.comparing(i -> children.get(i).name()))
        .forEach(i -> add(children.get(i), depth + 1, i));
    events.add(new Event(END_ELEMENT, element.name(), List.of(), ""));
  }

  private Event event() {
    return events.get(at);
  }

  @Override
  public boolean hasNext() {
    return at < events.size() - 1;
  }

  @Override
  public int next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    at++;
    return event().type;
  }

  @Override
  public int getEventType() {
    return event().type;
  }

  @Override
  public boolean isStartElement() {
    return event().type == START_ELEMENT;
  }

  @Override
  public boolean isEndElement() {
    return event().type == END_ELEMENT;
  }

  @Override
  public boolean isCharacters() {
    return event().type == CHARACTERS;
  }

  @Override
  public boolean isWhiteSpace() {
    return false;
  }

  @Override
  public boolean hasName() {
    return isStartElement() || isEndElement();
  }

  @Override
  public boolean hasText() {
    return isCharacters();
  }

  @Override
  public String getLocalName() {
    return event().name;
  }

  @Override
  public QName getName() {
    return new QName(event().name);
  }

  @Override
  public String getNamespaceURI() {
    return "";
  }

  @Override
  public String getPrefix() {
    return "";
  }

  @Override
  public int getAttributeCount() {
    return event().attributes.size();
  }

  @Override
  public String getAttributeLocalName(int index) {
    return event().attributes.get(index).getKey();
  }

  @Override
  public QName getAttributeName(int index) {
    return new QName(getAttributeLocalName(index));
  }

  @Override
  public String getAttributeNamespace(int index) {
    return "";
  }

  @Override
  public String getAttributePrefix(int index) {
    return "";
  }

  @Override
  public String getAttributeType(int index) {
    return "CDATA";
  }

  @Override
  public String getAttributeValue(int index) {
    return event().attributes.get(index).getValue();
  }

  @Override
  public String getText() {
    return event().text;
  }

  @Override
  public char[] getTextCharacters() {
    return event().text.toCharArray();
  }

  @Override
  public int getTextStart() {
    return 0;
  }

  @Override
  public int getTextLength() {
    return event().text.length();
  }

  @Override
  public int getNamespaceCount() {
    return 0;
  }

  @Override
  public @Nullable NamespaceContext getNamespaceContext() {
    return null;
  }

  @Override
  public @Nullable Object getProperty(String name) {
    return null;
  }

  /** Nobody asks where: a checked document binds without errors. */
  @Override
  public @Nullable Location getLocation() {
    return null;
  }

  @Override
  public void close() {}
}
