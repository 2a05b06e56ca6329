package ibis.compile;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Adds to changed classes the stack maps that the verifier requires since Java 7, and that
 * compilers with an older bytecode library leave out.
 */
final class StackMaps {

  /** The offset of the version in class files. */
  private static final int MAJOR_VERSION = 6;

  private static final byte[] NAME = constant("StackMapTable");
  private static final byte[] OTHER_NAME = constant("StackMapsGone");

  private final ClassFile classFile;

  /**
   * Creates a rewriter of stack maps.
   *
   * @param processed returns the bytes of a class that is processed, or {@code null}
   * @param loader finds the other classes
   */
  StackMaps(Function<String, byte[]> processed, ClassLoader loader) {
    ClassHierarchyResolver resolver =
        ClassHierarchyResolver.ofResourceParsing(type -> open(type, processed, loader))
            .orElse(ClassHierarchyResolver.defaultResolver())
            .cached();
    classFile =
        ClassFile.of(
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.AttributesProcessingOption.DROP_UNKNOWN_ATTRIBUTES,
            ClassFile.ClassHierarchyResolverOption.of(resolver));
  }

  private static InputStream open(
      ClassDesc type, Function<String, byte[]> processed, ClassLoader loader) {
    String descriptor = type.descriptorString();
    String path = descriptor.substring(1, descriptor.length() - 1);
    byte[] bytes = processed.apply(path.replace('/', '.'));
    return bytes != null
        ? new ByteArrayInputStream(bytes)
        : loader.getResourceAsStream(path + ".class");
  }

  /**
   * Tries the verifier.
   *
   * @throws IllegalStateException if the class does not pass
   */
  void verify(byte[] bytes, String className) {
    List<VerifyError> errors = classFile.verify(bytes);
    if (!errors.isEmpty()) {
      throw new IllegalStateException(
          "class '"
              + className
              + "' was changed, and does not pass the verifier; nothing more is written: "
              + errors.getFirst().getMessage());
    }
  }

  /** Gives the attribute another name: stack maps of the unchanged code are wrong by now. */
  private static byte[] withoutStackMaps(byte[] bytes) {
    int at = indexOf(NAME, bytes);
    if (at < 0) {
      return bytes;
    }
    byte[] copy = bytes.clone();
    System.arraycopy(OTHER_NAME, 0, copy, at, OTHER_NAME.length);
    return copy;
  }

  private static byte[] constant(String name) {
    byte[] text = name.getBytes(US_ASCII);
    return ByteBuffer.allocate(3 + text.length)
        .put((byte) 1) // a constant of UTF-8
        .putShort((short) text.length)
        .put(text)
        .array();
  }

  private static int indexOf(byte[] part, byte[] whole) {
    for (int at = 0; at + part.length <= whole.length; at++) {
      if (Arrays.equals(part, 0, part.length, whole, at, at + part.length)) {
        return at;
      }
    }
    return -1;
  }

  /** In classes of old versions, jumps are looked for in the code, if there are no stack maps. */
  private static byte[] withVersion(int version, byte[] bytes) {
    ByteBuffer copy = ByteBuffer.allocate(bytes.length).put(bytes);
    copy.putShort(MAJOR_VERSION, (short) version);
    return copy.array();
  }

  /**
   * Returns a class with its stack maps.
   *
   * @throws IllegalStateException if its code is wrong, or refers to classes that are not there
   */
  byte[] complete(byte[] bytes, String className) {
    try {
      int version = ByteBuffer.wrap(bytes).getShort(MAJOR_VERSION);
      if (version < ClassFile.JAVA_7_VERSION) {
        return bytes; // the verifier does without
      }
      ClassModel model =
          classFile.parse(withVersion(ClassFile.JAVA_6_VERSION, withoutStackMaps(bytes)));
      return withVersion(
          version,
          classFile.transformClass(
              model, ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "class '"
              + className
              + "' was changed, and cannot be completed for the verifier: "
              + e.getMessage(),
          e);
    }
  }
}
