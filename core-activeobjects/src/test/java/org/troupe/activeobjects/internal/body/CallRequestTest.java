package org.troupe.activeobjects.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.RemoteFailure;

class CallRequestTest {

  /** Cannot describe a failure the first time, as if it lacked memory. */
  private static final class Answers implements ReplyTo {
    final List<Throwable> failures = new ArrayList<>();
    boolean isSecond;

    @Override
    public void returned(@Nullable Object value) {}

    @Override
    public void threw(Throwable cause) {
      if (!isSecond) {
        isSecond = true;
        throw new NoClassDefFoundError("missing");
      }
      failures.add(cause);
    }
  }

  @Test
  void isAnsweredAlthoughItsFailureCannotBeEncoded() {
    var answers = new Answers();
    new CallRequest(null, new Object[0], null, answers, null, null).drop(null);
    assertThat(answers.failures)
        .singleElement()
        .isInstanceOf(RemoteFailure.class)
        .asString()
        .contains("RequestDroppedException", "NoClassDefFoundError");
  }
}
