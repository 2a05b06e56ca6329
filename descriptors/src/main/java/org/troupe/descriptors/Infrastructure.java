package org.troupe.descriptors;

/** A source of JVMs. */
public sealed interface Infrastructure permits LocalJvms, SshJvms, BatchJvms, KubernetesJvms {

  /** Returns its id, which mappings name and which is unique in the descriptor. */
  String id();

  /** Returns the JVM settings. */
  Jvm jvm();

  /** Returns the cluster of its nodes. */
  Cluster cluster();

  /** Returns the position of the element. */
  SourcePosition place();
}
