package org.troupe.cli.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.activeobjects.MoveException;
import org.troupe.serialization.SerializationException;
import org.troupe.stubs.NotReifiableException;

/**
 * A mistake of a program, in the words of the exception by which Troupe refused it.
 *
 * @param sentence the message, which has the remedy
 * @param place the frames of the program that led to it, the innermost first
 */
record ProgramMistake(String sentence, List<StackTraceElement> place) {

  /**
   * The classes of the modules that programs call, generated stubs, and the mark between the frames
   * of a server and those of its caller. Applications have other packages.
   */
  private static final Pattern TROUPE =
      Pattern.compile(
          "org\\.troupe\\.(activeobjects|deployment|descriptors|futures|groups|links|replicas"
              + "|serialization|skeletons|store|stubs|tasks|transport)\\..*"
              + "|.*\\$\\$Troupe.*"
              + "|----- .*");

  private static final Pattern APPLICATIONS = Pattern.compile("org\\.troupe\\..*");

  private static final Pattern PLATFORM = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");

  /**
   * The exceptions by which Troupe refuses what a program asks for. Their subclasses are others.
   */
  private static final Set<Class<? extends Throwable>> REFUSALS =
      Set.of(
          IllegalArgumentException.class,
          IllegalStateException.class,
          MoveException.class,
          IndexOutOfBoundsException.class,
          UnsupportedOperationException.class,
          NotReifiableException.class,
          SerializationException.class,
          TimeoutException.class,
          IOException.class,
          UncheckedIOException.class);

  /**
   * Returns the mistake that an exception of a program states.
   *
   * <p>That is so if Troupe itself has thrown it, and only the program has called Troupe: if Troupe
   * has called code of the program meanwhile, as in an active object, the whole trace is needed. So
   * it is if there is another failure, as of a resource that is closed.
   *
   * @param thrown by {@code main}, without the frames of this command
   */
  static Optional<ProgramMistake> of(Throwable thrown) {
    var cause = thrown.getCause();
    var refusal = thrown instanceof CompletionException && cause != null ? cause : thrown;
    var inner = refusal.getStackTrace();
    if (!REFUSALS.contains(refusal.getClass())
        || refusal.getMessage() == null
        || inner.length == 0
        || !isOf(TROUPE, inner[0])
        || thrown.getSuppressed().length > 0
        || refusal.getSuppressed().length > 0
        || refusal instanceof SerializationException && isOfItsValue(refusal)) {
      return Optional.empty();
    }
    var place = new ArrayList<>(List.of(thrown.getStackTrace()));
    place.removeIf(each -> isOf(PLATFORM, each));
    while (!place.isEmpty() && isOf(TROUPE, place.getFirst())) {
      place.removeFirst();
    }
    return place.isEmpty() || place.stream().anyMatch(each -> isOf(TROUPE, each))
        ? Optional.empty()
        : Optional.of(new ProgramMistake(Objects.requireNonNull(refusal.getMessage()), place));
  }

  /**
   * Returns the line of the program that has called Troupe; empty if the program is an application
   * of Troupe, whose user cannot change it.
   *
   * @param thrown by {@code main}, without the frames of this command
   */
  static Optional<StackTraceElement> line(Throwable thrown) {
    return Stream.of(thrown.getStackTrace())
        .filter(each -> !isOf(PLATFORM, each) && !isOf(TROUPE, each))
        .findFirst()
        .filter(each -> !isOf(APPLICATIONS, each));
  }

  /** Returns whether code of the value itself has failed, such as its {@code writeObject}. */
  private static boolean isOfItsValue(Throwable refusal) {
    return Stream.iterate(refusal.getCause(), Objects::nonNull, Throwable::getCause)
        .flatMap(each -> Stream.of(each.getStackTrace()))
        .filter(each -> !isOf(PLATFORM, each))
        .findFirst()
        .filter(each -> !isOf(TROUPE, each))
        .isPresent();
  }

  private static boolean isOf(Pattern classes, StackTraceElement frame) {
    return classes.matcher(frame.getClassName()).matches();
  }
}
