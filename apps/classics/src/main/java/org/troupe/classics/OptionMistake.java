package org.troupe.classics;

import java.util.Optional;
import org.troupe.descriptors.text.OptionValues;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** A mistake in the options of a program. */
final class OptionMistake {

  private OptionMistake() {}

  /** Returns picocli's message, or what is expected of a value, instead of a type of Java. */
  static String message(Exception error) {
    return mismatch(error).orElseGet(() -> String.valueOf(error.getMessage()));
  }

  private static Optional<String> mismatch(Exception error) {
    if (!(error instanceof ParameterException wrong)
        || !(wrong.getArgSpec() instanceof OptionSpec option)
        || wrong.getValue() == null) {
      return Optional.empty();
    }
    var type = option.typeInfo();
    var ofValues =
        type.isMap() || !type.isMultiValue()
            ? type.getType()
            : type.getAuxiliaryTypeInfos().getFirst().getType();
    return OptionValues.mismatch(
        option.longestName(), ofValues, wrong.getValue(), option.initialValue());
  }
}
