/**
 * What the machine gives between two processes, with as little in between as Java allows: the
 * limits that everything else is measured against. Written plainly, without authentication, framing
 * or several users of one link; nothing else should use it.
 */
package org.troupe.benchmarks.bare;
