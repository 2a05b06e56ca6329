package org.troupe.em3d.display;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.SliceFrame;

/** The frames of one run segment, each assembled from the pixels of its sub-domains. */
final class SegmentFrames {

  private static final int NOBODY = -1;

  private final ViewRequest view;
  private final List<PixelOwnership> ownerships;
  private final List<int[]> owners = new ArrayList<>(); // for each raster, the rank at each pixel
  private final Map<Place, Filling> begun = new HashMap<>();
  private final double[] haloWaits; // by rank, as a fraction of the time loop
  private @Nullable SliceFrame live; // the last frame; null before the first

  private record Place(int raster, FieldInstant moment) {}

  private static final class Filling {
    private final float[] values;
    private int ranks;

    Filling(int size) {
      values = new float[size];
      Arrays.fill(values, Float.NaN);
    }
  }

  SegmentFrames(ViewRequest view, List<PixelOwnership> ownerships) {
    this.view = view;
    this.ownerships = ownerships;
    this.haloWaits = new double[ownerships.size()];
    for (var k = 0; k < view.rasters().size(); k++) {
      owners.add(owners(k));
    }
  }

  /** Assigns a pixel on a border to the cell with the lowest number, as within a sub-domain. */
  private int[] owners(int raster) {
    var size = view.rasters().get(raster).size();
    var ranks = new int[size];
    var lowest = new int[size];
    Arrays.fill(ranks, NOBODY);
    Arrays.fill(lowest, Integer.MAX_VALUE);
    for (var rank = 0; rank < ownerships.size(); rank++) {
      var pixels = ownerships.get(rank).pixels().get(raster);
      var numbers = ownerships.get(rank).numbers().get(raster);
      for (var k = 0; k < pixels.length; k++) {
        if (numbers[k] < lowest[pixels[k]]) {
          lowest[pixels[k]] = numbers[k];
          ranks[pixels[k]] = rank;
        }
      }
    }
    return ranks;
  }

  /** Adds the pixels of a sub-domain; returns the frame if it is complete. */
  Optional<SliceFrame> add(int rank, FieldInstant moment, int raster, float[] values) {
    var place = new Place(raster, moment);
    var filling =
        begun.computeIfAbsent(place, key -> new Filling(view.rasters().get(raster).size()));
    var pixels = ownerships.get(rank).pixels().get(raster);
    var ranks = owners.get(raster);
    for (var k = 0; k < pixels.length; k++) {
      if (ranks[pixels[k]] == rank) {
        filling.values[pixels[k]] = values[k];
      }
    }
    filling.ranks++;
    if (filling.ranks < ownerships.size()) {
      return Optional.empty();
    }
    begun.remove(place);
    var whole = new SliceFrame(view.rasters().get(raster), moment, filling.values);
    if (!view.isPicture(raster)) {
      live = whole;
    }
    return Optional.of(whole);
  }

  /** Returns the last frame of the panel; {@code null} before the first. */
  @Nullable SliceFrame live() {
    return live;
  }

  /** Returns the division of the panel's raster. */
  FrameAssembler.Parts parts() {
    var last = view.rasters().size() - 1;
    var raster = view.rasters().get(last);
    return new FrameAssembler.Parts(
        raster.width(),
        raster.height(),
        owners.get(last),
        ownerships.stream().map(PixelOwnership::node).toList(),
        haloWaits);
  }

  void pace(int rank, long waitNanos, long loopNanos) {
    haloWaits[rank] = loopNanos == 0 ? 0 : (double) waitNanos / loopNanos;
  }
}
