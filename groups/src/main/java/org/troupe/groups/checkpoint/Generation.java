package org.troupe.groups.checkpoint;

import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.ObjectImages;

/**
 * The images of all members of a group that were made together.
 *
 * @param type the name of the members' class or interface, as {@link #typeInNames} returns it
 * @param series identifies the group, and the groups that were restored from it
 * @param number increases from checkpoint to checkpoint
 * @param members the number of members
 */
public record Generation(String type, Key series, long number, int members) {

  private static final int LONGEST_TYPE = 120; // of the 200 characters of a name
  private static final Pattern NAME =
      Pattern.compile(
          ObjectImages.NAME_PREFIX
              + "([^-]+)-([0-9a-f]{16})-([0-9]{1,18})-([0-9]{1,18})-([0-9]{1,9})-([0-9]{1,9})");

  /**
   * An image of a generation.
   *
   * @param name its name in the store
   */
  record Image(String name, Generation generation, int rank) {}

  /** Returns a type as it stands in names, which may have few characters. */
  public static String typeInNames(String type) {
    var simple = type.replaceAll("[^A-Za-z0-9._]", "_");
    return simple.substring(Math.max(0, simple.length() - LONGEST_TYPE));
  }

  /** Returns the name of a member's image. */
  public String image(int rank) {
    return "%s%s-%016x-%d-%d-%d-%d"
        .formatted(
            ObjectImages.NAME_PREFIX,
            type,
            series.origin(),
            series.number(),
            number,
            rank,
            members);
  }

  /** Returns the image of a name; empty if it is the name of something else. */
  static Optional<Image> parse(String name) {
    var parts = NAME.matcher(name);
    if (!parts.matches()) {
      return Optional.empty();
    }
    var series =
        new Key(Long.parseUnsignedLong(parts.group(2), 16), Long.parseLong(parts.group(3)));
    var generation =
        new Generation(
            parts.group(1),
            series,
            Long.parseLong(parts.group(4)),
            Integer.parseInt(parts.group(6)));
    return Optional.of(new Image(name, generation, Integer.parseInt(parts.group(5))));
  }
}
