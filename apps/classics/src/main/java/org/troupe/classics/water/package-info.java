/** Molecules of water that attract each other, with one message for each pair of members. */
package org.troupe.classics.water;
