package org.troupe.em3d.display;

import java.util.List;

/**
 * What a sub-domain has of the rasters of a view.
 *
 * @param node the name of its node
 * @param pixels for each raster, in the order in which their values come
 * @param numbers for each of these pixels, the number of its cell in the whole mesh
 */
public record PixelOwnership(String node, List<int[]> pixels, List<int[]> numbers) {}
