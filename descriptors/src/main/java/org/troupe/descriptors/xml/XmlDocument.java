package org.troupe.descriptors.xml;

import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.xml.Element.Value;
import org.troupe.descriptors.xml.TagScanner.Tag;

/**
 * A well-formed document, with the positions of its parts.
 *
 * @param namespace the namespace of the root; elements of other namespaces keep the prefix in their
 *     names
 */
public record XmlDocument(Element root, String namespace) {

  /** Parses a text, or throws the problem of malformed XML. */
  public static XmlDocument parse(SourceText source, XmlForm form) {
    TagScanner tags = new TagScanner(source.text());
    if (tags.documentType() >= 0) {
      throw malformed(
          source.at(tags.documentType()),
          "a document type (and with it any entity) is refused, as it could make a small file huge"
              + " or read other files",
          "remove <!DOCTYPE ...>");
    }
    if (source.text().isBlank()) {
      throw malformed(source.whole(), "is empty", "start with " + form.start());
    }
    try {
      return new Building(source, tags.inOrder().iterator()).build();
    } catch (XMLStreamException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNumber();
      throw malformed(
          source.at(line, column),
          "this is not well-formed XML: " + reason(e),
          "correct it, then the rest can be checked");
    }
  }

  private static DescriptorException malformed(SourcePosition place, String what, String remedy) {
    return new DescriptorException(List.of(new SourceProblem(place, what, remedy)));
  }

  /** Returns the parser's message, without the position that it repeats and its full stop. */
  private static String reason(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    String sentence = message.substring(message.lastIndexOf("\nMessage: ") + 1);
    String reason = sentence.replaceFirst("^Message: ", "").replaceAll("\\s+", " ").strip();
    return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
  }

  /**
   * Builds the tree without recursion, since a file may be nested more deeply than a stack permits.
   */
  private static final class Building {

    private final SourceText source;
    private final Iterator<Tag> tags;
    private final XMLStreamReader reader;
    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable String namespace;

    Building(SourceText source, Iterator<Tag> tags) throws XMLStreamException {
      this.source = source;
      this.tags = tags;
      XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
      factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
      factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
      this.reader = factory.createXMLStreamReader(new StringReader(source.text()));
    }

    XmlDocument build() throws XMLStreamException {
      Element root = null;
      while (reader.hasNext()) {
        switch (reader.next()) {
          case XMLStreamConstants.START_ELEMENT -> open.push(start());
          case XMLStreamConstants.CHARACTERS,
              XMLStreamConstants.CDATA,
              XMLStreamConstants.SPACE -> {
            if (!open.isEmpty()) {
              open.peek().text.append(reader.getText());
            }
          }
          case XMLStreamConstants.END_ELEMENT -> {
            Element closed = open.pop().close(source);
            if (open.isEmpty()) {
              root = closed;
            } else {
              open.peek().children.add(closed);
            }
          }
          default -> {} // comments and processing instructions are ignored
        }
      }
      return new XmlDocument(
          Objects.requireNonNull(root, "well-formed XML has a root"),
          Objects.requireNonNull(namespace, "the root has set it"));
    }

    private Open start() {
      String uri = reader.getNamespaceURI() == null ? "" : reader.getNamespaceURI();
      if (namespace == null) {
        namespace = uri;
      }
      String name = reader.getLocalName();
      if (!uri.equals(namespace)) {
        String prefix = reader.getPrefix();
        name = prefix == null || prefix.isEmpty() ? "{" + uri + "}" + name : prefix + ":" + name;
      }
      Tag tag = tags.next();
      return new Open(name, tag, attributes(tag));
    }

    private Map<String, Value> attributes(Tag tag) {
      Map<String, Value> attributes = new LinkedHashMap<>();
      for (int i = 0; i < reader.getAttributeCount(); i++) {
        String prefix = reader.getAttributePrefix(i);
        String local = reader.getAttributeLocalName(i);
        String name = prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
        if (!isSchemaHint(reader.getAttributeNamespace(i), local)) {
          SourcePosition place = source.at(tag.attribute(name));
          attributes.put(name, new Value(reader.getAttributeValue(i), place));
        }
      }
      return attributes;
    }

    /** Returns whether an attribute names the schema for editors, which is ignored here. */
    private static boolean isSchemaHint(String uri, String local) {
      return XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(uri)
          && (local.equals("schemaLocation") || local.equals("noNamespaceSchemaLocation"));
    }
  }

  /** An element whose end tag has not been read yet. */
  private record Open(
      String name,
      Tag tag,
      Map<String, Value> attributes,
      List<Element> children,
      StringBuilder text) {

    Open(String name, Tag tag, Map<String, Value> attributes) {
      this(name, tag, attributes, new ArrayList<>(), new StringBuilder());
    }

    Element close(SourceText source) {
      String stripped = text.toString().strip();
      Optional<Value> words =
          stripped.isEmpty()
              ? Optional.empty()
              : Optional.of(new Value(stripped, source.at(tag.text())));
      return new Element(name, source.at(tag.start), attributes, children, words);
    }
  }
}
