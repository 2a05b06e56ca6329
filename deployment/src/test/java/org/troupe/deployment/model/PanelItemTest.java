package org.troupe.deployment.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.model.PanelItem.Axis;
import org.troupe.deployment.model.PanelItem.Curve;
import org.troupe.deployment.model.PanelItem.Picture;

class PanelItemTest {

  private static final Axis AXIS = new Axis("t", "s");

  private static short[] pixels(Picture picture) {
    var bytes = Base64.getDecoder().decode(picture.pixels());
    var pixels = new short[bytes.length / Short.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().get(pixels);
    return pixels;
  }

  @Test
  void aPictureScalesItsNumbersByTheLargest() {
    var values = new float[] {-4, 2, 0, Float.NaN, Float.POSITIVE_INFINITY, 4};

    var picture = Picture.of("plate", "", "K", 3, 2, values);

    assertThat(picture.largest()).isEqualTo(4);
    assertThat(pixels(picture)).containsExactly(-32_767, 16_384, 0, -32_768, -32_768, 32_767);
    assertThat(pixels(Picture.of("cold", "", "K", 1, 1, new float[] {0}))).containsExactly(0);
  }

  @Test
  void aPictureOfPartsNamesThem() {
    var picture = Picture.ofParts("parts", "", 3, 1, new int[] {1, -1, 0}, List.of("a", "b"));

    assertThat(pixels(picture)).containsExactly(1, -32_768, 0);
    assertThatThrownBy(() -> Picture.ofParts("parts", "", 1, 1, new int[] {2}, List.of("a")))
        .hasMessage("the picture 'parts' has a part 2, and only 1 labels");
  }

  @Test
  void aPictureHasANumberForEachPixel() {
    assertThatThrownBy(() -> Picture.of("plate", "", "K", 2, 2, new float[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'plate' of 2 x 2 has 3 values");
    assertThatThrownBy(() -> Picture.of("plate", "", "K", 1 << 16, 1 << 16, new float[0]))
        .hasMessageContaining("of 65,536 at most");
  }

  @Test
  void aCurveHasAsManyXAsYInAscendingOrder() {
    assertThat(new Curve("c", AXIS, AXIS, List.of(), List.of()).xs()).isEmpty();
    assertThatThrownBy(() -> new Curve("c", AXIS, AXIS, List.of(1.0, 2.0), List.of(1.0)))
        .hasMessageContaining("the curve 'c' has 2 x and 1 y");
    assertThatThrownBy(() -> new Curve("c", AXIS, AXIS, List.of(1.0, 1.0), List.of(1.0, 2.0)))
        .hasMessage("the curve 'c' goes from x = 1.0 to 1.0; give the points in ascending order");
  }
}
