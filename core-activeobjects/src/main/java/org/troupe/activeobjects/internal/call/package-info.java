/**
 * What is known of a class by itself: its methods as calls, the kind of each call, the policy of
 * its service; and small tables that the rooms above share.
 *
 * <p>Begin with {@link ActiveType}. This room knows no object, queue or node.
 */
package org.troupe.activeobjects.internal.call;
