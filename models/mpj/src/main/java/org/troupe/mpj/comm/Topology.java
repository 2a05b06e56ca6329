package org.troupe.mpj.comm;

/** An arrangement of the ranks of a communicator. */
public sealed interface Topology permits CartesianTopology, GraphTopology {}
