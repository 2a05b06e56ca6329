/**
 * Views of the fields while a run goes on: slices and VTK pieces.
 *
 * <p>Each sub-domain has a {@link org.troupe.em3d.display.SubDomainView}, which sends pixels and
 * VTK pieces to one {@link org.troupe.em3d.display.FrameAssembler}, an active object beside the
 * collector. The assembler joins them into frames ({@link org.troupe.em3d.display.SegmentFrames})
 * and publishes a step when all sub-domains have sent theirs. Read {@code FrameAssembler} first.
 * This package must not know the solver's active objects.
 */
@NullMarked
package org.troupe.em3d.display;

import org.jspecify.annotations.NullMarked;
