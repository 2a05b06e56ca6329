package org.troupe.activeobjects.internal.listing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** An active object of {@link CycleGrid}. */
final class CycleObject {
  final ObjectName name;
  final HostedCopies copies;
  Set<ObjectName> references = new TreeSet<>(CycleGrid::compare); // in the heap
  List<ObjectName> image = List.of();
  Set<ObjectName> kept = Set.of(); // references beside the image
  boolean isCleared;
  boolean isDecoding;
  final List<ObjectName> queue = new ArrayList<>(); // the arguments of calls

  CycleObject(ObjectName name, HostedCopies copies) {
    this.name = name;
    this.copies = copies;
  }

  Collection<ObjectName> refersTo() {
    return isCleared || isDecoding ? image : references;
  }
}
