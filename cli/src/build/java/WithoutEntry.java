import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Removes an entry from a jar: {@code WithoutEntry JAR ENTRY}. Everything else in the jar stays as
 * it is, so the same jar always becomes the same bytes.
 */
final class WithoutEntry {

  private WithoutEntry() {}

  static void main(String[] arguments) throws IOException {
    var file = Path.of(arguments[0]);
    var written = file.resolveSibling(file.getFileName() + ".part");
    try (var jar = new JarFile(file.toFile());
        var out = new JarOutputStream(Files.newOutputStream(written))) {
      for (var entry : jar.stream().toList()) {
        if (!entry.getName().equals(arguments[1])) {
          var copy = new JarEntry(entry.getName());
          copy.setTime(entry.getTime());
          out.putNextEntry(copy);
          jar.getInputStream(entry).transferTo(out);
          out.closeEntry();
        }
      }
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(written);
      throw e;
    }
    Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
