package org.troupe.descriptors;

/** Where JVMs come from. */
public sealed interface Infrastructure permits Local {

  /** The name by which mappings speak of it, unique in the descriptor. */
  String id();

  /** How each of its JVMs is started. */
  Jvm jvm();

  /** Where the descriptor says so. */
  Place place();
}
