/**
 * Barnes-Hut: gravity between bodies, distant ones combined; members send the data that others need
 * in advance.
 */
package org.troupe.classics.barneshut;
