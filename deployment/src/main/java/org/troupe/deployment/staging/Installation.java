package org.troupe.deployment.staging;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The paths on a machine that the command of a node needs. Immutable.
 *
 * @param java the program
 * @param places where each entry of the class path here is there, in its order
 * @param application where the program's own classes are there, as in a class path
 */
public record Installation(String java, Map<Path, String> places, String application) {

  /** Copies the map. */
  public Installation {
    places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
  }

  public List<String> classPath() {
    return List.copyOf(places.values());
  }

  /**
   * Returns what a machine has to start nodes with. The program's own classes, which nodes let in,
   * are there in other places; and what is in folders of the class path here, and so let in
   * unnamed, is in jars there.
   *
   * @param application where the program's own classes are here
   */
  static Installation of(String java, Map<Path, String> places, String application) {
    var there =
        Stream.concat(
                Stream.of(application.split(File.pathSeparator))
                    .filter(place -> !place.isEmpty())
                    .map(place -> Optional.ofNullable(places.get(Path.of(place))).orElse(place)),
                places.entrySet().stream()
                    .filter(place -> Files.isDirectory(place.getKey()))
                    .map(Map.Entry::getValue))
            .distinct()
            .collect(joining(":"));
    return new Installation(java, places, there);
  }
}
