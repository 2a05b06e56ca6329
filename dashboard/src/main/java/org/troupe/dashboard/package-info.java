/**
 * The page that shows the runs of a user on this machine. Read {@link
 * org.troupe.dashboard.Dashboard} first: a server that answers the page, and asks programs over
 * their control sockets.
 *
 * <p>{@code RunCatalog} finds the runs. The page itself consists of the files in the folder {@code
 * page} of the resources, which need no build; {@code docs/observe.md} has the requests that it
 * makes. The package does not run within a node, and a program has it only when asked.
 */
@NullMarked
package org.troupe.dashboard;

import org.jspecify.annotations.NullMarked;
