package org.troupe.groups.checkpoint;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The images of groups of one type in a store, by their names. */
public final class StoredGenerations {

  /** No image. */
  public static final StoredGenerations NONE = new StoredGenerations(List.of());

  private final List<Generation.Image> images;

  private StoredGenerations(List<Generation.Image> images) {
    this.images = images;
  }

  /**
   * Finds the images of a type.
   *
   * @param type the name of the members' class or interface
   */
  public static StoredGenerations of(String type, Collection<String> names) {
    var wanted = Generation.typeInNames(type);
    return new StoredGenerations(
        names.stream()
            .map(Generation::parse)
            .flatMap(Optional::stream)
            .filter(each -> each.generation().type().equals(wanted))
            .toList());
  }

  /**
   * Returns the generations with a name for each member, the newest first. An image of which only
   * the name exists is not stable.
   */
  public List<Generation> complete() {
    Map<Generation, BitSet> ranks = new HashMap<>();
    for (var each : images) {
      if (each.rank() < each.generation().members()) {
        ranks.computeIfAbsent(each.generation(), _ -> new BitSet()).set(each.rank());
      }
    }
    return ranks.entrySet().stream()
        .filter(each -> each.getValue().cardinality() == each.getKey().members())
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparingLong(Generation::number).reversed())
        .toList();
  }

  /** Returns which images the newest generation lacks that is not complete; empty if all are. */
  public Optional<String> lacking() {
    Map<Generation, BitSet> ranks = new HashMap<>();
    for (var each : images) {
      ranks.computeIfAbsent(each.generation(), _ -> new BitSet()).set(each.rank());
    }
    return ranks.entrySet().stream()
        .filter(each -> each.getValue().cardinality() < each.getKey().members())
        .max(Comparator.comparingLong(each -> each.getKey().number()))
        .map(
            each -> {
              var missing = new BitSet();
              missing.set(0, each.getKey().members());
              missing.andNot(each.getValue());
              return "generation %d has images of %d of its %d members, and none of member %s"
                  .formatted(
                      each.getKey().number(),
                      each.getValue().cardinality(),
                      each.getKey().members(),
                      missing.stream()
                          .mapToObj(Integer::toString)
                          .collect(Collectors.joining(", ")));
            });
  }

  /** Returns the highest number of a generation, complete or not; 0 if there is none. */
  public long last() {
    return images.stream().mapToLong(each -> each.generation().number()).max().orElse(0);
  }

  /** Returns the names of the images of all generations before one. */
  public List<String> before(Generation newer) {
    return images.stream()
        .filter(each -> each.generation().number() < newer.number())
        .map(Generation.Image::name)
        .toList();
  }
}
