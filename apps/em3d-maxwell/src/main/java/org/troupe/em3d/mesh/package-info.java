/**
 * Tetrahedral meshes: where they come from, how they are cut into sub-domains, what a sub-domain
 * sees.
 */
package org.troupe.em3d.mesh;
