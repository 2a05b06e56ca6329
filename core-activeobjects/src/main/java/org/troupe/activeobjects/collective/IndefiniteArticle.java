package org.troupe.activeobjects.collective;

import java.util.regex.Pattern;

/** The article before the name of a class, for messages such as {@code an Adder on node 'n1'}. */
public final class IndefiniteArticle {

  // Vowels that are spoken as a consonant: Use, Unit and Utility, unlike Update, Unordered and
  // Uninitialized; European, unlike Euler; One, OneShot.
  private static final Pattern SPOKEN_AS_CONSONANT =
      Pattern.compile(
          "[Uu](?:[^aeioun.][aeiou]|ni(?!n|m|dent)).*|[Ee]u(?!ler).*|[Oo]ne(?![a-z]).*");

  private IndefiniteArticle() {}

  /** Returns a name behind its article. */
  public static String before(String name) {
    var isVowel = !name.isEmpty() && "AEIOUaeiou".indexOf(name.charAt(0)) >= 0;
    return (isVowel && !SPOKEN_AS_CONSONANT.matcher(name).matches() ? "an " : "a ") + name;
  }
}
