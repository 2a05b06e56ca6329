/**
 * Facts and services of the machine: its network interfaces, the identity by which processes
 * recognise that they share a host, Linux system calls for shared memory, and folders for Unix
 * domain sockets. Depends on the values of {@link org.troupe.links} only.
 */
@NullMarked
package org.troupe.links.host;

import org.jspecify.annotations.NullMarked;
