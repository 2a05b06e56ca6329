/** Molecular dynamics of water, with one message per direction for each pair of members. */
@NullMarked
package org.troupe.classics.water;

import org.jspecify.annotations.NullMarked;
