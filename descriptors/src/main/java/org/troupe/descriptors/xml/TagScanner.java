package org.troupe.descriptors.xml;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the positions of elements, attributes and texts. */
final class TagScanner {

  /*
   * XML parsers report the end of a start tag, and no positions of its attributes. This scan reads the raw text once
   * and finds the start tags in document order; the n-th start tag here is the n-th start event of the parser. It
   * reports no errors: it stops where the text is not well-formed, and the parser then explains why. It runs before
   * the parser, so that no parser ever sees a document type.
   */

  /** A start tag; offsets into the text. */
  static final class Tag {
    final int start;
    final Map<String, Integer> attributes = new HashMap<>();
    private int text = -1;

    private Tag(int start) {
      this.start = start;
    }

    /** Returns the offset of an attribute, by its name with prefix. */
    int attribute(String qualifiedName) {
      return attributes.getOrDefault(qualifiedName, start);
    }

    /** Returns the offset of the first text in the element. */
    int text() {
      return text < 0 ? start : text;
    }
  }

  private final String xml;
  private final List<Tag> inOrder = new ArrayList<>();
  private final Deque<Tag> open = new ArrayDeque<>();
  private int documentType = -1;

  TagScanner(String xml) {
    this.xml = xml;
    int at = 0;
    while (at >= 0) {
      int next = xml.indexOf('<', at);
      noteText(at, next < 0 ? xml.length() : next);
      at = next < 0 ? -1 : after(next);
    }
  }

  /** Returns the start tags in document order. */
  List<Tag> inOrder() {
    return inOrder;
  }

  /** Returns the offset of a document type declaration; -1 if there is none. */
  int documentType() {
    return documentType;
  }

  /** Returns the offset after the markup at an offset; -1 if the rest is not well-formed. */
  private int after(int at) {
    if (xml.startsWith("<!--", at)) {
      return afterNext("-->", at + 4);
    }
    if (xml.startsWith("<?", at)) {
      return afterNext("?>", at + 2);
    }
    if (xml.startsWith("<![CDATA[", at)) {
      int end = afterNext("]]>", at + 9);
      noteText(at + 9, end < 0 ? xml.length() : end - 3);
      return end;
    }
    if (xml.startsWith("<!DOCTYPE", at)) {
      documentType = at;
      return -1;
    }
    if (xml.startsWith("</", at)) {
      open.poll();
      return afterNext(">", at + 2);
    }
    return afterStartTag(at);
  }

  private int afterStartTag(int start) {
    Tag tag = new Tag(start);
    inOrder.add(tag);
    int at = skipName(start + 1);
    while (true) {
      at = skipSpace(at);
      if (xml.startsWith("/>", at)) {
        return at + 2;
      }
      if (xml.startsWith(">", at)) {
        open.push(tag);
        return at + 1;
      }
      int nameEnd = skipName(at);
      int equals = skipSpace(nameEnd);
      int quote = skipSpace(equals + 1);
      if (nameEnd == at || quote >= xml.length() || xml.charAt(equals) != '=') {
        return -1;
      }
      tag.attributes.put(xml.substring(at, nameEnd), at);
      at = afterNext(xml.substring(quote, quote + 1), quote + 1);
      if (at < 0) {
        return -1;
      }
    }
  }

  private void noteText(int from, int to) {
    Tag tag = open.peek();
    int first = skipSpace(from);
    if (tag != null && tag.text < 0 && first < to) {
      tag.text = first;
    }
  }

  private int afterNext(String end, int from) {
    int found = xml.indexOf(end, from);
    return found < 0 ? -1 : found + end.length();
  }

  private int skipSpace(int at) {
    int end = at;
    while (end < xml.length() && " \t\r\n".indexOf(xml.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }

  private int skipName(int at) {
    int end = at;
    while (end < xml.length() && " \t\r\n=/><\"'".indexOf(xml.charAt(end)) < 0) {
      end++;
    }
    return end;
  }
}
