/** How active objects work. Not exported. */
package org.troupe.activeobjects.internal;
