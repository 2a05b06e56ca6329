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
 * @param java the path of the java program
 * @param places the path there of each entry of the local class path, in its order
 * @param application the locations of the program's own classes there, as a class path
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
   * Returns the installation on a machine. The program's own classes, which nodes allow, have other
   * paths there. Folders of the class path, whose classes nodes allow as well, are jars there and
   * so are added to {@code application}.
   *
   * @param application the locations of the program's own classes on this machine
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
