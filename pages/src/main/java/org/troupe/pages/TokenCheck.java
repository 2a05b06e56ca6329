package org.troupe.pages;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a site, and the count of wrong ones. Thread-safe.
 *
 * <p>After too many wrong tokens, others have their own verdict for a minute. The right ones are
 * always taken: otherwise any user of the machine could lock the owner out by ten requests a
 * minute, and 128 bits cannot be guessed at any rate.
 */
final class TokenCheck {

  private static final int TOKEN_BYTES = 16; // 128 bits
  private static final int MOST_WRONG = 10; // within a minute
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final String SCHEME = "Bearer ";

  private final LongSupplier nanos;
  private final String look = random();
  private final @Nullable String act; // null if there are no actions

  // guarded by this
  private int wrong;
  private long firstWrong;
  private boolean isClosed;

  /** What a header allows. */
  enum Verdict {
    NONE,
    WRONG,
    CLOSED,
    LOOK,
    ACT
  }

  TokenCheck(boolean isReadOnly, LongSupplier nanos) {
    this.nanos = nanos;
    this.act = isReadOnly ? null : random();
  }

  private static String random() {
    var random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Returns the fragment of the site's address, which no server or proxy sees. */
  String fragment() {
    return "#token=" + look + (act == null ? "" : "&act=" + act);
  }

  /** Returns what the headers {@code Authorization} of a request allow. */
  Verdict check(List<String> headers) {
    if (headers.isEmpty()) {
      return Verdict.NONE;
    }
    var given = headers.getFirst();
    var isBearer = given.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    var token = isBearer && headers.size() == 1 ? given.substring(SCHEME.length()).strip() : "";
    if (isSame(token, act)) {
      return Verdict.ACT;
    }
    if (isSame(token, look)) {
      return Verdict.LOOK;
    }
    if (isClosed()) {
      return Verdict.CLOSED;
    }
    countWrong();
    return Verdict.WRONG;
  }

  /** Compares in constant time. */
  private static boolean isSame(String given, @Nullable String token) {
    return token != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private synchronized boolean isClosed() {
    if (isClosed && nanos.getAsLong() - firstWrong > MINUTE) {
      isClosed = false;
      wrong = 0;
    }
    return isClosed;
  }

  private synchronized void countWrong() {
    var now = nanos.getAsLong();
    if (wrong == 0 || now - firstWrong > MINUTE) {
      wrong = 0;
      firstWrong = now;
    }
    if (++wrong >= MOST_WRONG) {
      isClosed = true;
      firstWrong = now; // the minute begins with the last one
    }
  }
}
