/** Pages for browsers, each from the node that the hash of its address names. */
package org.troupe.classics.webserver;
