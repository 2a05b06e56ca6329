package org.troupe.testing;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs a program whose classes are in a folder outside the class path. A JVM that records for an
 * AOT cache accepts no folder of classes there.
 */
public final class FolderProgram {

  private FolderProgram() {}

  /**
   * Runs the program.
   *
   * @param arguments the folder, the name of the program's class, and its arguments
   */
  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]).toUri().toURL();
    try (var loader = new URLClassLoader(new URL[] {folder})) {
      Thread.currentThread().setContextClassLoader(loader);
      loader
          .loadClass(arguments[1])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
    }
  }
}
