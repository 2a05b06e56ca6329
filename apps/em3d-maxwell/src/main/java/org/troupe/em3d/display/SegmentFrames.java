package org.troupe.em3d.display;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.em3d.views.FieldInstant;
import org.troupe.em3d.views.SliceFrame;

/** The frames of one leg, each put together of what its sub-domains have of it. */
final class SegmentFrames {

  private static final int NOBODY = -1;

  private final ViewRequest view;
  private final List<PixelOwnership> claims;
  private final List<int[]> owners = new ArrayList<>(); // ranks, of the pixels of each raster
  private final Map<Place, Filling> begun = new HashMap<>();
  private final double[] haloWaits; // of each rank, as a fraction of its time
  private SliceFrame live; // the last one; null before the first

  private record Place(int raster, FieldInstant moment) {}

  private static final class Filling {
    private final float[] values;
    private int ranks;

    Filling(int size) {
      values = new float[size];
      Arrays.fill(values, Float.NaN);
    }
  }

  SegmentFrames(ViewRequest view, List<PixelOwnership> claims) {
    this.view = view;
    this.claims = claims;
    this.haloWaits = new double[claims.size()];
    for (var k = 0; k < view.rasters().size(); k++) {
      owners.add(owners(k));
    }
  }

  /** A pixel on a border is that of the cell with the lowest number, as within a sub-domain. */
  private int[] owners(int raster) {
    var size = view.rasters().get(raster).size();
    var ranks = new int[size];
    var lowest = new int[size];
    Arrays.fill(ranks, NOBODY);
    Arrays.fill(lowest, Integer.MAX_VALUE);
    for (var rank = 0; rank < claims.size(); rank++) {
      var pixels = claims.get(rank).pixels().get(raster);
      var numbers = claims.get(rank).numbers().get(raster);
      for (var k = 0; k < pixels.length; k++) {
        if (numbers[k] < lowest[pixels[k]]) {
          lowest[pixels[k]] = numbers[k];
          ranks[pixels[k]] = rank;
        }
      }
    }
    return ranks;
  }

  /** Adds the values of a sub-domain; returns the frame when it is whole, else {@code null}. */
  SliceFrame add(int rank, FieldInstant moment, int raster, float[] values) {
    var place = new Place(raster, moment);
    var filling =
        begun.computeIfAbsent(place, key -> new Filling(view.rasters().get(raster).size()));
    var pixels = claims.get(rank).pixels().get(raster);
    var ranks = owners.get(raster);
    for (var k = 0; k < pixels.length; k++) {
      if (ranks[pixels[k]] == rank) {
        filling.values[pixels[k]] = values[k];
      }
    }
    filling.ranks++;
    if (filling.ranks < claims.size()) {
      return null;
    }
    begun.remove(place);
    var whole = new SliceFrame(view.rasters().get(raster), moment, filling.values);
    if (!view.isPicture(raster)) {
      live = whole;
    }
    return whole;
  }

  /** The last frame of the live page; {@code null} before the first. */
  SliceFrame live() {
    return live;
  }

  /** How the live page's raster is divided. */
  FrameAssembler.Parts parts() {
    var last = view.rasters().size() - 1;
    var raster = view.rasters().get(last);
    return new FrameAssembler.Parts(
        raster.width(),
        raster.height(),
        owners.get(last),
        claims.stream().map(PixelOwnership::node).toList());
  }

  /** Of each rank, as a fraction of its time. */
  double[] haloWaits() {
    return haloWaits;
  }

  void pace(int rank, long waitNanos, long loopNanos) {
    haloWaits[rank] = loopNanos == 0 ? 0 : (double) waitNanos / loopNanos;
  }
}
