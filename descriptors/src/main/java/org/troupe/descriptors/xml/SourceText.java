package org.troupe.descriptors.xml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SourceProblem;
import org.troupe.descriptors.text.QuotedText;
import org.troupe.descriptors.text.SpellingHints;

/**
 * The text of a descriptor or another file of its form, and the line and column of each character
 * in it.
 */
public final class SourceText {

  /** Ten times the size of a descriptor with a thousand hosts. */
  static final int MOST_BYTES = 1 << 20;

  private static final Pattern DECLARED_ENCODING =
      Pattern.compile("\\A<\\?xml[^>]*?\\sencoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");

  private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

  private final String name;
  private final String text;
  private final int[] lineStarts;

  SourceText(String name, String text) {
    this.name = name;
    this.text = text;
    Matcher end = LINE_END.matcher(text);
    this.lineStarts = end.results().mapToInt(match -> match.end()).toArray();
  }

  /**
   * Reads the file, or throws a problem with the file as a whole.
   *
   * @param kind the expected kind of file, for messages
   */
  public static SourceText read(Path file, String kind) {
    String name = file.toString();
    if (Files.isDirectory(file)) {
      throw unusable(name, "is a folder, not a " + kind, "name an XML file in it");
    }
    if (Files.notExists(file)) {
      throw unusable(
          name,
          "does not exist",
          SpellingHints.remedy(
              fileName(file),
              neighbours(file),
              "check the path, which starts from '" + Path.of("").toAbsolutePath() + "'"));
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw unusable(name, "is longer than 1 MiB, so it is no " + kind, "check the path");
      }
      return decode(name, bytes);
    } catch (AccessDeniedException e) {
      throw unusable(name, "may not be read by you", "ask for permission, or chmod u+r it");
    } catch (IOException e) {
      throw unusable(name, "cannot be read: " + reason(e), "check the path");
    }
  }

  private static String reason(IOException e) {
    return e instanceof FileSystemException f && f.getReason() != null
        ? f.getReason()
        : QuotedText.plain(e.toString());
  }

  private static SourceText decode(String name, byte[] bytes) {
    Charset charset = charset(name, bytes);
    try {
      String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new SourceText(name, text.startsWith("\uFEFF") ? text.substring(1) : text);
    } catch (CharacterCodingException e) {
      throw unusable(
          name,
          "is not text in " + charset.name(),
          "save it as UTF-8, or name its encoding in its first line:"
              + " <?xml version=\"1.0\" encoding=\"...\"?>");
    }
  }

  private static Charset charset(String name, byte[] bytes) {
    String start = new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.ISO_8859_1);
    if (start.startsWith("\u00FE\u00FF") || start.startsWith("\u00FF\u00FE")) {
      return StandardCharsets.UTF_16;
    }
    Matcher declared = DECLARED_ENCODING.matcher(start);
    if (!declared.find()) {
      return StandardCharsets.UTF_8;
    }
    try {
      return Charset.forName(declared.group(1));
    } catch (IllegalArgumentException e) {
      throw unusable(
          name,
          "says that its encoding is '" + declared.group(1) + "', which is unknown here",
          "save it as UTF-8");
    }
  }

  private static DescriptorException unusable(String name, String what, String remedy) {
    return new DescriptorException(
        List.of(new SourceProblem(new SourcePosition(name, 0, 0), what, remedy)));
  }

  private static String fileName(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static List<String> neighbours(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(SourceText::fileName)
          .filter(name -> name.endsWith(".xml"))
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of(); // only a better remedy is lost; the missing file is reported anyway
    }
  }

  String text() {
    return text;
  }

  /** Returns the file as a whole. */
  SourcePosition whole() {
    return new SourcePosition(name, 0, 0);
  }

  /** Returns the position of the character at an offset. */
  SourcePosition at(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    int line = found >= 0 ? found + 2 : -found;
    int start = line == 1 ? 0 : lineStarts[line - 2];
    return new SourcePosition(name, line, text.codePointCount(start, offset) + 1);
  }

  /** Returns the position that a parser has reported. */
  SourcePosition at(int line, int column) {
    return line < 1 ? whole() : new SourcePosition(name, line, Math.max(1, column));
  }
}
