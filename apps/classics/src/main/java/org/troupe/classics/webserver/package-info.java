/** A web server that gets each page from the node that the hash of its address selects. */
@NullMarked
package org.troupe.classics.webserver;

import org.jspecify.annotations.NullMarked;
