package org.troupe.descriptors;

/** A source of JVMs. */
public sealed interface Infrastructure permits LocalJvms, SshJvms, BatchJvms {

  /** The name by which mappings speak of it, unique in the descriptor. */
  String id();

  /** How each of its JVMs is started. */
  Jvm jvm();

  /** What its nodes have in common with others. */
  Cluster cluster();

  /** Where the descriptor says so. */
  SourcePosition place();
}
