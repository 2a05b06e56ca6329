/** What transports implement, and what starts nodes. Programs do not use this package. */
package org.troupe.activeobjects.spi;
