package org.troupe.deployment.kubernetes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.troupe.deployment.process.Machine.Upload;

/** Writes files as a tar archive, in the ustar format of POSIX.1-1988, which every tar reads. */
final class TarFormat {

  private static final int BLOCK = 512;
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_PREFIX = 155;
  private static final int CHECKSUM = 148;
  private static final int CHECKSUM_LENGTH = 8;
  private static final int PREFIX = 345;
  private static final String MODE = "0000600";

  private TarFormat() {}

  static void write(List<Upload> files, OutputStream out) throws IOException {
    for (var file : files) {
      var size = file.content().isPresent() ? file.content().get().length : Files.size(file.file());
      out.write(header(file.path(), size));
      if (file.content().isPresent()) {
        out.write(file.content().get());
      } else if (Files.copy(file.file(), out) != size) {
        throw new IOException("'" + file.file() + "' was changed while it was copied");
      }
      out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }
    out.write(new byte[2 * BLOCK]);
  }

  private static byte[] header(String path, long size) throws IOException {
    var cut =
        path.length() <= LONGEST_NAME ? 0 : path.indexOf('/', path.length() - LONGEST_NAME - 1);
    var prefix = cut > 0 ? path.substring(0, cut) : "";
    var name = cut > 0 ? path.substring(cut + 1) : path;
    if (bytes(name).length > LONGEST_NAME || bytes(prefix).length > LONGEST_PREFIX) {
      throw new IOException("the name of '" + path + "' is too long for a tar archive; shorten it");
    }
    var header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, MODE);
    put(header, 108, "0000000"); // user
    put(header, 116, "0000000"); // group
    put(header, 124, "%011o".formatted(size));
    put(header, 136, "00000000000"); // time
    put(header, 156, "0"); // an ordinary file
    put(header, 257, "ustar");
    put(header, 263, "00"); // version
    put(header, PREFIX, prefix);
    var sum = CHECKSUM_LENGTH * ' '; // the field itself counts as spaces
    for (var each : header) {
      sum += each & 0xFF;
    }
    put(header, CHECKSUM, "%06o\0 ".formatted(sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    var bytes = bytes(text);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
