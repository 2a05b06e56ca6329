/**
 * The steps of protocols at which a test can let a fault happen: end the node, break a link, throw.
 *
 * <p>Each protocol reports the passage of its steps, such as {@code MoveStep}. A test installs what
 * happens there, runs a program once for each passage, and checks what the program still promises.
 * Without a test a passage is one read of a field that never changes. The package knows no
 * protocol.
 */
@NullMarked
package org.troupe.activeobjects.internal.fault;

import org.jspecify.annotations.NullMarked;
