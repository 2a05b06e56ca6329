package org.troupe.serialization.internal.coder;

import java.io.ObjectInputValidation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The actions of one message that run when all its objects have been read. */
public final class DeferredActions {

  /** An action, such as filling a collection. */
  public interface Action {
    void run() throws Throwable;
  }

  /** Runs a validation on a thread for user code. */
  interface Validator {
    void validate(ObjectInputValidation object) throws Throwable;
  }

  private record Validation(ObjectInputValidation object, int priority) {}

  private final List<Action> actions = new ArrayList<>();
  private final List<Validation> validations = new ArrayList<>();

  void add(Action action) {
    actions.add(action);
  }

  void add(ObjectInputValidation object, int priority) {
    validations.add(new Validation(object, priority));
  }

  /** Returns whether there are actions; validations do not count. */
  boolean hasActions() {
    return !actions.isEmpty();
  }

  /** Runs the actions in their order, then the validations by falling priority. */
  void run(Validator validator) throws Throwable {
    for (Action action : actions) {
      action.run();
    }
    validations.sort(Comparator.comparingInt(Validation::priority).reversed());
    for (Validation validation : validations) {
      validator.validate(validation.object);
    }
  }
}
