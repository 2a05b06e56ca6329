/** Red-black relaxation of a plate, with border rows sent to neighbours in each half iteration. */
@NullMarked
package org.troupe.classics.sor;

import org.jspecify.annotations.NullMarked;
