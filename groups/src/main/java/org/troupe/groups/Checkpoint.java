package org.troupe.groups;

import org.troupe.activeobjects.Store;

/**
 * A checkpoint of a group in step, from which {@link Groups.Creation#restore} makes the group
 * again. Immutable; may be shared between threads, and may travel.
 *
 * @param store where the images of the members are
 * @param type the name of the class or interface by which the members are called
 * @param members the number of members
 * @param generation the number of this checkpoint among those of the group and of the groups that
 *     were restored from it, which increases
 */
public record Checkpoint(Store store, String type, int members, long generation) {}
