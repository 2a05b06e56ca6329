/** An array from each node to each other one, by two algorithms. */
package org.troupe.classics.alltoall;
