package org.troupe.stubs;

import java.util.ArrayList;
import java.util.List;

/** Writes every call down and answers with what it was told to. */
public class RecordingHandler implements CallHandler {

  final List<String> calls = new ArrayList<>();
  Object answer;
  Throwable failure;

  @Override
  public Object call(int method, Object[] arguments) throws Throwable {
    return record("boxed", method, List.of(arguments));
  }

  Object record(String overload, int method, List<Object> arguments) throws Throwable {
    calls.add(overload + " " + method + arguments);
    if (failure != null) {
      throw failure;
    }
    return answer;
  }
}
