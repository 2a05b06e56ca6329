/** The solver of Maxwell's equations. */
package org.troupe.em3d;
