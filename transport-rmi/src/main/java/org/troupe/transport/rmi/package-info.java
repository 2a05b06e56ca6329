/** Frames over the JDK's RMI. */
@NullMarked
package org.troupe.transport.rmi;

import org.jspecify.annotations.NullMarked;
