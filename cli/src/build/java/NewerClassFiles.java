import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Gives the class files of a jar that are older than Java 6 the version of Java 8, and the stack
 * maps that this version needs: the JDK puts no class without stack maps into an AOT cache.
 * Everything else in the jar stays as it is, so the same jar always becomes the same bytes.
 */
final class NewerClassFiles {

  private static final int JAVA_6 = 50;
  private static final int JAVA_8 = 52;

  private NewerClassFiles() {}

  static void main(String[] arguments) throws IOException {
    var file = Path.of(arguments[0]);
    var written = file.resolveSibling(file.getFileName() + ".part");
    try (var jar = new JarFile(file.toFile());
        var out = new JarOutputStream(Files.newOutputStream(written));
        var own = new URLClassLoader(new URL[] {file.toUri().toURL()}, null)) {
      // Stack maps name common superclasses, which are in the jar or in the JDK.
      var hierarchy =
          ClassHierarchyResolver.ofClassLoading(own)
              .orElse(ClassHierarchyResolver.defaultResolver());
      var classFile =
          ClassFile.of(
              ClassHierarchyResolverOption.of(hierarchy), ConstantPoolSharingOption.NEW_POOL);
      for (var entry : jar.stream().toList()) {
        var bytes = jar.getInputStream(entry).readAllBytes();
        var copy = new JarEntry(entry.getName());
        copy.setTime(entry.getTime());
        out.putNextEntry(copy);
        out.write(entry.getName().endsWith(".class") ? newer(classFile, bytes) : bytes);
        out.closeEntry();
      }
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(written);
      throw e;
    }
    Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] newer(ClassFile classFile, byte[] bytes) {
    var model = classFile.parse(bytes);
    if (model.majorVersion() >= JAVA_6) {
      return bytes;
    }
    // A code that is passed through a transformation is written anew, with stack maps.
    var codes = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(JAVA_8, 0);
          } else {
            builder.with(element);
          }
        };
    return classFile.transformClass(model, version.andThen(codes));
  }
}
