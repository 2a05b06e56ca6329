package org.troupe.descriptors;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings with which a JVM is started, on any machine. Immutable; paths are absolute and maps
 * keep the order of the file.
 *
 * @param id unique in the descriptor; {@code default} for the JVM of an element that names none
 * @param javaHome a folder with {@code bin/java} in it on the machine where the JVM runs; empty for
 *     the Java that deploys, or one like it
 * @param options options of the JVM, one argument each
 * @param classPath entries in front of the class path of the program that deploys, on whose machine
 *     these files are; an entry may end in {@code *}, as on Java's command line
 * @param environment environment variables, in addition to the inherited ones
 * @param properties system properties
 * @param hasSharedFiles whether other machines see the files of the class path under the same
 *     paths, so that nothing is copied to them
 * @param place the position of the element
 */
public record Jvm(
    String id,
    Optional<Path> javaHome,
    List<String> options,
    List<Path> classPath,
    Map<String, String> environment,
    Map<String, String> properties,
    boolean hasSharedFiles,
    SourcePosition place) {

  /** Copies the lists and maps. */
  public Jvm {
    options = List.copyOf(options);
    classPath = List.copyOf(classPath);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
  }

  /**
   * Returns the settings for an element that names none: the Java that deploys, without options.
   */
  public static Jvm undescribed(SourcePosition place) {
    return new Jvm(
        "default", Optional.empty(), List.of(), List.of(), Map.of(), Map.of(), false, place);
  }
}
