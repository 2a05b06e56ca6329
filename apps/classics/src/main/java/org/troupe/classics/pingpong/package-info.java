/** An array to another node and back. */
package org.troupe.classics.pingpong;
