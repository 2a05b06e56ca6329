package org.troupe.em3d.views;

/**
 * A slice at a moment.
 *
 * @param values of the pixels, in the slice's unit; NaN where no cell is
 */
public record SliceFrame(SliceRaster raster, FieldInstant moment, float[] values) {

  /** What is shown. */
  public FieldSlice slice() {
    return raster.slice();
  }

  /** The largest absolute value; 0 if there is none. */
  public float largest() {
    float largest = 0;
    for (float value : values) {
      if (Math.abs(value) > largest) {
        largest = Math.abs(value);
      }
    }
    return largest;
  }
}
