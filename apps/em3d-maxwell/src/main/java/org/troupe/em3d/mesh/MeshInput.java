package org.troupe.em3d.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A scanner for the words of a mesh file, text or binary, with their positions.
 *
 * <p>The methods read both formats: a number is a word of a line in text, and a fixed number of
 * bytes in binary; {@link #nextRecord} goes to the next line in text, and does nothing in binary.
 * Names of sections are lines in both.
 */
final class MeshInput implements AutoCloseable {

  /*
   * A large mesh is hundreds of megabytes of numbers, so no object is allocated per line or word: digits
   * are converted in the buffer. A number of up to 15 digits and a power of ten up to 22 are exact as
   * doubles, hence their quotient is rounded correctly (W. Clinger, How to read floating point numbers
   * accurately, PLDI 1990). The JDK converts longer numbers.
   *
   * The file is not memory-mapped: if another process truncates a mapped file, the JVM may crash.
   */
  private static final int BUFFER = 1 << 20;

  private static final int MOST_DIGITS = 15;
  private static final double[] POWERS_OF_TEN = new double[23];

  static {
    double power = 1;
    for (int k = 0; k < POWERS_OF_TEN.length; k++, power *= 10) {
      POWERS_OF_TEN[k] = power;
    }
  }

  private final String name;
  private final InputStream in;
  private final long length;
  private final DoubleConsumer progress;
  private final byte[] bytes = new byte[BUFFER];
  private final ByteBuffer numbers = ByteBuffer.wrap(bytes);
  private int next;
  private int end;
  private long before; // bytes of the file before the buffer
  private long line;
  private boolean atLineEnd = true; // of the previous line
  private boolean binaryFile;
  private boolean binary; // the present section
  private String section = "";

  MeshInput(Path file, DoubleConsumer progress) throws IOException {
    this.name = String.valueOf(file.getFileName());
    this.length = Files.size(file);
    this.in = Files.newInputStream(file);
    this.progress = progress;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Sets the section that messages on a truncated file name. */
  void enter(String aSection) {
    section = aSection;
  }

  /** Skips the rest of the line, and reads binary data from the next byte on. */
  void beginBinary() throws IOException {
    finishLine();
    binaryFile = true;
    binary = true;
  }

  /** Reads text from now on, even in a binary file. */
  void beginText() {
    binary = false;
  }

  boolean isBinary() {
    return binary;
  }

  /** Returns the number of bytes left, which limits the counts that a file can announce. */
  long left() {
    return length - before - next;
  }

  /** Returns the position of the next record: its line in text, its first byte in binary. */
  long place() {
    return binaryFile ? before + next : line;
  }

  /** Returns a position as the prefix of a message. */
  String named(long place) {
    return name + (binaryFile ? ": byte " : ":") + place;
  }

  MeshException at(String message, Object... values) {
    return at(place(), message, values);
  }

  MeshException at(long place, String message, Object... values) {
    return new MeshException(named(place) + ": " + message.formatted(values));
  }

  private MeshException truncated() {
    return at("the file ends inside section '%s'; it is truncated, save or copy it again", section);
  }

  // Bytes

  /** Fills the buffer to at least this many bytes; returns false if the file has fewer. */
  private boolean has(int count) throws IOException {
    return end - next >= count || fill(count);
  }

  private boolean fill(int count) throws IOException {
    System.arraycopy(bytes, next, bytes, 0, end - next);
    before += next;
    end -= next;
    next = 0;
    while (end < count) {
      int more = in.read(bytes, end, bytes.length - end);
      if (more < 0) {
        return false;
      }
      end += more;
    }
    progress.accept(length == 0 ? 1 : Math.min(1, (double) before / length));
    return true;
  }

  private void need(int count) throws IOException {
    if (!has(count)) {
      throw truncated();
    }
  }

  // Lines

  /** Goes to the next record. */
  void nextRecord() throws IOException {
    if (!binary) {
      nextLine();
    }
  }

  /** Skips the rest of this line, and goes to the start of the next one. */
  void nextLine() throws IOException {
    finishLine();
    need(1);
    line++;
    atLineEnd = false;
  }

  private void finishLine() throws IOException {
    while (!atLineEnd) {
      if (!has(1)) {
        atLineEnd = true;
        return;
      }
      while (next < end && !atLineEnd) {
        atLineEnd = bytes[next++] == '\n';
      }
    }
  }

  /** Returns the next line that is not empty, stripped; {@code null} at the end of the file. */
  @Nullable String textLine() throws IOException {
    finishLine();
    while (has(1)) {
      nextLine();
      String text = rest();
      if (!text.isEmpty()) {
        return text;
      }
    }
    return null;
  }

  /** Returns the rest of the line, stripped, and ends the line. */
  String rest() throws IOException {
    StringBuilder text = new StringBuilder();
    while (!atLineEnd && has(1)) {
      byte b = bytes[next++];
      if (b == '\n') {
        atLineEnd = true;
      } else if (text.length() < 1000) { // no valid line is longer
        text.append((char) (b & 0xff));
      }
    }
    atLineEnd = true;
    return new String(text.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
        .strip();
  }

  /** Skips lines, or bytes of a section that may be binary, up to and including this line. */
  void skipTo(String endLine, boolean maybeBinary) throws IOException {
    if (!maybeBinary) {
      do {
        nextLine();
      } while (!rest().equals(endLine));
      return;
    }
    byte[] wanted = endLine.getBytes(StandardCharsets.ISO_8859_1);
    while (true) {
      need(wanted.length);
      int k = 0;
      while (k < wanted.length && bytes[next + k] == wanted[k]) {
        k++;
      }
      if (k == wanted.length) {
        next += k;
        atLineEnd = false;
        return;
      }
      next++;
    }
  }

  // Words

  /** Reads an integer: four bytes in binary, a word in text. */
  int integer() throws IOException {
    if (!binary) {
      return fitting(number());
    }
    need(Integer.BYTES);
    int value = numbers.getInt(next);
    next += Integer.BYTES;
    return value;
  }

  /** Reads an integer: eight bytes in binary, a word in text. */
  long number() throws IOException {
    if (binary) {
      need(Long.BYTES);
      long value = numbers.getLong(next);
      next += Long.BYTES;
      return value;
    }
    beginWord();
    int at = next;
    boolean negative = bytes[at] == '-';
    if (negative || bytes[at] == '+') {
      at++;
    }
    int first = at;
    long value = 0;
    while (at < end && isDigit(bytes[at])) {
      value = 10 * value + bytes[at++] - '0';
    }
    if (at == first || !isEndOfWord(at)) {
      throw at("'%s' is no whole number; the file is damaged, save or copy it again", word());
    }
    if (at - first > 18) {
      throw tooLarge(word());
    }
    next = at;
    return negative ? -value : value;
  }

  /**
   * Reads a count of items that take at least this many bytes each: eight bytes in binary, a word
   * in text.
   *
   * <p>Rejects more items than the rest of the file can hold, so that they may be allocated.
   */
  int count(int bytesEach) throws IOException {
    long start = place();
    long count = number();
    if (count < 0) {
      throw at(start, "%d is no count; the file is damaged, save or copy it again", count);
    }
    if (count > left() / bytesEach) {
      throw at(
          start,
          "%d are announced, but the file ends %d bytes later, inside section '%s'; it is truncated"
              + " or damaged, save or copy it again",
          count,
          left(),
          section);
    }
    return fitting(count);
  }

  /** Reads a finite number. */
  double real() throws IOException {
    if (binary) {
      need(Double.BYTES);
      double value = numbers.getDouble(next);
      if (!Double.isFinite(value)) {
        throw notFinite(String.valueOf(value));
      }
      next += Double.BYTES;
      return value;
    }
    beginWord();
    int at = next;
    boolean negative = bytes[at] == '-';
    if (negative || bytes[at] == '+') {
      at++;
    }
    long digits = 0;
    int count = 0;
    int point = -1;
    for (; at < end; at++) {
      if (isDigit(bytes[at])) {
        digits = 10 * digits + bytes[at] - '0';
        count += digits == 0 ? 0 : 1;
      } else if (bytes[at] == '.' && point < 0) {
        point = at + 1;
      } else {
        break;
      }
      if (count > MOST_DIGITS) {
        return parsed(word());
      }
    }
    int power = point < 0 ? 0 : point - at;
    if (at == next || !isEndOfWord(at) || -power >= POWERS_OF_TEN.length) {
      return parsed(word());
    }
    next = at;
    double value = digits / POWERS_OF_TEN[-power];
    return negative ? -value : value;
  }

  private double parsed(String word) {
    try {
      double value = Double.parseDouble(word);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // falls through to the message for numbers that are not finite
    }
    throw notFinite(word);
  }

  private MeshException notFinite(String word) {
    return at("'%s' is no finite number; the file is damaged, save or copy it again", word);
  }

  private int fitting(long number) {
    if (number != (int) number) {
      throw tooLarge(String.valueOf(number));
    }
    return (int) number;
  }

  private MeshException tooLarge(String number) {
    return at("%s is too large for a count or number of this reader; split the mesh", number);
  }

  /** Reads a word of text. */
  String word() throws IOException {
    beginWord();
    int from = next;
    while (next < end && bytes[next] > ' ') {
      next++;
    }
    return new String(bytes, from, next - from, StandardCharsets.ISO_8859_1);
  }

  /** Goes to the first byte of a word, and ensures that the whole word is in the buffer. */
  private void beginWord() throws IOException {
    while (!atLineEnd && has(1) && bytes[next] <= ' ' && bytes[next] >= 0) {
      if (bytes[next] == '\n') {
        break;
      }
      next++;
    }
    if (atLineEnd || next == end || bytes[next] == '\n') {
      throw at("the line is too short; the file is damaged, save or copy it again");
    }
    has(400); // longer than any number; at the end of the file there may be less
  }

  private boolean isEndOfWord(int at) {
    return at == end || bytes[at] <= ' ' && bytes[at] >= 0;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Reads the number 1, from which the byte order of a binary file is detected. */
  void learnByteOrder() throws IOException {
    int one = integer();
    if (one == 1) {
      return;
    }
    if (Integer.reverseBytes(one) != 1) {
      throw at("the number 1, which tells the order of bytes, is %d; save the mesh again", one);
    }
    numbers.order(
        numbers.order() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
  }
}
