package org.troupe.transport.rmi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.spi.Frame;

/** The form in which frames are arguments and results of RMI. */
final class Packed {

  /*
   * A small frame is a string with a character for each byte, because RMI announces the class of an array with every
   * call, and the receiver looks for its loader: a null call with two small arrays there and back took 22.3 us where a
   * bare one took 18.5, with strings 19.9. Strings suffer from modified UTF-8, so large frames are arrays of bytes: the
   * header, the body, a letter for each of the frame's arrays, and those.
   */
  private static final int LARGEST_STRING = 512;

  private static final int LENGTH_BYTES = 2;

  /** The types of arrays, by place: the number is the letter. */
  private static final List<ValueLayout> LAYOUTS =
      List.of(
          ValueLayout.JAVA_BYTE,
          wire(ValueLayout.JAVA_SHORT_UNALIGNED),
          wire(ValueLayout.JAVA_CHAR_UNALIGNED),
          wire(ValueLayout.JAVA_INT_UNALIGNED),
          wire(ValueLayout.JAVA_LONG_UNALIGNED),
          wire(ValueLayout.JAVA_FLOAT_UNALIGNED),
          wire(ValueLayout.JAVA_DOUBLE_UNALIGNED));

  private static final byte[] NONE = {};

  private Packed() {}

  private static ValueLayout wire(ValueLayout layout) {
    return layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns a string or a {@code byte[][]}; {@code null} for {@code null}. */
  static Object pack(Frame frame) {
    if (frame == null) {
      return null;
    }
    byte[] header = frame.header();
    byte[] body = frame.body();
    if (frame.size() > LARGEST_STRING || !frame.arrays().isEmpty()) {
      return pack(List.of(frame));
    }
    byte[] all = new byte[LENGTH_BYTES + header.length + body.length];
    all[0] = (byte) (header.length >> 8);
    all[1] = (byte) header.length;
    System.arraycopy(header, 0, all, LENGTH_BYTES, header.length);
    System.arraycopy(body, 0, all, LENGTH_BYTES + header.length, body.length);
    return new String(all, ISO_8859_1);
  }

  /** Returns the frame that was packed. */
  static Frame unpack(Object packed) {
    return switch (packed) {
      case null -> null;
      case String small -> {
        int bodyStart = LENGTH_BYTES + (small.charAt(0) << 8) + small.charAt(1);
        yield new Frame(
            small.substring(LENGTH_BYTES, bodyStart).getBytes(ISO_8859_1),
            small.substring(bodyStart).getBytes(ISO_8859_1));
      }
      case byte[][] large -> unpackAll(large).getFirst();
      default -> throw new ClassCastException(packed.getClass() + " is no packed frame");
    };
  }

  /** Returns the parts of frames, one frame after the other. */
  static byte[][] pack(List<Frame> frames) {
    var parts = new ArrayList<byte[]>(3 * frames.size());
    for (Frame frame : frames) {
      parts.add(frame.header());
      parts.add(frame.body());
      var arrays = frame.withWholeArrays().arrays();
      if (arrays.isEmpty()) {
        parts.add(NONE);
        continue;
      }
      var letters = new byte[arrays.size()];
      parts.add(letters);
      for (int i = 0; i < letters.length; i++) {
        Object array = arrays.get(i);
        letters[i] = letter(array.getClass().componentType());
        parts.add(bytes(array, LAYOUTS.get(letters[i])));
      }
    }
    return parts.toArray(byte[][]::new);
  }

  private static byte letter(Class<?> component) {
    for (byte letter = 0; letter < LAYOUTS.size(); letter++) {
      if (LAYOUTS.get(letter).carrier() == component) {
        return letter;
      }
    }
    throw new IllegalArgumentException("an array of " + component + " in a frame");
  }

  private static byte[] bytes(Object array, ValueLayout layout) {
    int length = Array.getLength(array);
    var bytes = new byte[Math.toIntExact(length * layout.byteSize())];
    MemorySegment.copy(array, 0, MemorySegment.ofArray(bytes), layout, 0, length);
    return bytes;
  }

  private static Object array(byte[] bytes, ValueLayout layout) {
    int length = (int) (bytes.length / layout.byteSize());
    Object array = Array.newInstance(layout.carrier(), length);
    MemorySegment.copy(MemorySegment.ofArray(bytes), layout, 0, array, 0, length);
    return array;
  }

  /** Returns the frames whose parts these are. */
  static List<Frame> unpackAll(byte[][] parts) {
    var frames = new ArrayList<Frame>();
    for (int i = 0; i < parts.length; ) {
      byte[] header = parts[i++];
      byte[] body = parts[i++];
      byte[] letters = parts[i++];
      if (letters.length == 0) {
        frames.add(new Frame(header, body));
        continue;
      }
      var arrays = new ArrayList<>();
      for (byte letter : letters) {
        arrays.add(array(parts[i++], LAYOUTS.get(letter)));
      }
      frames.add(new Frame(header, body, arrays));
    }
    return frames;
  }
}
