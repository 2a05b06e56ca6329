package ibis.compile;

import java.io.IOException;
import java.io.InputStream;

/** Reads classes with a bytecode library. */
public interface ByteCodeWrapper {

  /** Returns what we know of a class for which the library has this object. */
  ClassInfo getInfo(Object classObject);

  /** Reads a class file. */
  ClassInfo parseClassFile(String fileName) throws IOException;

  /**
   * Reads a class, and closes the stream.
   *
   * @param fileName what to call it in messages
   */
  ClassInfo parseInputStream(InputStream in, String fileName) throws IOException;
}
