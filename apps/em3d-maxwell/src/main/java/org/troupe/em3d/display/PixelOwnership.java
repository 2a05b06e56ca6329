package org.troupe.em3d.display;

import java.util.List;

/**
 * The pixels of a view's rasters that lie in a sub-domain.
 *
 * @param node the name of the sub-domain's node
 * @param pixels the pixels of each raster, in the order in which their values are sent
 * @param numbers for each of these pixels, the global number of its cell
 */
public record PixelOwnership(String node, List<int[]> pixels, List<int[]> numbers) {}
