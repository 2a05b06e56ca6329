/** All shortest paths of a graph, with a row of the table to all members in each iteration. */
package org.troupe.classics.asp;
