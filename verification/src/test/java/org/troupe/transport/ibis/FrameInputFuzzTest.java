package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.troupe.activeobjects.transport.Frame;

/** Reading or polling any bytes gives frames, the end of the link or a BadFrameException. */
class FrameInputFuzzTest {

  private static final int BUFFER_BYTES = 1024;
  private static final int BUDGET_BYTES = 64 * 1024;

  @FuzzTest
  void givesFramesOrOneError(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return;
    }
    boolean polls = bytes[0] < 0;
    int pieceBytes = 1 + (bytes[0] & 0x7f);
    var link = new BytesLink(Arrays.copyOfRange(bytes, 1, bytes.length), pieceBytes);
    var budget = new ReceiveBudget(BUDGET_BYTES, 1L << 30);
    var input = new FrameInput(link, BUFFER_BYTES, budget);
    long came = 0;
    try {
      for (Frame last = FrameInput.NO_FRAME; ; ) {
        var next = polls ? polled(link, input) : input.read(last);
        if (next != null) {
          came += next.size();
          last = next;
        }
      }
    } catch (EOFException | BadFrameException expected) {
      // The documented ends.
    }
    assertThat(came).as("bytes in frames").isLessThanOrEqualTo(bytes.length);
    assertThat(budget.reserved()).as("bytes still reserved").isZero();
  }

  private static Frame polled(BytesLink link, FrameInput input) throws IOException {
    Frame frame = null;
    for (int polls = 0; polls < 16 && frame == null && link.awaitReadable(); polls++) {
      frame = input.poll(FrameInput.NO_FRAME);
    }
    input.readAhead();
    return frame == null ? input.read(FrameInput.NO_FRAME) : frame;
  }
}
