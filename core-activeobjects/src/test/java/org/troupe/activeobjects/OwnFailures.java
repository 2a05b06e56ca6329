package org.troupe.activeobjects;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The failures that the handler of the JVM receives, but for those of objects of other tests in the
 * same JVM. These may come late, since a result is given up when the collector finds that nothing
 * refers to it.
 */
public final class OwnFailures implements FailureHandler {

  /** A call of an object, or the image of one. */
  private static final Pattern CLASS =
      Pattern.compile("(?:the image of an? (\\w+) .*|(\\w+)\\.\\w+\\(.*)", Pattern.DOTALL);

  private final List<String> own;
  private final List<String> failures = new CopyOnWriteArrayList<>();

  private OwnFailures(List<String> own) {
    this.own = own;
  }

  /** Returns a handler for a test whose objects are of classes that it declares. */
  public static OwnFailures of(Class<?> test) {
    return new OwnFailures(
        Arrays.stream(test.getDeclaredClasses())
            .map(Class::getSimpleName)
            .collect(Collectors.toList()));
  }

  @Override
  public void failed(CallFailure failure) {
    var its = CLASS.matcher(failure.call());
    if (!its.matches() || own.contains(its.group(1)) || own.contains(its.group(2))) {
      failures.add(failure.toString());
    }
  }

  /** Returns the failures so far; the list may be changed. */
  public List<String> all() {
    return failures;
  }
}
