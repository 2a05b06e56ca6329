/** A matrix factored by blocks, each flushed to those that need it. */
package org.troupe.classics.lu;
