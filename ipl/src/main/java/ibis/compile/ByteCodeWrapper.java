package ibis.compile;

import java.io.IOException;
import java.io.InputStream;

/** Reads classes with a bytecode library. */
public interface ByteCodeWrapper {

  /** Returns the description of a class that the library represents by this object. */
  ClassInfo getInfo(Object classObject);

  /** Reads a class file. */
  ClassInfo parseClassFile(String fileName) throws IOException;

  /**
   * Reads a class, and closes the stream.
   *
   * @param fileName the name in messages
   */
  ClassInfo parseInputStream(InputStream in, String fileName) throws IOException;
}
