package org.troupe.tasks.nodes;

import org.troupe.activeobjects.NodeId;

/**
 * A node that takes part.
 *
 * @param number its number in this set of tasks; 0 for the program
 * @param cluster the name of its cluster
 * @param host the active object by which it is found
 */
record TaskMember(int number, NodeId node, String cluster, TaskHost host) {}
