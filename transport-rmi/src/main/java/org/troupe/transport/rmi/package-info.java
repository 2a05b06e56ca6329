/** Frames over the JDK's RMI. */
package org.troupe.transport.rmi;
