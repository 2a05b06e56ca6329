package ibis.ipl.util.messagecombining;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The format of combined messages: byte arrays, each preceded by its length in four bytes. */
final class PartPacking {

  private PartPacking() {}

  static byte[] number(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  static int number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  static byte[] pack(List<byte[]> parts) {
    ByteBuffer all =
        ByteBuffer.allocate(
            parts.stream().mapToInt(part -> Integer.BYTES + part.length).reduce(0, Math::addExact));
    parts.forEach(part -> all.putInt(part.length).put(part));
    return all.array();
  }

  static List<byte[]> unpack(byte[] packed) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(packed);
    var parts = new ArrayList<byte[]>();
    while (all.hasRemaining()) {
      int length = all.remaining() < Integer.BYTES ? -1 : all.getInt();
      if (length < 0 || length > all.remaining()) {
        throw new IOException("malformed message: no MessageCombiner has created it");
      }
      byte[] part = new byte[length];
      all.get(part);
      parts.add(part);
    }
    return parts;
  }
}
