/** Typed groups of active objects: one call on many, gathered, reduced, in step. */
package org.troupe.groups;
