package org.troupe.em3d.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;

/**
 * The words of a mesh file one after the other, be they text or binary, and the place where they
 * stand.
 *
 * <p>The same calls read both kinds: a number is a word of the line in text, and so many bytes in
 * binary; {@link #nextRecord} goes to the next line in text, and does nothing in binary. Names of
 * sections are lines in both.
 */
final class MeshInput implements AutoCloseable {

  /*
   * A large mesh is hundreds of megabytes of numbers, so nothing is made for a line or a word: digits
   * are added up where they lie in the buffer. A number of up to 15 digits and a power of ten up to
   * 22 are exact as doubles, hence their quotient is rounded once, as it should be (W. Clinger, How
   * to read floating point numbers accurately, PLDI 1990). Longer ones are left to the JDK.
   *
   * A buffer, and no mapped file: if someone cuts a mapped file short, the JVM dies of it.
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
  private long before; // bytes of the file that lay in the buffer before
  private long line;
  private boolean atLineEnd = true; // of the line before
  private boolean binaryFile;
  private boolean binary; // what comes now
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

  /** From now on, messages of an early end name this section. */
  void enter(String aSection) {
    section = aSection;
  }

  /** The rest of the line says nothing; what comes behind it is binary. */
  void beginBinary() throws IOException {
    finishLine();
    binaryFile = true;
    binary = true;
  }

  /** What comes next is text, in a binary file too. */
  void beginText() {
    binary = false;
  }

  boolean isBinary() {
    return binary;
  }

  /** How many bytes are left: an upper limit to what can be announced. */
  long left() {
    return length - before - next;
  }

  /** Where the next record begins: its line in text, its first byte in binary. */
  long place() {
    return binaryFile ? before + next : line;
  }

  /** How messages begin that speak of this place. */
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

  /** Makes so many bytes lie in the buffer, if the file has them. */
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

  /** Goes on to the next record. */
  void nextRecord() throws IOException {
    if (!binary) {
      nextLine();
    }
  }

  /** Goes to the start of the next line, over what is left of this one. */
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

  /** The next line that is not empty, without spaces around it; {@code null} at the end. */
  String textLine() throws IOException {
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

  /** What is left of the line; the line is over. */
  String rest() throws IOException {
    StringBuilder text = new StringBuilder();
    while (!atLineEnd && has(1)) {
      byte b = bytes[next++];
      if (b == '\n') {
        atLineEnd = true;
      } else if (text.length() < 1000) { // no line that matters is longer
        text.append((char) (b & 0xff));
      }
    }
    atLineEnd = true;
    return new String(text.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
        .strip();
  }

  /** Skips lines, or the bytes of a section that may be binary, until after this line. */
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

  /** A number of four bytes, or a word. */
  int integer() throws IOException {
    if (!binary) {
      return fitting(number());
    }
    need(Integer.BYTES);
    int value = numbers.getInt(next);
    next += Integer.BYTES;
    return value;
  }

  /** A number of eight bytes, or a word. */
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
   * A count of things that take at least so many bytes each; eight bytes, or a word.
   *
   * <p>More than the rest of the file can hold is refused, so that it may be allocated.
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

  /** A finite number. */
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
      // falls through to the same message as a number that is not finite
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

  /** A word of text. */
  String word() throws IOException {
    beginWord();
    int from = next;
    while (next < end && bytes[next] > ' ') {
      next++;
    }
    return new String(bytes, from, next - from, StandardCharsets.ISO_8859_1);
  }

  /** Goes to the first byte of a word, and sees to it that its last one is in the buffer too. */
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

  /** Reads the 1 with which a binary file tells the order of its bytes. */
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
