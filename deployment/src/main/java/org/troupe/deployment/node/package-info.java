/**
 * The programs that run on nodes and front ends, and the settings that the launcher passes to them.
 * Read {@link org.troupe.deployment.node.NodeMain} first. Classes here load none of the launcher's
 * libraries, and none of its other packages, since their start-up time is that of every node.
 */
@NullMarked
package org.troupe.deployment.node;

import org.jspecify.annotations.NullMarked;
