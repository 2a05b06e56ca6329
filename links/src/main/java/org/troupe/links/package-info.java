/** Authenticated byte links between processes. */
package org.troupe.links;
