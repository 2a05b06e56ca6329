package org.troupe.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Keeps the log records of each test class instead of printing them, and fails a test when a record
 * of level WARNING or above is not expected.
 *
 * <p>Records are checked after each test, so that most failures are attributed to the right test,
 * and again at the end of the class. A later record of another thread is checked with the next
 * test. Test classes of a JVM run one after another.
 */
public final class LogExtension
    implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

  private static final LogCapture CAPTURE = LogCapture.install();

  @Override
  public void beforeAll(ExtensionContext context) {
    CAPTURE.begin(outermost(context));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    CAPTURE.records().judge();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    CAPTURE.records().judge();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LogRecords.class;
  }

  @Override
  public LogRecords resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return CAPTURE.records();
  }

  private static Class<?> outermost(ExtensionContext context) {
    Class<?> type = context.getRequiredTestClass();
    while (type.getEnclosingClass() != null) {
      type = type.getEnclosingClass();
    }
    return type;
  }
}
