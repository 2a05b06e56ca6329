package org.troupe.em3d.views;

/**
 * The values of a slice at an instant.
 *
 * @param values values of the pixels in the slice's unit; NaN outside the mesh
 */
public record SliceFrame(SliceRaster raster, FieldInstant moment, float[] values) {

  /** Returns the slice. */
  public FieldSlice slice() {
    return raster.slice();
  }

  /** Returns the largest absolute value; 0 if there is none. */
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
